"""The database: the lines of tables, committed together, and what is kept besides."""
