"""The staff's pages about people: who they are, how they behave, what staff did, and what the site forbids."""

from accounts.admin import conduct, people, site  # noqa: F401  imported for what it does: each registers its pages
