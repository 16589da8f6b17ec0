#!/usr/bin/env bash
# A private NocoDB for the tests: `start DIR` (prints PLATEN_TEST_NOCODB_URL), `stop DIR` or `test`. It is installed into
# PLATEN_NOCODB_CACHE (default .cache/nocodb, which git disregards): 1.4 GB, about four minutes, with the Node 22 that it
# needs.
set -euo pipefail
cd "$(dirname "$0")/.."

version=0.301.3
node_version=22.22.0
cache=${PLATEN_NOCODB_CACHE:-$PWD/.cache/nocodb}
runtime=node-linux-$(node -p process.arch)
email=admin@example.com
password=Platen.tests.1
url_variable=PLATEN_TEST_NOCODB_URL
tests='test/plugins/nocodb/**/*.test.ts'
port_pattern='s/^port //p'
. scripts/npm-server.sh

# The overridden version is the last one in the registry. SQLite's driver is the only package that must be compiled.
install_server() {
  [ -f "$cache/installed-$version" ] && return
  mkdir -p "$cache"
  cat >"$cache/package.json" <<EOF
{
  "name": "nocodb-for-tests",
  "private": true,
  "dependencies": { "nocodb": "$version", "$runtime": "$node_version", "express": "4.21.2" },
  "overrides": { "xlsx": "0.18.5" }
}
EOF
  cat >"$cache/server.cjs" <<'EOF'
const express = require("express");
const { Noco } = require("nocodb");
const app = express();
const server = app.listen(0, "127.0.0.1", async () => {
  app.use(await Noco.init({}, server, app));
  console.log(`port ${server.address().port}`);
});
EOF
  echo "nocodb.sh: installs NocoDB $version into $cache" >&2
  (cd "$cache" && npm install --omit=dev --ignore-scripts --loglevel=error && npm rebuild sqlite3 --loglevel=error) >&2
  touch "$cache/installed-$version"
}

launch() { # DIR
  (
    cd "$1"
    # No proxies, tokens or settings of the person who runs the tests. Webhooks may call the tests' own service.
    exec env -i HOME="$1" PATH="$PATH" NC_DISABLE_TELE=true NC_TOOL_DIR="$1" NC_ADMIN_EMAIL=$email \
      NC_ADMIN_PASSWORD=$password NC_AUTH_JWT_SECRET=for-tests-alone NC_ALLOW_LOCAL_HOOKS=true \
      "$cache/node_modules/$runtime/bin/node" "$cache/server.cjs" </dev/null >"$1/server.log" 2>&1
  ) &
  server=$!
}

main "$@"
