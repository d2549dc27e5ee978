"""One pane a file. A pane shows a Session; it never changes one."""
