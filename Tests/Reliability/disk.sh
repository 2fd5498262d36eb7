#!/usr/bin/env bash
# With a full disk, a read-only file system, or a store that is garbage, truncated or another program's, blog reports
# the problem or continues in memory, and leaves the file alone. The disk tests need root, for mount.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

serve --posts 500
blog sync --quiet
good=$work/good.sqlite3
blog store vacuum --quiet
cp "$BLOG_STORE" "$good"

# expect CODE TEXT COMMAND...: checks a command's exit code, and for a text on stderr.
expect() {
    local code=$1 text=$2 got=0
    shift 2
    "$@" >"$work/out" 2>"$work/err" || got=$?
    [[ $got == "$code" ]] || fail "$*: exit $got, not $code: $(cat "$work/err")"
    grep -q "$text" "$work/err" || fail "$*: no “$text” in: $(cat "$work/err")"
    echo "ok   $got  $(head -1 "$work/err")"
}

# refused TEXT: each command whose work is to store fails with a text, says no success, and leaves the store alone.
refused() {
    blog store export >"$work/posts.jsonl" 2>/dev/null || echo '{}' >"$work/posts.jsonl"
    cp "$BLOG_STORE" "$work/before"
    for command in "follow $BLOG_URL/other" "follow $BLOG_URL --as again" "unfollow mine" "mark saved 1" \
        "mark read --all" "label add later 1" "label rename later now" "rule add title:a --hide" "rule remove 1" undo \
        sync "sync --quiet" "sync --json" "search an --as kept" "store vacuum" "store import $work/posts.jsonl"; do
        # shellcheck disable=SC2086
        expect 1 "$1" blog $command
        [[ ! -s $work/out ]] || fail "blog $command printed: $(head -3 "$work/out")"
    done
    cmp "$work/before" "$BLOG_STORE" || fail "the store was changed"
}

if [[ $(id -u) == 0 ]]; then
    mkdir "$work/disk"
    mount -t tmpfs -o size=2m tmpfs "$work/disk"
    export BLOG_STORE=$work/disk/blog.sqlite3
    blog list --limit 1 --quiet >/dev/null
    echo "== full while a sync stores"
    expect 1 "No space left" blog sync
    sound "on the full disk"
    (($(count bodies) > 0)) || fail "nothing was kept"
    echo "== full before anything is stored"
    rm -f "$work/disk"/*
    head -c 2m /dev/zero >"$work/disk/filler" 2>/dev/null || true
    expect 0 "changes won't be saved" blog list
    (($(wc -l <"$work/out") == 500)) || fail "the list was not printed"
    rm -f "$work/disk"/*
    blog follow "$BLOG_URL" --as mine --quiet
    blog mark saved 1 --quiet
    blog store vacuum --quiet
    echo "== full, with a store"
    head -c 2m /dev/zero >"$work/disk/filler" 2>/dev/null || true
    refused "No space left"
    expect 0 "changes won't be saved" blog list
    expect 0 "changes won't be saved" blog read 2
    rm "$work/disk/filler"
    blog list --quiet >/dev/null
    sound "after the disk was full"
    echo "== read-only"
    mount -o remount,size=50m "$work/disk"
    cp "$good" "$BLOG_STORE"
    mount -o remount,ro "$work/disk"
    expect 0 "Could not write to" blog list
    expect 0 "" blog read 1 --offline
    refused "Could not write to the store"
    cmp "$good" "$BLOG_STORE"
    echo "== of an older version, read-only"
    mount -o remount,rw,size=100m "$work/disk"
    rm -f "$work/disk"/*
    gzip -dc Tests/Fixtures/OldStore/blog.sqlite3.gz >"$BLOG_STORE"
    cp "$BLOG_STORE" "$work/old"
    mount -o remount,ro "$work/disk"
    expect 0 "Could not write to" blog list --offline
    expect 0 "Could not write to" blog search '"teil 60"' --offline
    grep -q "^nerds:103" "$work/out" || fail "the long post was not found"
    expect 0 "Could not write to" blog read nerds:103 --offline --body --raw
    (($(wc -c <"$work/out") >= 20000000)) || fail "the long post was cut"
    cmp "$work/old" "$BLOG_STORE"
    echo "== of an older version, with no room for a copy"
    mount -o remount,rw "$work/disk"
    blog store check 2>"$work/err" || fail "$(cat "$work/err")"
    ! grep -q "copy" "$work/err" || fail "$(cat "$work/err")"
    [[ ! -e $BLOG_STORE.version-12 ]] || fail "there is a copy"
    umount "$work/disk"
else
    echo "skipped: the disks, as this is not root"
fi

export BLOG_STORE=$work/bad.sqlite3
# untouched NAME: checks that every command reports the problem and leaves the file alone.
untouched() {
    cp "$BLOG_STORE" "$work/before"
    for command in "list" "read 1" "search an" "mark read 1" "sync" "sources" "store" "store check" "store vacuum" \
        "store export" "undo"; do
        # shellcheck disable=SC2086
        expect 1 "bad.sqlite3 is\( damaged\|n't a blog store\)" blog $command
    done
    cmp "$work/before" "$BLOG_STORE" || fail "a store that is $1 was changed"
}
echo "== garbage"
head -c 100000 /dev/urandom >"$BLOG_STORE"
untouched garbage
echo "== another program's"
printf 'SQLite format 3\0' >"$BLOG_STORE"
head -c 8176 /dev/zero >>"$BLOG_STORE"
untouched "another program's"
echo "== cut off"
head -c $(($(wc -c <"$good") / 2)) "$good" >"$BLOG_STORE"
cp "$BLOG_STORE" "$work/before"
expect 1 "damaged" blog store check
cmp "$work/before" "$BLOG_STORE" || echo "     (the cut off file was changed by SQLite itself)"
rm -f "$BLOG_STORE"*

echo "== readable by its owner only"
rm -rf "$work/private"
(umask 022 && BLOG_STORE=$work/private/deep/blog.sqlite3 blog list --quiet >/dev/null)
modes=$(find "$work/private/deep" -perm 700 -o -name blog.sqlite3 -perm 600 | wc -l)
((modes == 2)) || fail "the modes are $(ls -la "$work/private/deep")"
echo "ok   folder 700, file 600"

echo "== another user's"
if [[ $(id -u) == 0 ]] && command -v setpriv >/dev/null; then
    cp "$good" "$work/private/deep/blog.sqlite3"
    chmod 755 "$work" "$bin" 2>/dev/null || true
    expect 1 "Could not read the store" setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent \
        BLOG_STORE="$work/private/deep/blog.sqlite3" "$bin/blog" list
    # One that its owner lets others read.
    chmod -R a+rX "$work/private"
    expect 0 "Could not write to" setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent \
        BLOG_STORE="$work/private/deep/blog.sqlite3" "$bin/blog" list
    cmp "$good" "$work/private/deep/blog.sqlite3"
else
    echo "skipped, as this is not root"
fi
echo "all of it holds"
