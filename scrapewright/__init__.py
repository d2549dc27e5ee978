"""scrapewright: a terminal workbench that turns a sentence about a web site into a scraper that works."""

__version__ = "0.1.0"
