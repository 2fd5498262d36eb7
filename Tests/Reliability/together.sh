#!/usr/bin/env bash
# Eight processes list, sync, mark, search and undo on one store at the same time, for 30 seconds by default: none
# fails, and afterwards the store is valid and its counts are right.
#
#     Tests/Reliability/together.sh [SECONDS]
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

seconds=${1:-30}
posts=500
serve --posts $posts
blog list --quiet >/dev/null

worker() {
    local number=$1 runs=0
    while ((SECONDS < seconds)); do
        case $(((number + runs) % 6)) in
            0) blog sync --refresh --limit 50 ;;
            1) blog list --limit 10 ;;
            2) blog mark read $((RANDOM % posts + 1)) $((RANDOM % posts + 1)) ;;
            3) blog sync ;;
            4) blog search an --limit 5 ;;
            5) blog mark saved $((RANDOM % posts + 1)) && blog undo ;;
        esac >/dev/null 2>>"$work/errors.$number" || echo "exit $? of run $runs" >>"$work/failures"
        runs=$((runs + 1))
    done
    echo "$runs" >>"$work/runs"
}

for number in 1 2 3 4 5 6 7 8; do worker $number & workers+=($!); done
wait "${workers[@]}"
if [[ -e $work/failures ]]; then
    sort "$work/failures" | uniq -c
    cat "$work"/errors.* | sort | uniq -c | sort -rn | head
    fail "some runs failed"
fi
sound "afterwards"
[[ $(count posts) == "$posts" && $(count bodies) == "$posts" ]] || fail "$(count posts) posts, $(count bodies) bodies"
unread=$(blog list --offline --unread --format ids | wc -l)
[[ $(count unread) == "$unread" ]] || fail "unread: $(count unread) counted, $unread listed"
echo "$(awk '{ sum += $1 } END { print sum }' "$work/runs") runs by 8 processes in $seconds s; none failed"
