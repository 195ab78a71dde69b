#!/bin/sh
# Creates the release of a tag on GitHub with the files of out/release and the notes of CHANGELOG.md.
set -eu
cd "$(dirname "$0")/../.."

notes=$(mktemp)
node scripts/release/notes.ts "$1" > "$notes"
case $1 in
  *-*) kind=--prerelease ;;
  *) kind=--latest ;;
esac
gh release create "$1" "$kind" --verify-tag --title "$1" --notes-file "$notes" out/release/*
rm "$notes"
