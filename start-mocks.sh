#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source mocks/running.sh

help="Usage: ./start-mocks.sh [PORT]

Builds and starts the mock server at http://localhost:$default_port, or at another port, and returns once it responds.
Does nothing if it is already running there. To stop it: ./stop-mocks.sh [PORT]"

if [[ ${1-} == --help || ${1-} == -h ]]; then
    echo "$help"
    exit 0
fi
check_port "$@"
port=${1:-$default_port}
log=.build/mock-server-$port.log

responds() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }

# A server that answers may be about to write its record.
for _ in $(seq 10); do
    responds || break
    if is_running "$port"; then
        echo "The mock server is already running: http://localhost:$port"
        exit 0
    fi
    sleep 0.1
done
if responds; then
    echo "Port $port is in use. Stop the other program, or use another port: ./start-mocks.sh PORT" >&2
    exit 1
fi
if ! command -v swift >/dev/null; then
    echo "Swift isn't installed, so the mock server can't be built. See https://www.swift.org/install" >&2
    exit 1
fi

# The first build takes a while, so its progress is shown.
swift build --product mock-server >&2
# nohup lets the server outlive the terminal.
nohup "$(swift build --show-bin-path)/mock-server" --port "$port" --record "$(record_of "$port")" \
    --data mocks/data/blog --hackernews mocks/data/hackernews --feeds mocks/data/feeds --photos mocks/data/photos \
    --verbose >"$log.$$" 2>&1 </dev/null &
server=$!

for _ in $(seq 100); do
    if is_running "$port" && responds; then
        # Another start at the same time may have won the port; its server has the log.
        if [[ $(cat "$(record_of "$port")") == "$server" ]]; then
            mv "$log.$$" "$log"
        else
            # Ours must not take the port once that server is stopped.
            kill -KILL "$server" 2>/dev/null || true
            wait "$server" 2>/dev/null || true
            rm -f "$log.$$"
        fi
        echo "The mock server is running: http://localhost:$port (log: $log)"
        exit 0
    fi
    # Our server ends if the port is taken: by another start, whose record is about to be written, or another program.
    kill -0 "$server" 2>/dev/null || responds || break
    sleep 0.1
done
kill "$server" 2>/dev/null || true
echo "Could not start the mock server: $(tail -n 1 "$log.$$" | sed 's/^mock-server: //')" >&2
rm -f "$log.$$"
exit 1
