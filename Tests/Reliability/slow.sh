#!/usr/bin/env bash
# A server stops in the middle of each kind of document, one after the other, while eight processes mark posts of the same
# store: none fails, and none has to wait for the document.
#
#     Tests/Reliability/slow.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

serve --posts 300
blog list --quiet >/dev/null
kill "$server"
posts=$BLOG_URL
reader=/api/greader.php/reader/api/0
lantern=/feeds/lantern
# Half of a list of 30,000 posts is more than goes to a file.
serve --posts 30000 --feeds mocks/data/feeds --hackernews mocks/data/hackernews --photos mocks/data/photos --service freshrss \
    --fault /post-metadata=stall --fault "/post/*=stall" --fault /v0/topstories.json=stall --fault "/v0/item/*=stall" \
    --fault /v1/photos=stall --fault $lantern/feed.xml=stall --fault $lantern/fog.html=stall \
    --fault $reader/stream/items/contents=stall
slow=$BLOG_URL
unset BLOG_URL
printf 'machine localhost login alice password apipass1\n' >"$HOME/.netrc"
chmod 600 "$HOME/.netrc"

# beside ARGUMENTS...: runs a command that waits for the server, while others mark.
beside() {
    blog "$@" --timeout 300 >/dev/null 2>&1 &
    local waiting=$! start=$SECONDS
    # Until half of the document has arrived.
    sleep 2
    for number in 1 2 3 4 5 6 7 8; do
        for _ in 1 2 3 4 5; do blog mark saved $((RANDOM % 300 + 1)) --url "$posts" --quiet; done &
        workers[number]=$!
    done
    for number in 1 2 3 4 5 6 7 8; do wait "${workers[number]}" || fail "a process could not mark during: blog $*"; done
    kill -0 $waiting 2>/dev/null || fail "this did not wait for the server: blog $*"
    kill $waiting
    wait $waiting 2>/dev/null || true
    echo "$((SECONDS - start)) s for 40 marks during: blog $*"
}

workers=()
beside list --url "$slow"
beside read 1 --url "$slow"
beside list --source hackernews --url "$slow/v0"
beside read 8863 --source hackernews --url "$slow/v0"
beside list --source photos --url "$slow/v1"
beside follow "$slow$lantern/feed.xml"
beside follow "$slow" --as home --allow-http
beside read "$slow$lantern/fog.html"
sound "afterwards"
