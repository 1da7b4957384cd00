"""One command a file; each calls one or two queries."""
