"""Programs that measure the site, each beside something to compare with."""
