#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages that the named groups need: setup.sh [build] [run] [test] [ci] [dist].
# Quick when nothing is missing; never removes a package unless ACCEPT_SETUP_MAY_REMOVE=1 allows it.
set -euo pipefail
cd "$(dirname "$0")"
. ./packages.sh

wanted=""
for group in "$@"; do
  variable="${group}_packages"
  [ -n "${!variable:-}" ] || { echo "setup: unknown group '$group' (build run test ci dist)" >&2; exit 2; }
  wanted+=" ${!variable}"
done

installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' 2>/dev/null | awk '$1=="ii"{print $2}' | sort -u)
missing=$(comm -23 <(tr -s ' \n' '\n' <<<"$wanted" | sed '/^$/d' | sort -u) <(echo "$installed"))
[ -n "$missing" ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "setup: these packages are missing and neither root nor sudo is at hand:" $missing >&2; exit 4; }
  as_root=(sudo)
fi
echo "setup: installing" $missing >&2
"${as_root[@]}" apt-get update -qq || echo "setup: 'apt-get update' failed; trying with the lists at hand" >&2
options=(-y -qq --no-install-recommends)
[ "${ACCEPT_SETUP_MAY_REMOVE:-}" = 1 ] || options+=(--no-remove)
log=$(mktemp)
if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install "${options[@]}" $missing >"$log" 2>&1; then
  tail -n 15 "$log" >&2
  removals=$(apt-get install -s --no-install-recommends $missing 2>/dev/null | awk '$1=="Remv"{print $2}')
  if [ -n "$removals" ]; then
    echo "setup: installing them would REMOVE:" $removals >&2
    echo "setup: (Boost 1.81 replaces Debian 12's default Boost headers.) If that is fine here: ACCEPT_SETUP_MAY_REMOVE=1 make build" >&2
  fi
  echo "setup: apt-get failed; its whole output: $log" >&2
  exit 4
fi
rm -f "$log"
