"""An evaluator of long nardy: a small network that learned from its own games. The site needs NumPy only."""
