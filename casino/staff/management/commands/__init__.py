"""One command a file; each calls one service."""
