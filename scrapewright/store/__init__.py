"""What is kept on disk: the events and blobs of every session, in one diskcache that never evicts."""
