#!/usr/bin/env bash
# Checks that the stripped program stays small: linking Foundation would add ICU's tables, 30 MB.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

max=22000000

strip -o "$work/blog" "$bin/blog"
size=$(wc -c <"$work/blog")
((size <= max)) || fail "the stripped program has $size bytes, more than $max"
! grep -q -e icudt -e ucol_open "$work/blog" || fail "ICU is part of the program"
# macOS has both itself.
if command -v ldd >/dev/null && ldd "$work/blog" | grep -e libFoundation -e libswift; then
    fail "the program needs Swift's runtime libraries"
fi
echo "The stripped program has $size bytes"
