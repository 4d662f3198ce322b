"""Three ledgers that do the same work side by side: ours, a plain one with row locks, django-hordak."""
