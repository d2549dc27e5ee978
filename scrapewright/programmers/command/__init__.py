"""The user's own command writes the code: any agent that takes a prompt and leaves or prints a program."""
