"""What is wanted: a request in a person's words, read into a Query."""
