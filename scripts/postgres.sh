#!/usr/bin/env bash
# A private PostgreSQL for the tests: `postgres.sh start DIR` prints its URL (for PLATEN_TEST_POSTGRES_URL),
# `postgres.sh stop DIR` ends it and removes DIR. It has its own data folder, socket and port on the loopback interface,
# and disturbs no other server. As root it installs what is missing and runs as `postgres`.
set -euo pipefail

usage() {
  echo "usage: $0 start|stop DIR" >&2
  exit 2
}
[ $# = 2 ] || usage
command=$1
case $2 in /*) dir=$2 ;; *) dir=$PWD/$2 ;; esac

# Debian keeps the server's programs out of PATH, a folder for each version.
find_server() {
  for bin in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV); do
    PATH=$bin:$PATH
    break
  done
  command -v postgres >/dev/null
}

install_server() {
  if [ "$(id -u)" != 0 ]; then
    echo "postgres is not installed (Debian: apt-get install postgresql)." >&2
    exit 1
  fi
  apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql >&2
  find_server
}

# Root is refused by the server; anyone else runs it as themselves.
as_owner() {
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@"
  else
    "$@"
  fi
}

free_port() {
  node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

make_data_folder() {
  mkdir -p "$dir"
  [ "$(id -u)" != 0 ] || chown postgres "$dir"
  [ -d "$dir/data" ] || as_owner initdb --pgdata="$dir/data" --username=postgres --auth=trust \
    --no-sync >"$dir/install.log" 2>&1 || { cat "$dir/install.log" >&2; exit 1; }
}

is_ready() { # PORT
  as_owner pg_isready --quiet --host=127.0.0.1 --port="$1"
}

# Durability is of no use to tests: a crash of the machine may lose what they wrote.
start() {
  find_server || install_server
  if [ -f "$dir/url" ] && is_ready "$(cat "$dir/port")"; then
    cat "$dir/url"
    return
  fi
  make_data_folder
  port=$(free_port)
  as_owner pg_ctl start --wait --silent --pgdata="$dir/data" --log="$dir/data/server.log" \
    -o "-c listen_addresses=127.0.0.1 -p $port -k $dir -c fsync=off" </dev/null >/dev/null 2>&1 ||
    { cat "$dir/data/server.log" >&2; exit 1; }
  echo "$port" >"$dir/port"
  echo "postgres://postgres@127.0.0.1:$port/" | tee "$dir/url"
}

stop() {
  [ -d "$dir" ] || return 0
  if find_server && [ -f "$dir/data/postmaster.pid" ]; then
    as_owner pg_ctl stop --silent --mode=fast --pgdata="$dir/data" || true
  fi
  rm -rf "$dir"
}

case $command in
start) start ;;
stop) stop ;;
*) usage ;;
esac
