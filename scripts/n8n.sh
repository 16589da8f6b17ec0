#!/usr/bin/env bash
# Runs the tests of the recipe for n8n with n8n itself. It is installed once, from npm, into PLATEN_N8N_CACHE (default
# .cache/n8n, which git disregards): 2.9 GB, about ten minutes, with the Node 24 that it needs. It listens on the loopback
# interface.
set -euo pipefail
cd "$(dirname "$0")/.."

version=2.41.1
node_version=24.21.0
cache=${PLATEN_N8N_CACHE:-$PWD/.cache/n8n}
runtime=node-linux-$(node -p process.arch)

# SQLite's driver is the only package that must be compiled.
if [ ! -f "$cache/installed-$version" ]; then
  mkdir -p "$cache"
  cat >"$cache/package.json" <<END
{
  "name": "n8n-for-tests",
  "private": true,
  "dependencies": { "n8n": "$version", "$runtime": "$node_version" }
}
END
  echo "n8n.sh: installs n8n $version into $cache" >&2
  (
    cd "$cache"
    npm install --omit=dev --ignore-scripts --loglevel=error
    export PATH="$cache/node_modules/$runtime/bin:$PATH" npm_config_nodedir="$cache/node_modules/$runtime"
    npm rebuild sqlite3 --loglevel=error
    ln -sf "node_modules/$runtime/bin/node" node
  ) >&2
  touch "$cache/installed-$version"
fi

PLATEN_TEST_N8N=$cache npx mocha test/docs/recipes/n8n.test.ts
