"""The loop without a screen: narration on stderr, data on stdout."""
