#!/usr/bin/env bash
# Stops the mock server that start-mocks.sh started, and no other process. Does nothing if it isn't running.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

record=.build/mock-server.pid

# The command of a process; empty if it isn't running. Small Linux systems have no ps.
command_of() {
    if [[ -d /proc/self ]]; then cat "/proc/$1/comm" 2>/dev/null || true; else ps -o comm= -p "$1" 2>/dev/null || true; fi
}

pid=$(cat "$record" 2>/dev/null || true)
rm -f "$record"
# The process ID may have been reused.
if [[ $pid =~ ^[0-9]+$ ]] && [[ $(command_of "$pid") == *mock-server* ]]; then
    kill "$pid"
    while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
    echo "The mock server was stopped."
else
    echo "The mock server isn't running."
fi
