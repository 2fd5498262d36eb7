#!/usr/bin/env bash
# Installs a package in a minimal Debian made by debootstrap, uses it there, and checks that purging it leaves no files.
#
#     Tests/Reliability/package.sh .build/dist/blog_0.1.0-1_amd64.deb [SUITE]
#
# ROOT=FOLDER uses an existing root of debootstrap with man-db and bash-completion. Needs root.
set -euo pipefail
[[ $# -eq 1 || $# -eq 2 ]] && [[ -f $1 ]] || { echo "usage: $0 PACKAGE [SUITE]" >&2 && exit 2; }
deb=$(realpath "$1")
suite=${2-bookworm}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if [[ $EUID != 0 ]] || { [[ -z ${ROOT-} ]] && ! command -v debootstrap >/dev/null; }; then
    echo "Skipped: needs root rights and debootstrap"
    exit 0
fi

swift build -q --product mock-server
server_program=$(swift build --show-bin-path)/mock-server
work=$(mktemp -d)
root=$work/root
server=
secure=
finish() {
    for process in $server $secure; do kill "$process" 2>/dev/null || true; done
    umount "$root/proc" 2>/dev/null || true
    rm -rf --one-file-system "$work"
}
trap finish EXIT
fail() {
    echo "FAILED: $*" >&2
    exit 1
}

if [[ -n ${ROOT-} ]]; then
    cp -a "$ROOT" "$root"
else
    debootstrap --variant=minbase --include=man-db,bash-completion "$suite" "$root" >/dev/null
fi
# Minimal systems don't install manual pages.
rm -f "$root"/etc/dpkg/dpkg.cfg.d/*
cp /etc/resolv.conf "$root/etc/resolv.conf"
inside() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 TERM=xterm "$@"; }
apt() { inside env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends "$@" >/dev/null; }
files() {
    (cd "$root" && find . \( -path ./var/cache -o -path ./var/log -o -path ./var/lib \) -prune -o -print | sort)
}

# Dependencies are installed first, so that only the package's own files are compared.
apt update
for name in libcurl4t64 libcurl4; do
    if inside apt-cache show "$name" >/dev/null 2>&1; then break; fi
done
apt install "$name" libsqlite3-0 libstdc++6
files >"$work/before"
cp "$deb" "$root/blog.deb"
inside dpkg -i /blog.deb >/dev/null
rm "$root/blog.deb"

# Swift's runtime needs /proc, as does bash for process substitution.
mount -t proc proc "$root/proc"
port=8196
"$server_program" --port $port --data mocks/data/blog --feeds mocks/data/feeds 2>/dev/null &
server=$!
probe() { inside blog list --url http://localhost:$port --store /tmp/probe --limit 1 --quiet >/dev/null 2>&1; }
until probe; do sleep 0.1; done

inside blog --version | grep -q '^blog [0-9]' || fail "no version"
inside blog follow http://localhost:$port --as nerds >/dev/null || fail "follow"
[[ $(inside blog list --format ids | wc -l) == 15 ]] || fail "list"
inside blog read nerds:11 | grep -q . || fail "read"
# Without ca-certificates, the message about https names them, and no environment variable.
if command -v openssl >/dev/null; then
    openssl s_server -quiet -accept 8197 -cert Tests/Fixtures/Certificates/good.pem -HTTP </dev/null &>/dev/null &
    secure=$!
    until (: <>/dev/tcp/localhost/8197) 2>/dev/null; do sleep 0.1; done
    said=$(inside blog list --url https://localhost:8197 2>&1 || true)
    [[ $said == *"install ca-certificates"* && $said != *SSL_CERT* ]] || fail "https without certificates: $said"
fi
[[ $(inside man -w blog) == /usr/share/man/man1/blog.1.gz ]] || fail "man -w blog"
inside man -w 7 blog-search >/dev/null || fail "man -w 7 blog-search"
# The first Tab, which loads the completions.
completed=$(inside bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader blog
    COMP_LINE="blog conf" COMP_POINT=9; _blog; echo "${COMPREPLY[@]}"')
[[ $completed == config ]] || fail "Tab: $completed"

umount "$root/proc"

inside dpkg --purge blog >/dev/null
rm -rf "$root"/root/.local "$root"/tmp/probe*
files >"$work/after"
diff "$work/before" "$work/after" || fail "purging left files"
[[ $(inside dpkg -l blog 2>/dev/null | grep -c '^ii') == 0 ]] || fail "it is still installed"
echo "The package installs, works and leaves nothing"
