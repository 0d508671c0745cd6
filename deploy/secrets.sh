#!/bin/sh
# Makes the passwords of compose.yaml in the folder `secrets`, once. Compose mounts each file as it is, so the users
# inside the containers must be able to read it; on this machine, the folder keeps others out.
set -eu
umask 022
mkdir -m 700 secrets
cd secrets
password() { od -An -tx1 -N24 /dev/urandom | tr -d ' \n'; }
password >postgres_password
password >redis_password
echo "postgres://svc:$(cat postgres_password)@postgres:5432/svc" >database_url
echo "redis://:$(cat redis_password)@redis:6379" >redis_url
echo "requirepass $(cat redis_password)" >redis_conf
