"""How Pontoon is shipped: roles, container files, the runbook, and the servers of `make run`."""
