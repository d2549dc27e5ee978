"""Programs that try the walls: files, network, kernel, other processes. Each prints one JSON object of what it got.

They are run inside a sandbox only. `PRELUDE` gives them `attempt`, which tells an error's name from a success, and
system calls by number, so that no library is between the program and the kernel.
"""

from __future__ import annotations

PRELUDE = '''
import ctypes, errno, json, os, platform, sys

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
ARM = platform.machine() == "aarch64"


def attempt(call, *args):
    """ "ok" or the name of the error."""
    try:
        call(*args)
    except OSError as error:
        return errno.errorcode.get(error.errno, type(error).__name__)
    except Exception as error:
        return type(error).__name__
    return "ok"


def system(x86, arm, *args):
    """A system call by its number: "ok" or the name of the error."""
    ctypes.set_errno(0)
    result = libc.syscall(
        ctypes.c_long(arm if ARM else x86), *[ctypes.c_long(a) if isinstance(a, int) else a for a in args]
    )
    return "ok" if result >= 0 else errno.errorcode[ctypes.get_errno()]


def status(pid="self"):
    return dict(line.split(":", 1) for line in open("/proc/%s/status" % pid).read().splitlines())


def say(**found):
    print(json.dumps(found))
'''

WRITE_ROOT = """
def put(folder):
    with open(os.path.join(folder, "planted"), "w") as file:
        file.write("x")


stdlib, binary = os.path.dirname(os.__file__), sys._base_executable
folders = [
    "/",
    "/etc",
    "/usr",
    "/usr/lib",
    "/bin",
    "/lib",
    "/dev",
    "/proc",
    "/proc/sys",
    "/proc/self",
    "/sys",
    "/root",
    "/home",
    "/var",
    "/run",
    "/opt",
    "/harness",
    "/site",
    "/site/requests",
    stdlib,
    os.path.dirname(binary),
]
found = {folder: attempt(put, folder) for folder in folders}
found["overwrite harness"] = attempt(open, "/harness/supervisor.py", "a")
found["overwrite library"] = attempt(open, "/site/requests/__init__.py", "a")
found["overwrite stdlib"] = attempt(open, os.__file__, "a")
found["overwrite interpreter"] = attempt(open, binary, "a")
found["remove harness"] = attempt(os.unlink, "/harness/wire.py")
found["move site"] = attempt(os.rename, "/site", "/moved")
found["open harness up"] = attempt(os.chmod, "/harness/wire.py", 0o777)
found["touch stdlib"] = attempt(os.utime, os.__file__)
found["new folder"] = attempt(os.mkdir, "/new")
found["link in root"] = attempt(os.symlink, "/tmp", "/here")
say(denied=found, allowed={folder: attempt(put, folder) for folder in (".", "/tmp", "/dev/shm")})
"""

KERNEL_FILES = """
names = [
    "sys/kernel/core_pattern",
    "sys/kernel/modprobe",
    "sys/kernel/hotplug",
    "sys/vm/overcommit_memory",
    "sysrq-trigger",
    "sys/user/max_user_namespaces",
    "sys/kernel/ns_last_pid",
    "sys/net/ipv4/ip_forward",
    "1/oom_score_adj",
    "1/clear_refs",
    "1/mem",
    "kcore",
    "kmem",
    "sys/fs/binfmt_misc/register",
]
found = {name: attempt(os.open, "/proc/" + name, os.O_WRONLY) for name in names}
for name in (
    "/sys/kernel/uevent_helper",
    "/sys/fs/cgroup/release_agent",
    "/dev/mem",
    "/dev/kmsg",
    "/dev/sda",
    "/dev/vda",
    "/dev/fuse",
    "/dev/kvm",
    "/dev/net/tun",
    "/dev/loop0",
):
    found[name] = attempt(os.open, name, os.O_RDWR)
say(denied=found)
"""

