#!/usr/bin/env bash
# Runs the tests of the nodes for n8n in n8n itself. It is installed once, from npm, into PLATEN_N8N_CACHE (default
# .cache/n8n, which git disregards), with its linter of community nodes: 3.2 GB, about ten minutes, with the Node 24 that it
# needs. It listens on the loopback interface.
set -euo pipefail
cd "$(dirname "$0")/.."

cache=${PLATEN_N8N_CACHE:-$PWD/.cache/n8n}
runtime=node-linux-$(node -p process.arch)
packages=$(cat <<END
{
  "name": "n8n-for-tests",
  "private": true,
  "dependencies": {
    "@n8n/eslint-plugin-community-nodes": "0.32.0",
    "eslint": "9.29.0",
    "n8n": "2.41.1",
    "$runtime": "24.21.0",
    "typescript": "5.8.3",
    "typescript-eslint": "8.35.0"
  }
}
END
)

# SQLite's driver is the only package that must be compiled.
if [ "$(cat "$cache/installed.json" 2>/dev/null)" != "$packages" ]; then
  mkdir -p "$cache"
  echo "$packages" >"$cache/package.json"
  echo "n8n.sh: installs n8n into $cache" >&2
  (
    cd "$cache"
    npm install --omit=dev --ignore-scripts --loglevel=error
    export PATH="$cache/node_modules/$runtime/bin:$PATH" npm_config_nodedir="$cache/node_modules/$runtime"
    npm rebuild sqlite3 --loglevel=error
    ln -sf "node_modules/$runtime/bin/node" node
  ) >&2
  echo "$packages" >"$cache/installed.json"
fi

PLATEN_TEST_N8N=$cache npx mocha test/connectors/n8n/in-n8n.test.ts
