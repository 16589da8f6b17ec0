#!/usr/bin/env bash
# A private MariaDB for the tests: `mariadb.sh start DIR` prints its URL (for PLATEN_TEST_MYSQL_URL), `mariadb.sh stop
# DIR` ends it and removes DIR. It has its own data folder, socket and port on the loopback interface, reads no
# configuration of the machine, and disturbs no other server. As root it installs what is missing and runs as `mysql`.
set -euo pipefail

usage() {
  echo "usage: $0 start|stop DIR" >&2
  exit 2
}
[ $# = 2 ] || usage
command=$1
case $2 in /*) dir=$2 ;; *) dir=$PWD/$2 ;; esac
PATH=$PATH:/usr/sbin:/usr/local/sbin

install_server() {
  if [ "$(id -u)" != 0 ]; then
    echo "mariadbd is not installed (Debian: apt-get install mariadb-server)." >&2
    exit 1
  fi
  apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends mariadb-server >&2
}

# Root is refused by the server; anyone else runs it as themselves.
as_owner() {
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid=mysql --regid=mysql --clear-groups -- "$@"
  else
    "$@"
  fi
}

free_port() {
  node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

make_data_folder() {
  mkdir -p "$dir"
  [ "$(id -u)" != 0 ] || chown mysql "$dir"
  [ -d "$dir/data/mysql" ] || as_owner mariadb-install-db --no-defaults --datadir="$dir/data" \
    --auth-root-authentication-method=normal --skip-test-db >"$dir/install.log" 2>&1 ||
    { cat "$dir/install.log" >&2; exit 1; }
}

# A crash of the machine may lose what tests wrote; one of the server alone loses nothing.
launch() { # PORT
  as_owner setsid mariadbd --no-defaults --datadir="$dir/data" --socket="$dir/socket" \
    --pid-file="$dir/pid" --bind-address=127.0.0.1 --port="$1" --skip-name-resolve \
    --innodb-buffer-pool-size=64M --innodb-flush-log-at-trx-commit=2 --skip-log-bin \
    </dev/null >"$dir/server.log" 2>&1 &
  server=$!
}

is_ready() { # PORT
  mariadb-admin --no-defaults --protocol=tcp -h127.0.0.1 -P"$1" -uroot ping >/dev/null 2>&1
}

start() {
  command -v mariadbd >/dev/null || install_server
  if [ -f "$dir/url" ] && is_ready "$(cat "$dir/port")"; then
    cat "$dir/url"
    return
  fi
  make_data_folder
  # After a crash, those who know the address find the server there again.
  port=$(cat "$dir/port" 2>/dev/null || free_port)
  launch "$port"
  for _ in $(seq 300); do
    if is_ready "$port"; then
      echo "$port" >"$dir/port"
      echo "mysql://root@127.0.0.1:$port/" | tee "$dir/url"
      return
    fi
    kill -0 "$server" 2>/dev/null || break
    sleep 0.2
  done
  cat "$dir/server.log" >&2
  exit 1
}

stop() {
  [ -d "$dir" ] || return 0
  if [ -f "$dir/pid" ]; then
    pid=$(cat "$dir/pid")
    kill "$pid" 2>/dev/null || true
    for _ in $(seq 150); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.2
    done
    ! kill -0 "$pid" 2>/dev/null || kill -KILL "$pid"
  fi
  rm -rf "$dir"
}

case $command in
start) start ;;
stop) stop ;;
*) usage ;;
esac
