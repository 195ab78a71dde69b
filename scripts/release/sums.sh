#!/bin/sh
# Adds the packages for npm, a bill of materials (CycloneDX) and checksums to out/release.
set -eu
cd "$(dirname "$0")/../.."

mkdir -p out/release
npm pack --silent --pack-destination out/release
npm run --silent client
(cd out/client && npm pack --silent --pack-destination ../release)
node scripts/release/sbom.ts > out/release/sbom.cdx.json
cd out/release
find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort | xargs sha256sum > SHA256SUMS
cat SHA256SUMS
