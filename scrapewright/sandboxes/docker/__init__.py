"""Programs in containers: Docker, or anything with its API. The container's stdin and stdout are the one pipe."""
