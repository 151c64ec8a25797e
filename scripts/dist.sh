#!/usr/bin/env bash
# Packs dist/accept-VERSION-linux-ARCH.tar.gz: the binary (all libraries but glibc linked into it), suites, schemas and
# templates.
# It runs from wherever it is unpacked, on any system with glibc 2.36 or newer.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/^project(accept VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
name="accept-$version-linux-$(uname -m)"
stage="build-release/dist/$name"

cmake --preset release >/dev/null
cmake --build build-release -j "$(nproc)"
rm -rf "$stage"
mkdir -p "$stage/bin" "$stage/share/accept" dist
cp build-release/accept "$stage/bin/"
cp -r suites schemas reports "$stage/share/accept/"
find "$stage" -name __pycache__ -prune -exec rm -rf {} +
cp README.md "$stage/"

foreign=$(ldd "$stage/bin/accept" | awk '$2=="=>"{print $1}' | grep -vE '^lib(c|m|pthread|dl|rt|resolv)\.so' || true)
[ -z "$foreign" ] || { echo "dist: not linked statically:" $foreign >&2; exit 1; }
strip --strip-unneeded "$stage/bin/accept"
tar -C build-release/dist --owner=0 --group=0 --sort=name -czf "dist/$name.tar.gz" "$name"
bytes=$(stat -c %s "dist/$name.tar.gz")
floor=$(objdump -T "$stage/bin/accept" | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1)
echo "dist/$name.tar.gz  $((bytes / 1048576)) MiB  needs $floor"
[ "$bytes" -le $((40 * 1048576)) ] || { echo "dist: over 40 MiB" >&2; exit 1; }
