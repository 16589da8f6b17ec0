#!/usr/bin/env bash
# A private NocoDB for the tests: `nocodb.sh start DIR` prints its URL (for PLATEN_TEST_NOCODB_URL, with the name and
# password of its administrator), `nocodb.sh stop DIR` ends it and removes DIR, `nocodb.sh test` starts one, runs the
# tests that need it, and stops it. It is installed once, from npm, into PLATEN_NOCODB_CACHE (default .cache/nocodb, which
# git disregards): 1.4 GB, about four minutes, with the Node 22 that it needs. It listens on the loopback interface.
set -euo pipefail
cd "$(dirname "$0")/.."

version=0.301.3
node_version=22.22.0
cache=${PLATEN_NOCODB_CACHE:-$PWD/.cache/nocodb}
runtime=node-linux-$(node -p process.arch)
email=admin@example.com
password=Platen.tests.1

usage() {
  echo "usage: $0 start|stop DIR | test" >&2
  exit 2
}

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
    # No proxies, tokens or settings of whoever runs the tests. Webhooks may call the tests' own service.
    exec env -i HOME="$1" PATH="$PATH" NC_DISABLE_TELE=true NC_TOOL_DIR="$1" NC_ADMIN_EMAIL=$email \
      NC_ADMIN_PASSWORD=$password NC_AUTH_JWT_SECRET=for-tests-alone NC_ALLOW_LOCAL_HOOKS=true \
      "$cache/node_modules/$runtime/bin/node" "$cache/server.cjs" </dev/null >"$1/server.log" 2>&1
  ) &
  server=$!
  echo "$server" >"$1/pid"
}

start() { # DIR
  install_server
  mkdir -p "$1"
  launch "$1"
  for _ in $(seq 600); do
    port=$(sed -n 's/^port //p' "$1/server.log" 2>/dev/null || true)
    if [ -n "$port" ]; then
      echo "http://${email/@/%40}:$password@127.0.0.1:$port/"
      return
    fi
    kill -0 "$server" 2>/dev/null || break
    sleep 0.2
  done
  cat "$1/server.log" >&2
  exit 1
}

stop() { # DIR
  [ -d "$1" ] || return 0
  pid=$(cat "$1/pid" 2>/dev/null || true)
  if [ -n "$pid" ] && kill "$pid" 2>/dev/null; then
    for _ in $(seq 50); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.2
    done
    kill -KILL "$pid" 2>/dev/null || true
  fi
  rm -rf "$1"
}

run_tests() {
  work=$(mktemp -d)
  trap 'stop "$work"' EXIT
  PLATEN_TEST_NOCODB_URL=$(start "$work")
  export PLATEN_TEST_NOCODB_URL
  npx mocha 'test/plugins/nocodb/**/*.test.ts'
}

absolute() {
  case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac
}

case ${1:-} in
start) [ $# = 2 ] || usage && start "$(absolute "$2")" ;;
stop) [ $# = 2 ] || usage && stop "$(absolute "$2")" ;;
test) run_tests ;;
*) usage ;;
esac
