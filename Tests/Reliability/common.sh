# Shared by the reliability scripts: a release build, a mock server, and a temporary folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# The arguments that a script takes, before it builds anything: a number, or none.
usage() {
    sed -n '2,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$0" >&2
    exit 2
}
case $(basename "$0") in
kill.sh | together.sh) [[ $# -eq 0 || $# -eq 1 && $1 =~ ^[0-9]+$ ]] || usage ;;
terminal.sh) ;;
*) [[ $# -eq 0 ]] || usage ;;
esac

make -s SWIFTFLAGS=-q
make -s SWIFTFLAGS=-q PRODUCT=mock-server
bin=${SCRATCH:-.build}/release
work=$(mktemp -d)
server=
export HOME=$work/home BLOG_STORE=$work/store/blog.sqlite3
unset XDG_DATA_HOME XDG_CONFIG_HOME
mkdir "$HOME"

blog() { "$bin/blog" "$@"; }

# serve ARGUMENTS...: starts a mock server on a free port and waits until it listens.
serve() {
    : >"$work/server.log"
    "$bin/mock-server" --port 0 "$@" 2>"$work/server.log" &
    server=$!
    until BLOG_URL=$(grep -o -m 1 'http://localhost:[0-9]*' "$work/server.log"); do
        kill -0 "$server" 2>/dev/null || fail "the mock server didn't start: $(<"$work/server.log")"
        sleep 0.1
    done
    export BLOG_URL
}

finish() {
    if [[ -n $server ]]; then kill "$server" 2>/dev/null || true; fi
    umount "$work/disk" 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# count COLUMN: a number from `blog sources` for the server's source.
count() { blog sources --fields "address,$1" | awk -F '\t' -v url="$BLOG_URL" '$1 == url { print $2 }'; }

sound() { blog store check --quiet || fail "the store is not sound ($1)"; }
