#!/bin/sh
# Builds the image of the executable in out/, and pushes it if a second argument says so:
#   scripts/release/image.sh ghcr.io/OWNER/memory-gateway:0.1.0-x64 push
set -eu
cd "$(dirname "$0")/../.."

docker build --tag "$1" --file scripts/deploy/Dockerfile out
docker run --rm "$1" --version
if [ "${2:-}" = push ]; then docker push "$1"; fi
