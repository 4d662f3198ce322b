#!/usr/bin/env bash
# Dumps the database of DATABASE_URL into a folder, in PostgreSQL's custom format; prints the file's name.
# Dumps older than KEEP_DAYS (30) are removed once the new one is whole.
# usage: deploy/backup.sh FOLDER
set -euo pipefail
umask 077

folder=${1:?usage: deploy/backup.sh FOLDER}
: "${DATABASE_URL:?}"
mkdir -p "$folder"

file="$folder/nardy-$(date -u +%Y%m%dT%H%M%SZ).dump"
trap 'rm -f "$file.part"' EXIT
pg_dump --dbname="$DATABASE_URL" --format=custom --no-owner --no-privileges --file="$file.part"
pg_restore --list "$file.part" >/dev/null # a torn file has no list
mv "$file.part" "$file"

find "$folder" -name 'nardy-*.dump' -mtime "+${KEEP_DAYS:-30}" -delete
echo "$file"
