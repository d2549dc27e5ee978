"""Who writes the code: rules, a model, or the user's own command."""
