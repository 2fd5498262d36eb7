#!/usr/bin/env bash
# A package that uses BlogKit may have targets with the names of our folders: builds one, and runs its program.
set -euo pipefail
[[ $# -eq 0 ]] || { echo "usage: $0" >&2 && exit 2; }
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
names=$(find Sources/C Sources/BlogKit Sources/Interface mocks Tests -mindepth 1 -maxdepth 1 -type d ! -name BlogKit \
    ! -name data -exec basename {} \; | sort -u)
mkdir -p "$work/Sources/reader"
targets=
for name in $names; do
    mkdir "$work/Sources/$name"
    echo "public let name = \"$name\"" >"$work/Sources/$name/Name.swift"
    targets+=".target(name: \"$name\"), "
done
cat >"$work/Package.swift" <<EOF
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "reader", platforms: [.macOS(.v15)], dependencies: [.package(name: "blog", path: "$PWD")],
    targets: [
        $targets
        .executableTarget(
            name: "reader", dependencies: ["Model", "Store", .product(name: "BlogKit", package: "blog")]),
    ])
EOF
cat >"$work/Sources/reader/main.swift" <<'EOF'
import BlogKit
import Model
import Store

print(Model.name, Store.name, BlogAPI(address: "http://blog.example") == nil ? "no" : "BlogKit")
EOF
output=$(swift run -q --package-path "$work" reader)
[[ $output == "Model Store BlogKit" ]] || { echo "names.sh: $output" >&2; exit 1; }
echo "A package with targets named like our folders builds: $(wc -w <<<"$names" | tr -d ' ') names."