SECRETS = """
secret, checkout = sys.argv[1], sys.argv[2]
names = [
    "/etc/shadow",
    "/etc/passwd",
    "/etc/hostname",
    "/etc/hosts",
    "/etc/resolv.conf",
    "/etc/machine-id",
    "/var/run/docker.sock",
    "/run/docker.sock",
    "/root/.bashrc",
    "/root/.ssh/id_rsa",
    "/home",
    "/var/log",
    "/proc/1/environ",
    "/proc/1/mem",
    "/proc/1/maps",
    "/proc/key-users",
    "/proc/1/cwd",
    "/proc/1/fd/0",
    "/proc/1/fd/1",
    "/proc/keys",
    "/proc/kcore",
    secret,
    checkout,
    checkout + "/pyproject.toml",
    checkout + "/scrapewright/cli.py",
    os.path.expanduser("~root/.profile"),
]


def look(name):
    content = os.listdir(name) if os.path.isdir(name) else open(name, errors="replace").read(4096)
    if not content:
        raise FileNotFoundError(errno.ENOENT, name)  # a file may be closed by laying an empty one over it
    read[name] = content


read = {}
processes = [int(name) for name in os.listdir("/proc") if name.isdigit()]
environments = b""
for process in processes:
    try:
        environments += open("/proc/%d/environ" % process, "rb").read()
    except OSError:
        pass
say(
    denied={name: attempt(look, name) for name in names},
    read=read,
    environment=dict(os.environ),
    processes=processes,
    pid=os.getpid(),
    leaked="PLANTED" in environments.decode(errors="replace"),
    home=sorted(os.listdir(os.path.expanduser("~"))),
    modules=sorted(
        {name.partition(".")[0] for name in sys.modules} & {"scrapewright", "textual", "msgspec", "openai"}
    ),
    importable=[
        name
        for name in ("scrapewright", "textual", "openai", "docker", "msgspec", "pip", "setuptools", "pytest")
        if __import__("importlib.util").util.find_spec(name)
    ],
    descriptors=sorted(int(name) for name in os.listdir("/proc/self/fd")),
)
"""

DESCRIPTORS = """
targets = {}
for number in os.listdir("/proc/self/fd"):
    try:
        targets[number] = os.readlink("/proc/self/fd/" + number)
    except OSError:
        pass
say(**targets)
"""

ESCAPES = """
secret = sys.argv[1]
found = {
    "symlink": attempt(os.symlink, secret, "link.txt"),
    "symlink to a folder": attempt(os.symlink, "/", "folder"),
    "symlink to the pipe": attempt(os.symlink, "/proc/self/fd/1", "pipe.txt"),
    "hard link": attempt(os.link, "/proc/self/exe", "hard"),
    "hard link to a host file": attempt(os.link, "/site/requests/api.py", "hard.txt"),
    "fifo": attempt(os.mkfifo, "fifo.txt"),
    "block device": attempt(os.mknod, "disk", 0o60666, os.makedev(8, 0)),
    "character device": attempt(os.mknod, "memory", 0o20666, os.makedev(1, 1)),
    "read through the link": attempt(lambda: open("link.txt").read()),
    "go through the link": attempt(lambda: open("folder/etc/shadow").read()),
}
os.mkdir("deep")
os.symlink(secret, "deep/link.txt")
with open("deep/own.txt", "w") as file:
    file.write("own")
os.symlink("own.txt", "deep/inner.txt")
os.symlink("deep", "alias")
open("plain.txt", "w").write("plain")
say(found=found)
"""

NETWORK = """
import socket

ports = [int(port) for port in sys.argv[1:3]]


def tcp(host, port):
    socket.create_connection((host, port), timeout=2).close()


def udp(host, port):
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as out:
        out.settimeout(2)
        out.connect((host, port))
        out.send(b"out")
        out.recv(1)


found = {"tcp " + host: attempt(tcp, host, ports[0]) for host in ("127.0.0.1", "127.0.0.53", "::1")}
found.update({"udp " + host: attempt(udp, host, ports[1]) for host in ("127.0.0.1", "::1")})
found["name"] = attempt(socket.getaddrinfo, "shop.example.com", 80)


def columns(name):
    try:
        return [line.split()[0] for line in open("/proc/net/" + name).read().splitlines()]
    except OSError:
        return []


own = socket.create_server(("127.0.0.1", 0))
say(
    denied=found,
    devices=[name[1] for name in socket.if_nameindex()]
    if attempt(socket.if_nameindex) == "ok"
    else columns("dev")[2:],
    routes=columns("route")[1:],
    own=attempt(tcp, "127.0.0.1", own.getsockname()[1]),
)
"""

FAMILIES = """
import socket

numbers = {
    "unix": 1,
    "netlink": 16,
    "packet": 17,
    "vsock": 40,
    "alg": 38,
    "bluetooth": 31,
    "can": 29,
    "xdp": 44,
    "tipc": 30,
    "key": 15,
    "rds": 21,
    "kcm": 41,
    "qipcrtr": 42,
    "x25": 9,
    "appletalk": 5,
    "ax25": 3,
}
found = {}
for name, number in numbers.items():
    for kind in (1, 2, 3):
        found["%s %d" % (name, kind)] = system(41, 198, number, kind, 0)
found["raw"] = system(41, 198, 2, 3, 1)
found["raw v6"] = system(41, 198, 10, 3, 58)
one, two = socket.socketpair()
one.send(b"hello")
say(
    denied=found,
    pair=two.recv(5).decode(),
    inet=attempt(socket.socket),
    inet6=attempt(socket.socket, socket.AF_INET6),
)
"""

