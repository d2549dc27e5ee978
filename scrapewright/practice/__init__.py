"""A small shop to practise on, served on loopback. Its goods and its words are made up."""

DEMO_QUERY = (
    "Scrape every product on {BASE}/ (all pages): title, price as float, rating as int, url (absolute)."
    " CSV in site order."
)
"""The demo's request; `{BASE}` stands for the server's address."""
