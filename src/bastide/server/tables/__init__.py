"""Tables: made, played at, open in this process, shown to each seat."""
