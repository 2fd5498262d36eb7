#!/usr/bin/env bash
# Stops the mock server that start-mocks.sh started, and nothing else. Does no harm where it is down.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

record=.build/mock-server.pid

# The command that runs under a process id; nothing where there is none. Small machines have no ps.
command_of() {
    if [[ -d /proc/self ]]; then cat "/proc/$1/comm" 2>/dev/null || true; else ps -o comm= -p "$1" 2>/dev/null || true; fi
}

if [[ ! -f $record ]]; then
    echo "The mock server isn't running."
    exit 0
fi
pid=$(<"$record")
rm -f "$record"
# The number may have gone to another process since.
if [[ $pid =~ ^[0-9]+$ ]] && [[ $(command_of "$pid") == *mock-server* ]]; then
    kill "$pid"
    while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
    echo "Stopped the mock server."
else
    echo "The mock server isn't running."
fi
