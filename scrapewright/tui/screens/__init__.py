"""Whole screens: a session at work, a session told again, the list of past sessions."""
