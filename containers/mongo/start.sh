#!/bin/bash
# mongod as a replica set of one member, with a key file; initiate.js makes the set and its accounts at the first start.
set -euo pipefail

install -m 0400 /run/secrets/mongo-key /tmp/mongo-key # mongod refuses a key that others can read, and a mounted secret can be

# in a shell of its own, so that its end is not left to mongod
( (
  for _ in $(seq 120); do
    HOME=/tmp mongosh --quiet --norc mongodb://127.0.0.1:27017/admin /portico/initiate.js && exit 0
    sleep 1
  done
  echo 'the replica set could not be initiated within two minutes' >&2
) & )

exec mongod --replSet portico --keyFile /tmp/mongo-key --bind_ip_all --dbpath /data/db --quiet
