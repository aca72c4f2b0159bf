# Sourced by the scripts beside it: the project's own virtual environment and what belongs in it.
# BASTIDE_VENV names another folder for it, PYTHON another Python to make it with.
set -euo pipefail
unset PYTHONPATH PYTHONHOME

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=${BASTIDE_VENV:-$root/.venv}
python=$venv/bin/python

say() { echo "$(basename "$0"): $*" >&2; }
die() { say "$@"; exit 1; }

# packages NAME: a virtual environment with exactly the versions of requirements/NAME.txt.
packages() {
    local locked=$root/requirements/$1.txt done=$venv/.packages-$1
    (
        flock 9
        if ! "$python" -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; then
            say "making a virtual environment in $venv"
            "${PYTHON:-python3}" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || die "needs Python 3.11 or newer"
            "${PYTHON:-python3}" -m venv --clear "$venv" || die "could not make it: on Debian, apt install python3-venv"
        fi
        if ! cmp -s "$locked" "$done"; then
            say "installing packages ($1)"
            # not compiled: Python does that with what is used, and it is a fraction
            "$python" -m pip install -qq --disable-pip-version-check --no-compile --require-hashes -r "$locked"
            cp "$locked" "$done"
        fi
    ) 9> "$venv.lock"
}

# installed: the sources as they are now, compiled and installed in the environment. Needs `packages` first.
installed() {
    local done=$venv/.sources now
    (
        flock 9
        now=$(fingerprint)
        if [ "$now" != "$(cat "$done" 2> /dev/null)" ]; then
            say "compiling and installing Bastide (a minute or so, after each change)"
            rm -f "$done"
            cd "$root"
            "$python" -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall .
            echo "$now" > "$done"
        fi
    ) 9> "$venv.lock"
}

# page_packages: what the page is built, checked and tested with; needs npm, in the folder web.
# not `npm ci`: it refuses the lock file where bindings for other systems cannot be had
page_packages() {
    cmp -s package-lock.json node_modules/.installed && return
    npm install --silent --no-save --no-fund --no-audit && cp package-lock.json node_modules/.installed
}

# page: the browser page, built into the package where Node.js is; needs npm. Says so and fails where it is missing.
page() {
    local done=$root/web/node_modules/.built now
    command -v npm > /dev/null || { say "Node.js and npm are missing: no page is built"; return 1; }
    (
        flock 9
        cd "$root/web"
        now=$(find . -path ./node_modules -prune -o -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum)
        if [ "$now" != "$(cat "$done" 2> /dev/null)" ] || [ ! -e "$root/src/bastide/server/static/index.html" ]; then
            say "building the page"
            page_packages && npm run --silent build && engine && echo "$now" > "$done"
        fi
    ) 9> "$root/web/.lock"
}

# engine: what runs the engine in a browser, beside the page. Without it the page needs a server, and says so.
engine() {
    local interpreter=$python
    [ -x "$interpreter" ] || interpreter=${PYTHON:-python3}
    "$interpreter" "$root/scripts/engine.py" || say "no engine for browsers: bastide site cannot be used"
}

# browser: Debian's Chromium for the tests of the page, installed where that is possible. Fails where it is not.
# Most tests take the shell of it that has no windows, for half of the processor time; messages of the system need the whole.
browser() {
    local wanted=(chromium chromium-headless-shell)
    command -v "${wanted[0]}" > /dev/null && command -v "${wanted[1]}" > /dev/null && return
    if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
        say "installing Chromium"
        { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${wanted[@]}"; } > /dev/null 2>&1 && return
    fi
    command -v chromium > /dev/null && return # it can do all of it, slowly
    say "Chromium is missing and cannot be installed here"
    return 1
}

# One line that changes whenever the installed copy would.
fingerprint() {
    {
        cd "$root"
        find src/bastide setup.py pyproject.toml -type f ! -name '*.pyc' ! -name '*.so' ! -name _compiled.json -print0 |
            LC_ALL=C sort -z | xargs -0 sha256sum
        "$python" -VV
        echo "pure ${BASTIDE_PURE:-}" "compiler $(command -v "${CC:-cc}")"
    } | sha256sum
}
