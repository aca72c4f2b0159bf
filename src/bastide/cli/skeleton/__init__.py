"""A small working module, which `bastide module new NAME` copies under another name. Its own name is `waymarks`."""
