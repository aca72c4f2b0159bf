"""A load for a server on this machine: many tables at which programs play. `bastide loadtest` and scripts/faults."""
