#!/usr/bin/env bash
# Kills a sync with kill -9 at random moments, 200 times by default: each time, the store is valid and no stored post is
# lost, and the next sync completes. Then kills the reading of a massive post, a quarter as often, while it arrives or
# while it is written: all of it is stored, or nothing.
#
#     Tests/Reliability/kill.sh [TIMES]
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

times=${1:-200}
posts=2000
serve --posts $posts --latency 1
blog list --quiet >/dev/null
stored=0
kills=0
grown=0
while ((kills < times)); do
    "$bin/blog" sync --quiet &
    sync=$!
    sleep "0.$(printf '%03d' $((RANDOM % 120)))"
    if kill -9 $sync 2>/dev/null; then kills=$((kills + 1)); fi
    wait $sync 2>/dev/null || true
    sound "after kill $kills"
    now=$(count bodies)
    ((now >= stored)) || fail "of $stored bodies $now are left after kill $kills"
    if ((now > stored)); then grown=$((grown + 1)); fi
    stored=$now
    if ((stored == posts)); then
        # Everything was stored before the last kill: start over.
        rm -f "$BLOG_STORE"*
        blog list --quiet >/dev/null
        stored=0
    fi
done
blog sync --quiet
[[ $(count bodies) == "$posts" ]] || fail "the last sync left $(count bodies) of $posts bodies"
sound "at the end"
echo "$kills kills, $grown of them after something more was stored; the store was sound each time, and complete at last"

cp -r mocks/data/blog "$work/data"
echo '{"/post/*": {"grow": 15000000}}' >"$work/data/routes.json"
kill "$server"
serve --data "$work/data"
size=$(blog read 11 --body --store "$work/probe.sqlite3" | wc -c)
((size > 14000000)) || fail "the post has only $size bytes"
rm -f "$BLOG_STORE"*
blog list --quiet >/dev/null
whole=0
written=0
log() { { wc -c <"$BLOG_STORE-wal" || echo 0; } 2>/dev/null; }
for ((kills = 0; kills < times / 4; kills++)); do
    "$bin/blog" read 11 --quiet >/dev/null &
    read=$!
    before=$(log)
    if ((kills % 3 == 0)); then
        sleep "0.$(printf '%03d' $((RANDOM % 600)))"
    else
        # While the post is written, the WAL grows by its length.
        limit=$((before + RANDOM * size / 32768))
        while kill -0 $read 2>/dev/null && (($(log) <= limit)); do :; done
    fi
    if kill -9 $read 2>/dev/null && (($(log) > before)); then written=$((written + 1)); fi
    wait $read 2>/dev/null || true
    sound "after kill $kills of a massive post"
    now=$(blog read 11 --body --offline 2>/dev/null | wc -c) || true
    if ((now == size)); then
        whole=$((whole + 1))
        rm -f "$BLOG_STORE"*
        blog list --quiet >/dev/null
    elif ((now != 0)); then
        fail "of $size bytes $now are stored"
    fi
done
echo "$kills kills of a massive post, $written while it was written; $whole times it was there, whole"
