#!/usr/bin/env bash
# A private Directus for the tests: `start DIR` (prints PLATEN_TEST_DIRECTUS_URL), `stop DIR` or `test`. It is installed
# into PLATEN_DIRECTUS_CACHE (default .cache/directus, which git disregards): 700 MB, about four minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

version=12.4.1
cache=${PLATEN_DIRECTUS_CACHE:-$PWD/.cache/directus}
email=admin@example.com
password=Platen.tests.1
url_variable=PLATEN_TEST_DIRECTUS_URL
tests='test/plugins/directus/**/*.test.ts'
port_pattern='s/.*Server started at .*:\([0-9]*\)$/\1/p'
. scripts/npm-server.sh

# The app is only what people see in the browser; not every version of it is in the registry. Only flows and extensions use
# isolated-vm, which takes minutes to compile. SQLite's driver is the only package that must be compiled.
install_server() {
  [ -f "$cache/installed-$version" ] && return
  mkdir -p "$cache/isolated-vm"
  cat >"$cache/package.json" <<EOF
{
  "name": "directus-for-tests",
  "private": true,
  "dependencies": { "directus": "$version" },
  "overrides": { "@directus/app": "18.0.0", "isolated-vm": "file:./isolated-vm" }
}
EOF
  echo '{ "name": "isolated-vm", "version": "5.0.3" }' >"$cache/isolated-vm/package.json"
  echo 'module.exports = {};' >"$cache/isolated-vm/index.js"
  echo "directus.sh: installs Directus $version into $cache" >&2
  (cd "$cache" && npm install --omit=dev --ignore-scripts --loglevel=error && npm rebuild sqlite3 --loglevel=error) >&2
  touch "$cache/installed-$version"
}

launch() { # DIR
  local cli=$cache/node_modules/directus/cli.js
  (
    cd "$1"
    mkdir -p uploads extensions
    # No proxies, tokens or settings of the person who runs the tests.
    settings=(env -i HOME="$1" PATH="$PATH" HOST=127.0.0.1 PORT=0 DB_CLIENT=sqlite3 DB_FILENAME="$1/data.db"
      SECRET=for-tests-alone ADMIN_EMAIL=$email ADMIN_PASSWORD=$password TELEMETRY=false PRESSURE_LIMITER_ENABLED=false)
    "${settings[@]}" node "$cli" bootstrap </dev/null >server.log 2>&1
    exec "${settings[@]}" node "$cli" start </dev/null >>server.log 2>&1
  ) &
  server=$!
}

main "$@"
