# For `.ci/run` and `.ci/weekly`: a folder `$work` that is removed at the end, and `start_servers`.
work=$(mktemp -d)
chmod 755 "$work"
stop_servers() {
  for server in mariadb postgres s3; do
    [ ! -d "$work/$server" ] || bash "scripts/$server.sh" stop "$work/$server" || true
  done
  rm -rf "$work"
}
trap stop_servers EXIT

missing=()
needs() { # COMMAND PACKAGE…: adds the Debian packages when the command is missing
  command -v "$1" >/dev/null || [ -x "/usr/sbin/$1" ] || missing+=("${@:2}")
}

# Installs what the tests use beside npm's packages, starts the servers, and exports their addresses.
start_servers() {
  needs mariadbd mariadb-server
  find /usr/lib/postgresql -name initdb 2>/dev/null | grep -q . || missing+=(postgresql)
  needs swift-proxy-server swift-proxy swift-account swift-container swift-object
  needs memcached memcached
  needs curl curl
  [ -x /usr/lib/openssh/sftp-server ] || missing+=(openssh-sftp-server)
  needs firefox-esr firefox-esr
  needs javac default-jdk-headless
  needs mvn maven
  [ $# = 0 ] || needs "$@"
  if [ ${#missing[@]} -gt 0 ]; then
    local sudo=""
    [ "$(id -u)" = 0 ] || sudo="sudo"
    $sudo apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  fi
  PLATEN_TEST_MYSQL_URL=$(bash scripts/mariadb.sh start "$work/mariadb")
  PLATEN_TEST_POSTGRES_URL=$(bash scripts/postgres.sh start "$work/postgres")
  PLATEN_TEST_S3_URL=$(bash scripts/s3.sh start "$work/s3")
  PLATEN_TEST_FIREFOX=$(command -v firefox-esr)
  export PLATEN_TEST_MYSQL_URL PLATEN_TEST_POSTGRES_URL PLATEN_TEST_S3_URL PLATEN_TEST_FIREFOX
}
