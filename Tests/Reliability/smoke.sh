#!/usr/bin/env bash
# Checks concurrent work in a release build, because the optimizer has lost results of task groups that debug builds
# have: following and refreshing thirty feeds, threads, bodies, photos, pages, pictures and a search.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if commit=$(git rev-parse --short=7 HEAD 2>/dev/null); then
    [[ $(blog --version) == *"($commit"* ]] || fail "the version doesn't name the commit: $(blog --version)"
fi

feeds=30
serve --data mocks/data/blog --hackernews mocks/data/hackernews --feeds mocks/data/feeds \
    --photos mocks/data/photos

# expect NAME NUMBER COMMAND...: checks the number of lines that a command prints.
expect() {
    local what=$1 number=$2 lines
    shift 2
    lines=$("$@" | wc -l)
    ((lines == number)) || fail "$what: $lines instead of $number"
}
refreshed() { blog list --refresh >/dev/null && blog sources --format tsv | grep -c "	ok	" | xargs seq; }
thread() { blog read hn:8863 --url "$BLOG_URL/v0" 2>/dev/null | grep "· hn:88" | grep -v points; }
photos() { blog "$@" -s 500px --url "$BLOG_URL/v1" --quiet; }
comments() { photos read 500px:49 | grep "· 500px:49:"; }
page() { blog list --format ids | blog read - --format html --no-mark | grep '<article'; }
pictures() { blog sync --images 2>&1 | grep " pictures: .* new"; }

expect "posts" 15 blog list --format ids
blog sync --quiet
expect "bodies found" 1 blog search "small releases" --format ids
expect "comments" 11 thread
expect "stories" 30 blog list -s hn --url "$BLOG_URL/v0" --format ids --quiet
expect "photos" 127 photos list --format ids --limit 200
expect "comments on a photo" 8 comments
expect "posts on a page" 15 page
expect "summary of pictures" 1 pictures
for number in $(seq $feeds); do echo "$BLOG_URL/feeds/many/$number"; done | blog follow - --quiet
expect "feeds followed" $feeds blog sources --fields name
expect "feeds refreshed" $feeds refreshed
expect "posts of feeds, each with its source" $feeds blog list --group source --fields source --limit $feeds
echo "A release build does what is expected"
