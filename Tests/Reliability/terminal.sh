#!/usr/bin/env bash
# Ends the full-screen reader in every possible way, on terminals that answer queries and on silent ones: each time, the
# terminal is restored, and the exit status is right.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

serve
blog sync --quiet
kill "$server"
server=
Tests/Reliability/terminal.py --program "$bin/blog" "$@"

if [[ $(id -u) == 0 ]]; then
    echo "== on a full disk"
    mkdir "$work/disk"
    mount -t tmpfs -o size=64m tmpfs "$work/disk"
    cp "$BLOG_STORE" "$work/disk/blog.sqlite3"
    export BLOG_STORE=$work/disk/blog.sqlite3
    head -c 64m /dev/zero >"$work/disk/filler" 2>/dev/null || true
    Tests/Reliability/terminal.py --program "$bin/blog" --full-disk
    rm "$work/disk/filler"
    sound "after marks on a full disk"
else
    echo "skipped: the full disk, as this is not root"
fi
