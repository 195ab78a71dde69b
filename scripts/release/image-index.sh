#!/bin/sh
# Joins the images of both processors under one name: scripts/release/image-index.sh ghcr.io/OWNER/memory-gateway v0.1.0
# It becomes "latest" as well, unless it is a prerelease such as v0.2.0-rc.1.
set -eu

name=$(printf %s "$1" | tr '[:upper:]' '[:lower:]') # an account may have capitals, an image may not
tag=$2
set -- --tag "$name:$tag"
case $tag in
  *-*) ;;
  *) set -- "$@" --tag "$name:latest" ;;
esac
docker buildx imagetools create "$@" "$name:$tag-x64" "$name:$tag-arm64"
