#!/usr/bin/env bash
# Packs dist/accept-VERSION-linux-ARCH.tar.gz: the binary, its shared libraries except glibc, suites and schemas.
# It runs from wherever it is unpacked, on any system with glibc 2.36 or newer.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/^project(accept VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
name="accept-$version-linux-$(uname -m)"
stage="build-release/dist/$name"

cmake --preset release >/dev/null
cmake --build build-release -j "$(nproc)"
rm -rf "$stage"
mkdir -p "$stage/bin" "$stage/lib/accept" "$stage/share/accept" dist
cp build-release/accept "$stage/bin/"
cp -r suites schemas "$stage/share/accept/"
find "$stage" -name __pycache__ -prune -exec rm -rf {} +
cp README.md "$stage/"

# glibc's own libraries must come from the system: they belong to its loader.
ldd "$stage/bin/accept" | awk '$2=="=>"{print $1, $3}' | while read -r soname path; do
  case "$soname" in
    libc.so.*|libm.so.*|libpthread.so.*|libdl.so.*|librt.so.*|libresolv.so.*) ;;
    *) cp -L "$path" "$stage/lib/accept/$soname" ;;
  esac
done
strip --strip-unneeded "$stage/bin/accept"
patchelf --set-rpath '$ORIGIN/../lib/accept' "$stage/bin/accept"
for library in "$stage"/lib/accept/*; do
  patchelf --set-rpath '$ORIGIN' "$library"
done
tar -C build-release/dist --owner=0 --group=0 --sort=name -czf "dist/$name.tar.gz" "$name"
bytes=$(stat -c %s "dist/$name.tar.gz")
floor=$(objdump -T "$stage/bin/accept" "$stage"/lib/accept/* | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1)
echo "dist/$name.tar.gz  $((bytes / 1048576)) MiB  needs $floor"
[ "$bytes" -le $((40 * 1048576)) ] || { echo "dist: over 40 MiB" >&2; exit 1; }
