#!/usr/bin/env bash
# Builds and starts the mock server on http://localhost:8106 or another port, and returns once it responds.
# Does nothing if it is already running.
#
#     ./start-mocks.sh [PORT]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

port=${1:-8106}
record=.build/mock-server.pid
log=.build/mock-server.log

responds() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }

# The command of a process; empty if it isn't running. Small Linux systems have no ps.
command_of() {
    if [[ -d /proc/self ]]; then cat "/proc/$1/comm" 2>/dev/null || true; else ps -o comm= -p "$1" 2>/dev/null || true; fi
}

is_ours() {
    [[ -f $record ]] && local pid && pid=$(<"$record") && [[ $pid =~ ^[0-9]+$ ]] &&
        [[ $(command_of "$pid") == *mock-server* ]]
}

if is_ours && responds; then
    echo "The mock server is already running: http://localhost:$port"
    exit 0
fi
if responds; then
    echo "Port $port is in use. Stop the other program, or use another port: ./start-mocks.sh PORT" >&2
    exit 1
fi

swift build -q --product mock-server
# nohup lets the server outlive the terminal.
nohup "$(swift build --show-bin-path)/mock-server" --port "$port" --data mocks/data/blog \
    --hackernews mocks/data/hackernews --feeds mocks/data/feeds --photos mocks/data/photos --verbose >"$log" 2>&1 </dev/null &
echo $! >"$record"

for _ in $(seq 100); do
    if responds; then
        echo "The mock server is running: http://localhost:$port (log: $log)"
        exit 0
    fi
    kill -0 "$(<"$record")" 2>/dev/null || break
    sleep 0.1
done
echo "Could not start the mock server:" >&2
tail -n 5 "$log" >&2
rm -f "$record"
exit 1
