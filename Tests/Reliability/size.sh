#!/usr/bin/env bash
# Checks that the installed program stays small: linking Foundation would add ICU's tables, 30 MB.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

max=$(<Tools/max-bytes)

make -s install BLOG="$bin/blog" DESTDIR="$work" PREFIX=
ln "$work/bin/blog" "$work/blog"
size=$(wc -c <"$work/blog")
((size <= max)) || fail "the installed program has $size bytes, more than $max"
[[ $("$work/blog" --version) == "$("$bin/blog" --version)" ]] || fail "the installed program doesn't run"
! grep -q -e icudt -e ucol_open "$work/blog" || fail "ICU is part of the program"
# macOS has both itself.
if command -v ldd >/dev/null && ldd "$work/blog" | grep -e libFoundation -e libswift; then
    fail "the program needs Swift's runtime libraries"
fi
echo "The installed program has $size bytes"