UNIX_SOCKETS = """
import socket

name, path = sys.argv[1:3]


def connect(address):
    with socket.socket(socket.AF_UNIX) as out:
        out.connect(address)


left, right = socket.socketpair()
address = (1).to_bytes(2, sys.byteorder) + b"\\0" + name.encode()
say(
    denied={
        "abstract": attempt(connect, "\\0" + name),
        "path": attempt(connect, path),
        "bind": attempt(lambda: socket.socket(1).bind("./s")),
        "reconnect a pair": system(42, 203, left.fileno(), ctypes.c_char_p(address), len(address)),
    }
)
"""

NAMESPACES = """
flags = {
    "user": 0x10000000,
    "mount": 0x20000,
    "pid": 0x20000000,
    "net": 0x40000000,
    "ipc": 0x8000000,
    "uts": 0x4000000,
    "cgroup": 0x2000000,
    "user and mount": 0x10020000,
}
found = {"unshare " + name: system(272, 97, flag) for name, flag in flags.items()}


# clone with a namespace: where it works the child must not run on in here
def clone(flag):
    result = libc.syscall(ctypes.c_long(220 if ARM else 56), ctypes.c_long(flag | 17), None, None, None, None)
    if result == 0:
        os._exit(0)
    return "ok" if result > 0 else errno.errorcode[ctypes.get_errno()]


found.update({"clone " + name: clone(flag) for name, flag in flags.items()})
size = 88
found["clone3"] = system(435, 435, (ctypes.c_uint64 * 11)(0x10000000, *[0] * 3, 17), size)
descriptor = os.open("/proc/self/ns/net", os.O_RDONLY)
found["setns"] = system(308, 268, descriptor, 0)
found["mount tmpfs"] = system(165, 40, b"t", b"/tmp", b"tmpfs", 0, None)
found["mount proc"] = system(165, 40, b"proc", b"/tmp", b"proc", 0, None)
found["remount root"] = system(165, 40, None, b"/", None, 32 | 4096, None)
found["remount proc"] = system(165, 40, None, b"/proc", None, 32 | 4096, None)
found["umount"] = system(166, 39, b"/proc", 2)
found["pivot_root"] = system(155, 41, b"/tmp", b"/tmp")
found["chroot"] = system(161, 51, b"/tmp")
found["fsopen"] = system(430, 430, b"tmpfs", 0)
found["open_tree"] = system(428, 428, -100, b"/", 1)
found["mount_setattr"] = system(442, 442, -100, b"/", 0, (ctypes.c_uint64 * 4)(), 32)
found["open_by_handle_at"] = system(304, 265, -100, (ctypes.c_uint32 * 4)(8, 1, 2, 0), 0)
say(denied=found)
"""

SYSTEM_CALLS = """
zeros = ctypes.create_string_buffer(256)
found = {
    "io_uring_setup": system(425, 425, 4, zeros),
    "io_uring_register": system(427, 427, 0, 0, None, 0),
    "keyctl": system(250, 219, 0, -3, 0),
    "add_key": system(248, 217, b"user", b"x", b"y", 1, -2),
    "request_key": system(249, 218, b"user", b"x", None, 0),
    "bpf": system(321, 280, 0, zeros, 72),
    "perf_event_open": system(298, 241, zeros, 0, -1, -1, 0),
    "userfaultfd": system(323, 282, 0),
    "ptrace parent": system(101, 117, 16, 1, None, None),
    "ptrace seize": system(101, 117, 0x4206, 1, None, None),
    "process_vm_readv": system(310, 270, 1, None, 0, None, 0, 0),
    "process_vm_writev": system(311, 271, 1, None, 0, None, 0, 0),
    "personality": system(135, 92, 0x0040000),
    "kexec_load": system(246, 104, 0, 0, None, 0),
    "init_module": system(175, 105, zeros, 0, b""),
    "finit_module": system(313, 273, 0, b"", 0),
    "reboot": system(169, 142, 0, 0, 0, None),
    "swapon": system(167, 224, b"/tmp/x", 0),
    "sethostname": system(170, 161, b"x", 1),
    "settimeofday": system(164, 170, zeros, None),
    "syslog": system(103, 116, 2, zeros, 16),
    "acct": system(163, 89, b"/tmp/x"),
    "quotactl": system(179, 60, 0, None, 0, None),
    "fanotify_init": system(300, 262, 0, 0),
    "name_to_handle_at": system(303, 264, -100, b"/tmp", zeros, zeros, 0),
}
if not ARM:
    found["modify_ldt"] = system(154, 0, 0, zeros, 16)
    found["iopl"] = system(172, 0, 3)
    found["ioperm"] = system(173, 0, 0, 1, 1)
say(denied=found)
"""

