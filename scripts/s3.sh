#!/usr/bin/env bash
# A private S3-compatible server for the tests: OpenStack Swift with its S3 door. `s3.sh start DIR` prints its address
# (for PLATEN_TEST_S3_URL), `s3.sh stop DIR` ends it and removes DIR. One copy of everything, on loopback ports of its
# own; it reads no configuration of the machine. As root it installs what is missing.
set -euo pipefail

usage() {
  echo "usage: $0 start|stop DIR" >&2
  exit 2
}
[ $# = 2 ] || usage
command=$1
case $2 in /*) dir=$2 ;; *) dir=$PWD/$2 ;; esac

install_server() {
  if [ "$(id -u)" != 0 ]; then
    echo "Swift is not installed (Debian: apt-get install swift-proxy swift-account swift-container swift-object memcached)." >&2
    exit 1
  fi
  apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    swift-proxy swift-account swift-container swift-object memcached >&2
}

free_ports() { # COUNT
  node -e '
    const servers = Array.from({ length: +process.argv[1] }, () => require("node:net").createServer().listen(0, "127.0.0.1"));
    setTimeout(() => { console.log(servers.map((s) => s.address().port).join(" ")); servers.forEach((s) => s.close()); }, 50);
  ' "$1"
}

write_backend() { # KIND PORT
  cat >"$dir/$1-server.conf" <<CONF
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $2
user = $(id -un)
swift_dir = $dir
devices = $dir/devices
mount_check = false
workers = 0
recon_cache_path = $dir/cache
[pipeline:main]
pipeline = $1-server
[app:$1-server]
use = egg:swift#$1
fallocate_reserve = 0
CONF
  (
    cd "$dir"
    swift-ring-builder "$1.builder" create 4 1 1
    swift-ring-builder "$1.builder" add "r1z1-127.0.0.1:$2/d1" 1
    swift-ring-builder "$1.builder" rebalance
  ) >>"$dir/rings.log"
}

write_proxy() { # PORT MEMCACHED_PORT
  cat >"$dir/proxy-server.conf" <<CONF
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $1
user = $(id -un)
swift_dir = $dir
workers = 0
[pipeline:main]
pipeline = catch_errors cache listing_formats bulk s3api tempauth slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:$2
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[filter:tempauth]
use = egg:swift#tempauth
user_test_platen = platen-secret .admin
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
s3_acl = false
CONF
  cat >"$dir/swift.conf" <<CONF
[swift-hash]
swift_hash_path_suffix = platen
[storage-policy:0]
name = default
default = yes
CONF
}

# Each server reads the folder's own swift.conf instead of the machine's.
launch() { # SERVER
  SWIFT_CONF="$dir/swift.conf" setsid /usr/bin/python3 -c '
import os, sys
from swift.common import utils
utils.SWIFT_CONF_FILE = os.environ["SWIFT_CONF"]
from swift.common.storage_policy import reload_storage_policies
utils.SWIFT_CONF_FILE = os.environ["SWIFT_CONF"]
reload_storage_policies()
from swift.common.wsgi import run_wsgi
sys.exit(run_wsgi(sys.argv[1], sys.argv[2], verbose=True))
' "$dir/$1-server.conf" "$1-server" </dev/null >"$dir/$1.log" 2>&1 &
  echo $! >>"$dir/pids"
}

launch_memcached() { # PORT
  setsid memcached -l 127.0.0.1 -p "$1" -m 16 -u nobody </dev/null >"$dir/memcached.log" 2>&1 &
  echo $! >>"$dir/pids"
}

is_ready() { # PORT
  [ "$(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$1/" || true)" != 000 ]
}

start() {
  command -v swift-proxy-server >/dev/null && command -v memcached >/dev/null || install_server
  if [ -f "$dir/url" ] && is_ready "$(cat "$dir/port")"; then
    cat "$dir/url"
    return
  fi
  mkdir -p "$dir/devices/d1" "$dir/cache"
  read -r account container object proxy memcached <<<"$(free_ports 5)"
  write_backend account "$account"
  write_backend container "$container"
  write_backend object "$object"
  write_proxy "$proxy" "$memcached"
  launch_memcached "$memcached"
  for server in account container object proxy; do launch "$server"; done
  for _ in $(seq 150); do
    if is_ready "$proxy"; then
      echo "$proxy" >"$dir/port"
      echo "s3://test%3Aplaten:platen-secret@platen-tests?endpoint=http://127.0.0.1:$proxy&region=us-east-1" | tee "$dir/url"
      return
    fi
    sleep 0.2
  done
  cat "$dir"/*.log >&2
  exit 1
}

stop() {
  [ -d "$dir" ] || return 0
  while read -r pid; do kill -- "-$pid" 2>/dev/null || kill "$pid" 2>/dev/null || true; done <"$dir/pids"
  rm -rf "$dir"
}

case $command in
start) start ;;
stop) stop ;;
*) usage ;;
esac
