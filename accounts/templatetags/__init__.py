"""What templates can ask for beyond Django's own tags."""
