# Starts Docker in namespaces of its own: no network but its own, and all that it writes is in memory and gone with it.
# The socket is in FOLDER, which is empty outside, so nobody can take another engine of this machine for this one.
# In FOLDER, `base.tar` becomes the image debian:12-slim, from the packages of this system.
set -e
FOLDER=$1
mount --make-rprivate /
ip link set lo up
mount -t tmpfs tmpfs "$FOLDER"
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /srv

# The essential packages, what the Dockerfile installs, and all that they need. Without sources, apt asks nobody.
packages=$(apt-cache depends --installed --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
  --no-replaces --no-enhances apt bash coreutils dash dpkg findutils grep gzip libc-bin perl-base sed tar libatomic1 libstdc++6 |
  grep '^[a-z]' | sort -u)
# shellcheck disable=SC2086
dpkg-query --show --showformat '${db:Status-Abbrev}${binary:Package}\n' $packages 2>/dev/null |
  sed -n 's/^ii *//p' | xargs dpkg-query --listfiles |
  grep -vE '^/usr/share/(man|doc|locale|info|lintian)|^/etc/apt/sources|^package diverts|^diverted by' |
  sed -E 's#^/(bin|sbin|lib|lib64)(/|$)#/usr/\1\2#' | sort -u >"$FOLDER/files"
tar --create --file "$FOLDER/base.tar" --no-recursion --ignore-failed-read --files-from "$FOLDER/files" \
  /bin /sbin /lib /lib64 /etc/passwd /etc/group /var/lib/dpkg/status 2>/dev/null
mkdir "$FOLDER/data"
exec dockerd --data-root "$FOLDER/data" --exec-root /run/docker --pidfile /run/docker.pid \
  --host "unix://$FOLDER/docker.sock" --log-level warn
