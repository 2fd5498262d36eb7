#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source mocks/running.sh

help="Usage: ./stop-mocks.sh [PORT]

Stops the mock servers that ./start-mocks.sh started, or the one at a port, and no other process."

if [[ ${1-} == --help || ${1-} == -h ]]; then
    echo "$help"
    exit 0
fi
check_port "$@"

stopped=0
for record in .build/mock-server-*.pid; do
    port=${record#.build/mock-server-}
    port=${port%.pid}
    [[ -f $record && $port == "${1-$port}" ]] || continue
    if is_running "$port"; then
        # It has nothing to save, and SIGTERM may be blocked, as it is for what a thread of a program starts.
        kill -KILL "$(<"$record")"
        while is_running "$port"; do sleep 0.05; done
        echo "The mock server at http://localhost:$port was stopped."
        stopped=1
    fi
    rm -f "$record"
done
((stopped)) || echo "The mock server isn't running${1+ at port $1}."
