"""What runs inside the sandbox: standard library only, CPython 3.11 to 3.14."""
