"""Journeys: what people do on the site, in a real browser against the site's real processes."""
