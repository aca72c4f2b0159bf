"""Over Hill and Dale."""
