"""What happened: the events of a session, the state they add up to, and the journal that orders them."""
