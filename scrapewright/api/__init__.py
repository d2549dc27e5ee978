"""The Python API: `from scrapewright import Scrapewright`."""
