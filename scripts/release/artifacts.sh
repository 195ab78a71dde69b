#!/bin/sh
# Builds what a release offers for this platform into out/release: the executable, and the Debian package on Debian.
# Run it from a clone after "npm ci".
set -eu
cd "$(dirname "$0")/../.."

version=$(node --print 'require("./package.json").version')
platform=$(node --print '`${process.platform}-${process.arch}`')
mkdir -p out/release
npm run --silent build
npm run --silent binary -- --output out
out/memory-gateway --version
cp out/memory-gateway "out/release/memory-gateway-$version-$platform"
if command -v dpkg-deb >/dev/null; then
  npm run --silent deb -- --output out/release
fi
