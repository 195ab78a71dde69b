#!/bin/sh
# Publishes both packages of out/release to npm, with provenance. "--dry-run" publishes nothing.
set -eu
cd "$(dirname "$0")/../../out/release"

for file in memory-gateway-[0-9]*.tgz memory-gateway-client-*.tgz; do
  npm publish "./$file" --access public --provenance "$@"
done
