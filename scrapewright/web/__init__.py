"""How programs and the survey reach the web: a gateway on the host, a policy, and a tape of every exchange."""
