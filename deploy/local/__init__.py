"""Everything on one machine: embedded PostgreSQL and Valkey, and the supervisor of `make run`."""
