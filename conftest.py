"""Fixtures that tests of several apps share."""
