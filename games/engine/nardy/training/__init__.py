"""How the networks are made and measured. Needs numba; nothing that the site runs imports it."""
