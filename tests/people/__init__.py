"""One person, one account; staff and what they do: through all apps together."""
