#!/bin/sh
# Builds the image of the executable in out/, and pushes it if a second argument says so:
#   scripts/release/image.sh ghcr.io/OWNER/memory-gateway:0.1.0-x64 push
set -eu
cd "$(dirname "$0")/../.."

name=$(printf %s "$1" | tr '[:upper:]' '[:lower:]') # an account may have capitals, an image may not
docker build --tag "$name" --file scripts/deploy/Dockerfile out
docker run --rm "$name" --version
if [ "${2:-}" = push ]; then docker push "$name"; fi
