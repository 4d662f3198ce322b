"""The site as in production: several processes of each kind behind nginx, killed while people play."""
