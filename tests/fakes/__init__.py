"""Stand-ins for the loop's ports, scripted by the test that uses them."""
