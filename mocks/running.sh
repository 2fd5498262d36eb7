# The mock servers that start-mocks.sh started. Each has a record in .build with its process ID, which it writes itself
# once the port is its own, so the port decides which of several starts at the same time wins.

default_port=8106

record_of() { echo ".build/mock-server-$1.pid"; }

# Whether a mock server that start-mocks.sh started runs at a port: its process ID may have been reused.
is_running() {
    local pid
    pid=$(cat "$(record_of "$1")" 2>/dev/null) || return 1
    [[ $pid =~ ^[1-9][0-9]*$ && $(command_line "$pid") == *"/mock-server --port $1 "* ]]
}

# The words of a process; empty if it has ended. Small Linux systems have no ps.
command_line() {
    if [[ -d /proc/self ]]; then tr '\0' ' ' 2>/dev/null <"/proc/$1/cmdline"; else ps -o args= -p "$1"; fi 2>/dev/null || true
}

# Ends the script unless its operands are one port or none.
check_port() {
    if (($# > 1)) || [[ ! ${1-$default_port} =~ ^[1-9][0-9]{0,4}$ ]] || ((${1-$default_port} > 65535)); then
        echo "${0##*/}: invalid port “$*” (use one from 1 to 65535)" >&2
        exit 2
    fi
}
