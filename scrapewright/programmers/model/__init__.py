"""A model writes the code: through any provider's protocol that is known here."""
