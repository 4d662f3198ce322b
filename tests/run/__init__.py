"""Private services and real processes for the tests: started here, stopped here."""
