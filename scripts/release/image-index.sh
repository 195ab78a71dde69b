#!/bin/sh
# Joins the images of both processors under one name: scripts/release/image-index.sh ghcr.io/OWNER/memory-gateway 0.1.0
set -eu

docker buildx imagetools create --tag "$1:$2" --tag "$1:latest" "$1:$2-x64" "$1:$2-arm64"
