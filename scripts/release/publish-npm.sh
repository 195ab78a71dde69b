#!/bin/sh
# Publishes both packages of out/release to npm, with provenance. "--dry-run" publishes nothing.
# A prerelease such as 0.2.0-rc.1 is tagged "next", so that nobody gets it without asking.
set -eu
cd "$(dirname "$0")/../../out/release"

for file in memory-gateway-[0-9]*.tgz memory-gateway-client-*.tgz; do
  case $file in
    *-[0-9]*-*) tag=next ;;
    *) tag=latest ;;
  esac
  npm publish "./$file" --access public --provenance --tag "$tag" "$@"
done
