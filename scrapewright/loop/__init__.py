"""The repair loop: one task, a gate, a budget, and the ports it works through."""