PRIVILEGES = """
import resource, subprocess

soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
with open("tool", "w") as file:
    file.write("#!/bin/sh\\n")
set_id = attempt(os.chmod, "tool", 0o6755)
found = {
    "setuid": attempt(os.setuid, 0),
    "setgid": attempt(os.setgid, 0),
    "setreuid": attempt(os.setreuid, 0, 0),
    "setresuid": attempt(os.setresuid, 0, 0, 0),
    "setgroups": attempt(os.setgroups, [0]),
    "another user": attempt(os.setuid, os.getuid() + 1),
    "chown": attempt(os.chown, "tool", 0, 0),
    "su": attempt(subprocess.run, ["su"]),
    "sudo": attempt(subprocess.run, ["sudo", "-n", "true"]),
    "raise a limit": attempt(resource.setrlimit, resource.RLIMIT_NOFILE, (hard + 1, hard + 1)),
    "lift a limit": attempt(
        resource.setrlimit, resource.RLIMIT_NPROC, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    ),
    "cores": attempt(resource.setrlimit, resource.RLIMIT_CORE, (1, 1)),
}
own, first = status(), status(1)
keys = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp", "Uid", "Gid", "Groups")
say(denied=found, own={key: own[key].split() for key in keys}, first={key: first[key].split() for key in keys})
"""

TERMINAL = """
import fcntl, termios

found = {
    "tty": attempt(os.open, "/dev/tty", os.O_RDWR),
    "console": attempt(os.open, "/dev/console", os.O_RDWR),
    "tty1": attempt(os.open, "/dev/tty1", os.O_RDWR),
}
for number in (0, 1, 2):
    found["TIOCSTI %d" % number] = attempt(fcntl.ioctl, number, 0x5412, b"x")
    found["TIOCLINUX %d" % number] = attempt(fcntl.ioctl, number, 0x541C, b"\\x02")
say(denied=found, session=os.getsid(0) == 0 or os.getsid(0), terminal=[os.isatty(n) for n in (0, 1, 2)])
"""

OTHERS = """
import resource, signal, time

limits = (ctypes.c_uint64 * 2)(0, 0)
one = bytes(ctypes.c_uint64(1))
found = {
    "prlimit cpu": system(302, 261, 1, resource.RLIMIT_CPU, limits, None),
    "prlimit files": system(302, 261, 1, resource.RLIMIT_NOFILE, limits, None),
    "prlimit read": system(302, 261, 1, resource.RLIMIT_NOFILE, None, limits),
    "setpriority": attempt(os.setpriority, os.PRIO_PROCESS, 1, 19),
    "setpriority of all": attempt(os.setpriority, os.PRIO_USER, 0, 19),
    "affinity": attempt(os.sched_setaffinity, 1, {0}),
    "scheduler": attempt(os.sched_setscheduler, 1, os.SCHED_IDLE, os.sched_param(0)),
    "sched_setattr": system(314, 274, 1, ctypes.create_string_buffer(48), 0),
    "ioprio_set": system(251, 30, 1, 1, 0),
    "pidfd_getfd": attempt(
        lambda: (
            (_ for _ in ()).throw(OSError(errno.EPERM, ""))
            if system(438, 438, os.pidfd_open(1), 0, 0) == "EPERM"
            else None
        )
    ),
    "supervisor's pipe": attempt(os.open, "/proc/1/fd/1", os.O_WRONLY),
    "supervisor's memory": attempt(os.open, "/proc/1/mem", os.O_RDWR),
}
# A process namespace's first process is deaf to these, so they "work" and do nothing.
for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGINT, signal.SIGSEGV, signal.SIGUSR1):
    attempt(os.kill, 1, number)
own = {
    "nice": attempt(os.setpriority, os.PRIO_PROCESS, 0, 5),
    "affinity": attempt(os.sched_setaffinity, 0, os.sched_getaffinity(0)),
    "limit": attempt(resource.setrlimit, resource.RLIMIT_NOFILE, (32, 32)),
}
say(denied=found, own=own, first=status(1)["State"].split()[0])
"""

STOLEN_PORT = """
import socket, urllib.parse

proxy = urllib.parse.urlsplit(os.environ["HTTP_PROXY"])
found = {}
for name in ("plain", "SO_REUSEADDR", "SO_REUSEPORT", "both"):
    for host in (proxy.hostname, "0.0.0.0"):
        with socket.socket() as thief:
            if name in ("SO_REUSEADDR", "both"):
                thief.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if name in ("SO_REUSEPORT", "both"):
                thief.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)

            def take():
                thief.bind((host, proxy.port))
                thief.listen()

            found["%s %s" % (name, host)] = attempt(take)
say(denied=found)
"""
