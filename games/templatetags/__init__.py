"""What templates of other apps may ask about matches."""
