"""What the user takes away: result files and programs."""
