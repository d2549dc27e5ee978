"""The MCP server: pages, runs with their questions, verdicts and traces as tools of the Model Context Protocol."""
