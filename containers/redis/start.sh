#!/bin/sh
# The password goes into a file in memory: a command line can be read by others.
set -eu
umask 077
printf 'requirepass "%s"\n' "$(cat /run/secrets/redis-password)" > /tmp/password.conf
exec redis-server /portico/redis.conf
