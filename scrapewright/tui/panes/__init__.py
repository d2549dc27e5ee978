"""One file per pane. A pane shows a Session; it never changes one."""
