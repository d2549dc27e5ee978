"""The screens: a live session, a replay, Home with the past sessions, and dialogs."""
