#!/usr/bin/env bash
# What speaks MongoDB's protocol where no MongoDB can be installed: FerretDB over PostgreSQL with DocumentDB, both of
# Debian's and Go's own sources. Prints where they are; does nothing for what is there already.
# Needs root (chroot), Debian or Ubuntu, Go. Keeps about 590 MB in $PORTICO_MONGO_CACHE. Not to be had: set MONGO_URL.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin

cache=${PORTICO_MONGO_CACHE:-/var/cache/portico-mongo}
suites=${PORTICO_MONGO_SUITES:-forky sid} # tried in this order
postgres=18
ferretdb=v2.7.0
extension=1.0-0 # what this was tried with

root=$cache/rootfs
binary=$cache/bin/ferretdb-$ferretdb
say() { printf 'mongo-install: %s\n' "$*" >&2; }
fail() {
  say "$*"
  say 'set MONGO_URL to a MongoDB of yours to run the suites without this'
  exit 69
}

install_postgres() {
  [ -e "$root/.ready" ] && return
  if ! command -v debootstrap >/dev/null; then
    command -v apt-get >/dev/null || fail 'there is no apt-get: only Debian and Ubuntu are known'
    say 'installing debootstrap'
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap; } \
      >"$cache/apt.log" 2>&1 || fail "the package debootstrap is not to be had: $(tail -n 2 "$cache/apt.log")"
  fi
  local mirror suite made packages=postgresql-$postgres,postgresql-$postgres-documentdb,ca-certificates
  mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(SITE)' | grep -v security | head -n 1)}
  for suite in $suites; do
    say "fetching PostgreSQL $postgres with DocumentDB from Debian $suite"
    made=$cache/rootfs.$suite
    rm -rf "$made"
    # the script is named because an older debootstrap does not know the suite
    if debootstrap --variant=minbase --include="$packages" "$suite" "$made" "$mirror" /usr/share/debootstrap/scripts/sid \
      >"$cache/debootstrap.$suite.log" 2>&1 && [ -e "$made/usr/share/postgresql/$postgres/extension/documentdb.control" ]; then
      rm -rf "$made"/var/cache/apt/archives/*.deb "$made"/var/lib/apt/lists/* "$made"/usr/share/{doc,man,locale}/*
      chmod 1777 "$made/tmp" "$made/dev/shm"
      echo "$suite" >"$made/.ready"
      rm -rf "$root"
      mv "$made" "$root"
      return
    fi
    say "not from $suite: $(tail -n 2 "$cache/debootstrap.$suite.log" | tr '\n' ' ')"
    rm -rf "$made"
  done
  fail "the packages postgresql-$postgres and postgresql-$postgres-documentdb are not to be had from $suites at $mirror"
}

install_ferretdb() {
  [ -x "$binary" ] && return
  command -v go >/dev/null || fail 'there is no go, which builds FerretDB'
  say "building FerretDB $ferretdb"
  local made
  made=$(mktemp -d "$cache/go.XXXXXX")
  GOBIN=$made GOFLAGS=-buildvcs=false CGO_ENABLED=0 go install -ldflags='-s -w' \
    "github.com/FerretDB/FerretDB/v2/cmd/ferretdb@$ferretdb" >"$cache/go.log" 2>&1 ||
    fail "FerretDB $ferretdb cannot be built: $(tail -n 2 "$cache/go.log")"
  mkdir -p "$cache/bin"
  chmod 755 "$made/ferretdb"
  mv "$made/ferretdb" "$binary"
  rmdir "$made"
}

[ "$(id -u)" = 0 ] || fail 'only root can do this'
mkdir -p "$cache"
chmod 755 "$cache"
exec 9>"$cache/lock"
flock 9
install_postgres
install_ferretdb
find "$root/tmp" -maxdepth 1 -name 'pg.*' -mmin +1440 -exec rm -rf {} + # of runs that were killed
printf '{"root": "%s", "binaries": "/usr/lib/postgresql/%s/bin", "ferretdb": "%s", "extension": "%s"}\n' \
  "$root" "$postgres" "$binary" "$extension"
