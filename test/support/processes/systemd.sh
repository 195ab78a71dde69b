# Boots systemd as the first process of namespaces of its own, on a copy of this system that is thrown away.
# In FOLDER the copy is made; SHARED is its /srv. No unit is there but those that are put there.
set -e
FOLDER=$1 SHARED=$2 root=$FOLDER/root
mount --make-rprivate /
ip link set lo up
mount -t tmpfs tmpfs "$FOLDER"
mkdir "$FOLDER"/{upper,work,root}
mount -t overlay overlay -o "lowerdir=/,upperdir=$FOLDER/upper,workdir=$FOLDER/work" "$root"
mount -t proc proc "$root/proc"
mount --bind "$root/proc/sys" "$root/proc/sys"
mount -o remount,bind,ro "$root/proc/sys"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 none "$root/sys/fs/cgroup"
mount -t tmpfs tmpfs "$root/run"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount --bind "$SHARED" "$root/srv"
mount -t tmpfs tmpfs "$root/dev"
for device in null zero full random urandom tty; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
# What starts with systems: none of it has a place here.
units=$root/etc/systemd/system
rm -rf "$units"/* "$root"/lib/systemd/system/*.wants "$root"/lib/systemd/system-generators/* "$root"/etc/init.d/*
rm -f "$root"/lib/systemd/system/{dev-*,sys-*}.mount "$root"/lib/systemd/system/*.automount
for target in sysinit basic booted; do
  printf '[Unit]\nDefaultDependencies=no\n' >"$units/$target.target"
done
# There is no journal.
mkdir "$units/service.d"
printf '[Service]\nStandardOutput=append:/var/log/units.log\nStandardError=inherit\n' >"$units/service.d/log.conf"
mkdir -p "$root/old"
cd "$root"
pivot_root . old
export container=test
exec chroot . sh -c 'umount -l /old && exec /lib/systemd/systemd --system --unit=booted.target --show-status=no'
