#!/bin/sh
# SPDX-License-Identifier: MIT
# fetch_with_apt.sh ARCHIVE PACKAGE VERSION downloads the upstream archive of a Debian source package, with apt's own
# checks. It does not change the system's package lists: the deb-src list, the lists' state and the cache are in a
# temporary folder beside ARCHIVE.
set -eu
archive="$1"
dir="${1%/*}/apt"
package="$2"
version="$3"
command -v apt-get > /dev/null || { echo "E: there is no apt-get on this machine"; exit 1; }
trap 'rm -rf "$dir"' EXIT
rm -rf "$dir"
mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial" "$dir/sources"
cd "$dir"

# Uses the machine's own Debian sources (a mirror's path contains "debian", the package is in "main"), for source
# packages instead of binary ones.
for file in /etc/apt/sources.list.d/*.sources; do
  [ -e "$file" ] || continue
  awk 'BEGIN { RS = ""; ORS = "\n\n" }
       /(^|\n)URIs:[^\n]*\/debian/ && /(^|\n)Components:[^\n]*main/ {
         sub(/(^|\n)Types:[^\n]*/, "\nTypes: deb-src"); sub(/^\n/, ""); print
       }' "$file" > "sources/${file##*/}"
done
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [ -e "$file" ] || continue
  sed -n 's|^deb[[:space:]]\(.*:/[^[:space:]]*/debian.*[[:space:]]main\)|deb-src \1|p' "$file" > "sources/${file##*/}"
done
grep -qs . sources/* || { echo "E: no list in /etc/apt names a Debian mirror"; exit 1; }

set -- -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$dir/sources" \
  -o Dir::State::lists="$dir/lists" -o Dir::Cache="$dir/cache" -o APT::Sandbox::User=root -o Acquire::Retries=3
# Another vendor's list that resembles Debian's may fail. Only the source package matters.
apt-get "$@" -qq update || true
apt-get "$@" -qq source --download-only "$package=$version" || apt-get "$@" -qq source --download-only "$package"
mv ./*.orig.tar.* "$archive"
