"""The database: tables of tables. A game is its list of lines; everything else can be rebuilt or is not part of it."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("name", String(12), primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("setup", Text, nullable=False),  # JSON of Setup
    Column("seed", String(64), nullable=False),
    Column("invite", String(32), nullable=False),
    Column("offer", Text),  # JSON of Offer
    Column("next", String(12)),
    # What lists and timers need without playing the lines: written together with them.
    Column("status", String(8), nullable=False),
    Column("decides", Integer, nullable=False),
    Column("scores", Text, nullable=False),  # JSON
    Column("winners", Text),  # JSON
    Column("out", Text, nullable=False),  # JSON: why seats are out, by seat
    Column("deadline", BigInteger),  # the moment at which time runs out
    Column("thinks", Boolean, nullable=False),  # a bot must act, or the game must begin
    Column("seq", Integer, nullable=False),  # the number of the last line; compared and set with every new one
    Column("rules", String(64), nullable=False),  # a hash of the rules it was last replayed with; empty: not known
    Column("broken", Text),  # why it cannot be read, or that it was closed; nothing if it can
    Column("public", Boolean, nullable=False),  # everybody may find it
)
Index("tables_deadline", tables.c.deadline)
Index("tables_thinks", tables.c.thinks)
Index("tables_public", tables.c.public, tables.c.changed)

seats = Table(
    "seats",
    metadata,
    Column("table", String(12), ForeignKey("tables.name", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("name", String(40), nullable=False),
    Column("colour", String(16), nullable=False),
    Column("bot", String(64)),
    Column("token_hash", String(64), nullable=False),
    Column("entropy", String(80)),  # a bot's is empty; `chain:` and its end, or random digits
    UniqueConstraint("table", "colour", name="seats_colour"),
)

lines = Table(
    "lines",
    metadata,
    Column("table", String(12), ForeignKey("tables.name", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("text", Text, nullable=False),
    Column("lag", Integer, nullable=False),  # ms that the message was under way, not charged to who sent it
)

keys = Table(
    "keys",
    metadata,
    Column("key_hash", String(64), primary_key=True),
    Column("table", String(12), ForeignKey("tables.name", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
)
Index("keys_table", keys.c.table)

chat = Table(
    "chat",
    metadata,
    Column("table", String(12), ForeignKey("tables.name", ondelete="CASCADE"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("name", String(40), nullable=False),
    Column("text", Text, nullable=False),
    Column("emote", String(32)),
    Column("system", Boolean, nullable=False),
)

positions = Table(
    "positions",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("title", String(80), nullable=False),
    Column("goal", String(80), nullable=False),
    Column("record", Text, nullable=False),
    Column("draws", Text, nullable=False),  # JSON
)

# What whoever runs the server has decided.
sanctions = Table(
    "sanctions",
    metadata,
    Column("kind", String(8), primary_key=True),  # ban, mute, close
    Column("subject", String(64), primary_key=True),  # an address or a table
    Column("at", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
)

# Browsers that want to be called when it is their turn (Web Push).
subscriptions = Table(
    "subscriptions",
    metadata,
    Column("key_hash", String(64), primary_key=True),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", String(88), nullable=False),
    Column("auth", String(24), nullable=False),
    Column("at", BigInteger, nullable=False),
)

# One row: when a server was last seen to run.
running = Table(
    "running",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
)

# One row: tells databases apart that share a Redis.
installation = Table(
    "installation",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("name", String(32), nullable=False),
)
