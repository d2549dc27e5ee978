"""How the verdict's probability is fitted: `make calibrate-verdict`, with the saved-site corpus beside the checkout."""
