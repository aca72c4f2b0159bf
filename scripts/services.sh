# Sourced by the scripts beside it: PostgreSQL and Redis for the tests of the server.

# services: Debian's PostgreSQL and Redis, installed where that is possible. The tests start private ones themselves.
services() {
    ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 && command -v redis-server > /dev/null && return
    if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
        say "installing PostgreSQL and Redis"
        # no cluster and no service of its own is wanted: only the programs
        mkdir -p /etc/postgresql-common
        [ -e /etc/postgresql-common/createcluster.conf ] ||
            echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf
        { apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql redis-server; } > /dev/null 2>&1 && return
    fi
    say "PostgreSQL or Redis is missing: the server is tested with SQLite only"
}
