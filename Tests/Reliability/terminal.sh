#!/usr/bin/env bash
# Ends the full-screen reader in every way there is, on terminals that answer its questions and on silent ones: each time
# the terminal is as it was before, and the exit status says what happened.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

serve 8195
blog sync --quiet
kill "$server"
server=
Tests/Reliability/terminal.py --program "$bin/blog" "$@"
