"""Faults on purpose: what must hold whatever dies, hangs, lies or floods (make chaos)."""
