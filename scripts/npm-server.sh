# What the scripts of private servers for the tests share, sourced by each of them. `SCRIPT start DIR` prints the server's
# URL, with the name and password of its administrator; `SCRIPT stop DIR` ends it and removes DIR; `SCRIPT test` starts one,
# runs the tests that need it, and stops it. A server is installed once, from npm, into $cache, and listens on the loopback
# interface. A script sets `email`, `password`, `url_variable`, `tests` and `port_pattern` (of sed, for the line of the log
# that names the port), and defines `install_server` and `launch DIR`, which sets `server` to its process.

usage() {
  echo "usage: $0 start|stop DIR | test" >&2
  exit 2
}

start() { # DIR
  install_server
  mkdir -p "$1"
  launch "$1"
  echo "$server" >"$1/pid"
  for _ in $(seq 600); do
    port=$(sed -n "$port_pattern" "$1/server.log" 2>/dev/null || true)
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
  url=$(start "$work")
  export "$url_variable=$url"
  npx mocha "$tests"
}

absolute() {
  case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac
}

main() {
  case ${1:-} in
  start) [ $# = 2 ] || usage && start "$(absolute "$2")" ;;
  stop) [ $# = 2 ] || usage && stop "$(absolute "$2")" ;;
  test) run_tests ;;
  *) usage ;;
  esac
}
