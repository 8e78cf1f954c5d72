#!/bin/sh
# Downloads Debian's source package chipmunk 7.0.3 into $1/apt, with apt's own checks.
# The system's package lists stay as they are: the deb-src list, the lists' state and the cache all live in $1/apt.
set -eu
dir="$1/apt"
rm -rf "$dir"
mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial" "$dir/sources"
cd "$dir"

# The machine's own Debian sources, asked for source packages instead of binary ones.
for file in /etc/apt/sources.list.d/*.sources; do
  [ -e "$file" ] && grep -qi 'debian' "$file" && ! grep -qi 'nodesource' "$file" &&
    sed 's/^Types:.*/Types: deb-src/' "$file" > "sources/$(basename "$file")"
done
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [ -e "$file" ] && grep -E '^deb .*debian' "$file" | sed 's/^deb /deb-src /' > "sources/$(basename "$file" .list).list"
done

set -- -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$dir/sources" \
  -o Dir::State::lists="$dir/lists" -o Dir::Cache="$dir/cache" -o APT::Sandbox::User=root -o Acquire::Retries=3
apt-get "$@" -qq update
apt-get "$@" -qq source --download-only chipmunk=7.0.3-5 || apt-get "$@" -qq source --download-only chipmunk
