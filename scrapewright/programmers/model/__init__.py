"""A model writes the code: OpenAI, Azure OpenAI, and whatever speaks their protocol."""
