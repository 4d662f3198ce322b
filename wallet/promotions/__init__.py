"""Promotions: campaigns in which players earn stars and bonus points (Money 7)."""
