# SPDX-License-Identifier: Apache-2.0
"""The walls around a job: what the server asks of the kernel once, and what each child does to itself before its job.

full      a PID namespace of its own (what is left when the job ends is killed by the kernel), everything mounted
          read-only but a private tmpfs, folders that other users may not enter, or the user's home, out of sight but for
          Python in them, no network, and another user, or no capability where the server is no root
partial   what of this the platform permits; always limits, a private folder, a process group, and the orphans killed
"""

import contextlib
import os
import pwd
import resource
import shutil
import signal
import stat
import sys
import time
from pathlib import Path

from .. import _native
from .._native import Error
from . import system
from .limits import Limits

FIRST_UID = 64100  # of slot 0; a range that distributions leave free
SLOTS = 900
# What a job sees of the environment, by its beginning.
PASSED = ("PATH", "SFUMATO_", "CXX", "LD_", "ASCEND_", "CPATH", "CPLUS_", "LIBRARY_PATH", "TZ", "OMP_", "OPENBLAS_")


class Sandbox:
    """mode is "auto", "require" (Error where it would be partial) or "off"; slot tells workers apart."""

    def __init__(self, mode: str, slot: int):
        self.slot = slot
        self.uid = None
        self.namespaces = False
        self.lacking = []  # sentences
        self._groups = []
        self._own_pids = None
        self._hidden = []  # folders of which a job sees nothing but what it needs
        root = os.geteuid() == 0
        if mode == "off":
            self.lacking.append("it is off")
        else:
            self._separate(root)
        if self.namespaces:
            self._hidden = _closed_folders() if root else _homes()
        if root:  # always: a job of root could kill every process
            self._choose_user()
        # The same path in every full sandbox: paths are part of the key of a compile.
        self.folder = f"/tmp/sfumato-judge-{os.getuid()}" + ("" if self.namespaces else f"-{slot}")
        try:
            self._make_folder()
        except Error:  # a user namespace may have a user of the same number
            self.folder += f"-{os.getpid()}"
            self._make_folder()
        if self.namespaces and not self._walls_stand():
            self.namespaces = False
            self.lacking.append("no mounts of its own")
            self._hidden = []
            if root and self.uid is not None:
                self.uid = None
                self._choose_user()
            self._return()
            self.folder += f"-{slot}"
            self._make_folder()
        try:
            system.adopt_orphans()
        except OSError as error:  # an emulator of the processor does not know the call
            self.lacking.append(f"no adoption of what a job leaves behind ({error.strerror})")
        if mode == "require" and self.lacking:
            self.close()
            raise Error(f"sandbox: it would be partial: {'; '.join(self.lacking)}")
        if mode != "off":
            self._groups = _groups(slot)

    @property
    def full(self):
        return not self.lacking

    @property
    def counts_memory(self):
        return any(group.counts_memory for group in self._groups)

    def _separate(self, root):
        try:
            user, group = os.getuid(), os.getgid()
            system.unshare(system.CLONE_NEWNS | system.CLONE_NEWNET | (0 if root else system.CLONE_NEWUSER))
            if not root:
                _write("/proc/self/setgroups", "deny")
                _write("/proc/self/uid_map", f"{user} {user} 1")
                _write("/proc/self/gid_map", f"{group} {group} 1")
            system.mount("", "/", "", system.MS_REC | system.MS_PRIVATE)
            self.namespaces = True
            self._own_pids = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
            try:
                self._return()
            except OSError:
                os.close(self._own_pids)
                self._own_pids = None
        except OSError as error:
            self.lacking.append(f"no namespaces ({error.strerror})")

    def _walls_stand(self):
        """Whether a child can have its mounts: in some containers and in a changed root it cannot."""
        try:
            pid = self.fork()
        except OSError:
            return False
        if pid == 0:
            try:
                self._mount(Limits())
                os._exit(0)
            except BaseException:  # noqa: BLE001 - whatever the platform says
                os._exit(1)
        return os.waitpid(pid, 0)[1] == 0

    def _choose_user(self):
        uid = FIRST_UID + self.slot % SLOTS
        needed = [Path(__file__).parents[1], Path(os.__file__).parent, Path(sys.executable).resolve()]
        closed = [path for path in needed if not _open_to_all(path, self._hidden)]
        if not _can_become(uid):
            self.lacking.append("no other user is there")
        elif closed:
            self.lacking.append(f"another user may not read {closed[0]}")
        else:
            self.uid = uid

    def _make_folder(self):
        with contextlib.suppress(FileExistsError):
            os.mkdir(self.folder, 0o755)
        found = os.lstat(self.folder)
        if not stat.S_ISDIR(found.st_mode) or found.st_uid not in (os.getuid(), self.uid):
            raise Error(f"sandbox: {self.folder} is not a folder of this user: remove it")
        if not self.namespaces:
            self.clean()
            if self.uid is not None:
                os.chmod(self.folder, 0o700)
                os.chown(self.folder, self.uid, self.uid)

    def prepare(self, limits):
        """In the server, before each fork."""
        for group in self._groups:
            group.limit(limits)

    def _return(self):
        """Children are again of this process's PID namespace."""
        if self._own_pids is not None:
            system.setns(self._own_pids, system.CLONE_NEWPID)

    def fork(self, ended=None):
        """As os.fork, of a child in a PID namespace of its own where there are namespaces. The process whose number is
        returned is then another, which ends with the child; `ended`: a pipe to which the child's status is written, as
        of waitpid."""
        if self.namespaces and self._own_pids is not None:
            self._return()  # else the second namespace would lie in the first
            system.unshare(system.CLONE_NEWPID)
            pid = os.fork()
        else:
            server, pid = os.getpid(), os.fork()
            if pid == 0 and self.namespaces:
                _stand_between(server)
        if pid == 0 and self.namespaces:
            _be_first(ended)
        return pid

    def clean(self):
        """In the server, when everything of a job is dead: the folder, which of a full sandbox went with its mounts."""
        if not self.namespaces:
            for entry in os.scandir(self.folder):
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    os.unlink(entry.path)

    def memory_exceeded(self):
        return any(group.exceeded() for group in self._groups)

    def close(self):
        for group in self._groups:
            group.close()
        if not self.namespaces:
            self.clean()
        if not self.namespaces or self.folder.endswith(f"-{os.getpid()}"):
            with contextlib.suppress(OSError):
                os.rmdir(self.folder)

    def enter(self, limits, server, mapped, folders=()):
        """In the child: everything above. `mapped`: bytes of address space the server has; folders: it sees them even where
        others would be hidden."""
        os.setsid()
        system.die_with_parent()
        for group in self._groups:
            group.join()
        if self.namespaces:
            self._mount(limits, folders)
        _limit(limits, mapped)
        records = _native.records_dir()
        for name in list(os.environ):
            if not name.startswith(PASSED):
                del os.environ[name]
        own = {
            "HOME": self.folder,
            "TMPDIR": self.folder,
            "SFUMATO_CACHE": f"{self.folder}/cache",
            "LANG": "C.UTF-8",
            "SFUMATO_RECORDS": records,
        }
        os.environ.update(own)
        os.umask(0o022)
        if self.uid is not None:
            os.setgroups([])
            os.setresgid(self.uid, self.uid, self.uid)
            os.setresuid(self.uid, self.uid, self.uid)
            system.stay_readable()
        else:  # in a user namespace every user has them
            system.drop_capabilities()
        system.gain_nothing()
        system.die_with_parent(None if self.namespaces else server)  # a change of user forgets it
        os.chdir(self.folder)

    def _mount(self, limits, folders=()):
        system.unshare(system.CLONE_NEWNS | system.CLONE_NEWIPC)
        for hidden in self._hidden:
            _hide(hidden, [*_needed_folders(), *folders])
        system.make_all_read_only()
        flags = system.MS_NOSUID | system.MS_NODEV
        owner = os.getuid() if self.uid is None else self.uid
        options = f"size={limits.files},mode=700,uid={owner},gid={owner if self.uid else os.getgid()}"
        system.mount("tmpfs", self.folder, "tmpfs", flags, f"{options},nr_inodes=65536")
        system.mount("tmpfs", "/dev/shm", "tmpfs", flags, options)
        system.mount("proc", "/proc", "proc", flags | system.MS_NOEXEC)


def _be_first(ended):
    """The first process of a PID namespace ignores most signals, those it sends itself too: a job would behave otherwise in it. The
    job is its child, in which this returns."""
    system.die_with_parent()
    pid = os.fork()
    if pid == 0:
        if ended is not None:
            os.close(ended)
        return
    try:
        system.keep_closed()
        while True:
            found, status = os.wait()
            if found == pid:
                break
        if ended is not None:
            os.write(ended, status.to_bytes(4, "little"))
        os._exit(0 if status == 0 else 1)
    except BaseException:  # noqa: BLE001 - whatever the platform says
        os._exit(1)


def _hide(folder, shown):
    """An empty folder in its place, with those of `shown` that lie in it."""
    inside = {Path(path).resolve() for path in shown if path and os.path.isdir(path)}
    inside = {path for path in inside if folder in path.parents}
    roots = sorted(path for path in inside if not inside & set(path.parents))
    files = [os.open(path, os.O_PATH | os.O_DIRECTORY) for path in roots]
    system.mount("tmpfs", str(folder), "tmpfs", system.MS_NOSUID | system.MS_NODEV, "size=1m,mode=755")
    for path, file in zip(roots, files):
        os.makedirs(path, 0o755)
        system.mount(f"/proc/self/fd/{file}", str(path), "", system.MS_BIND | system.MS_REC)
        os.close(file)


def _needed_folders():
    """What Python, the package and the compiler read, wherever it lies."""
    words = (os.environ.get("SFUMATO_CXX") or os.environ.get("CXX") or "").split()
    compiler = words and shutil.which(words[0])
    with open("/proc/self/maps") as maps:
        mapped = {line.split(maxsplit=5)[-1].strip() for line in maps if "sfumato" in line}
    return [
        *(sys.prefix, sys.base_prefix, sys.exec_prefix, Path(__file__).parents[1]),
        *(path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")),
        *(os.path.dirname(path) for path in mapped),
        *(
            _native.records_dir(),
            *_native.include_dirs(),
            os.environ.get("SFUMATO_PREFIX"),
            f"{_native.cache_dir()}/torch",
        ),
        *(Path(compiler).resolve().parents[1:2] if compiler else ()),
    ]


def _closed_folders():
    """Those on the way to what is needed that other users may not enter."""
    found = set()
    for path in _needed_folders():
        if not path or not os.path.isdir(path):
            continue
        way = [folder for folder in Path(path).resolve().parents if not os.stat(folder).st_mode & 0o1]
        found.update(way[-1:])
    return sorted(found)


def _homes():
    """Of this user, whom its jobs are."""
    homes = {Path(path).resolve() for path in (os.path.expanduser("~"), _passwd_home()) if path and os.path.isdir(path)}
    return sorted(home for home in homes if home != Path("/") and not homes & set(home.parents))


def _passwd_home():
    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return None


def _stand_between(server):
    """Without root a process cannot return to the PID namespace it came from. So it makes one for a single child, in a process
    between: this returns in that child, and the process between ends as it does, or it with that process."""
    system.die_with_parent(server)
    try:
        system.unshare(system.CLONE_NEWPID)
        pid = os.fork()
        if pid == 0:
            return
        _, status = os.waitpid(pid, 0)
        if os.WIFSIGNALED(status):
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            number = os.WTERMSIG(status)
            if number != signal.SIGKILL:
                signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        os._exit(os.WEXITSTATUS(status))
    except BaseException:  # noqa: BLE001 - whatever the platform says
        os._exit(1)


def _limit(limits, mapped):
    for what, value in (
        (resource.RLIMIT_AS, mapped + limits.memory),
        (resource.RLIMIT_CPU, max(1, round(limits.cpu))),
        (resource.RLIMIT_FSIZE, limits.files),
        (resource.RLIMIT_NPROC, limits.processes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 1024),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        hard = resource.getrlimit(what)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(what, (value, value))


def _can_become(uid):
    """Whether this user namespace has the user, and lets processes become it."""
    with open("/proc/self/setgroups") as file:
        if file.read().strip() == "deny":
            return False
    with open("/proc/self/uid_map") as file:
        spans = [[int(word) for word in line.split()] for line in file]
    return any(first <= uid < first + count for first, _, count in spans)


def _open_to_all(path, hidden=()):
    """hidden: what lies above is open, too, where one of these is replaced."""
    folders = [path, *path.resolve().parents]
    folders = [folder for folder in folders if not any(folder == h or folder in h.parents for h in hidden)] or [path]
    return all(os.stat(folder).st_mode & (0o5 if folder.is_dir() else 0o4) >= 4 for folder in folders[:1]) and all(
        os.stat(folder).st_mode & 0o1 for folder in folders[1:]
    )


def _write(path, text):
    with open(path, "w") as file:
        file.write(text)


class _Group:
    """A control group of one worker, of one controller (version 1) or of all (version 2)."""

    def __init__(self, folder, files, memory):
        self._folder, self._files = folder, files
        self.counts_memory = memory is not None
        self._memory = memory
        os.makedirs(folder, exist_ok=True)
        self._procs = None
        try:
            for file in files:
                os.close(os.open(f"{folder}/{file}", os.O_WRONLY))
            self._procs = os.open(f"{folder}/cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)
        except OSError:
            self.close()
            raise
        self._limits = None
        self._seen = self._kills()

    def limit(self, limits):
        if limits != self._limits:
            for file, field in self._files.items():
                _write(f"{self._folder}/{file}", str(getattr(limits, field)))
            self._limits = limits

    def join(self):
        os.write(self._procs, b"0")

    def exceeded(self):
        """Since the last call."""
        before, self._seen = self._seen, self._kills()
        return self._seen > before

    def _kills(self):
        if self._memory is None:
            return 0
        with open(f"{self._folder}/{self._memory}") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith("oom_kill "))

    def close(self):
        if self._procs is not None:
            os.close(self._procs)
        for _ in range(100):  # a process that ended is counted a moment longer
            try:
                return os.rmdir(self._folder)
            except FileNotFoundError:
                return None
            except OSError:
                time.sleep(0.01)


def _groups(slot):
    """Those this process may make."""
    own = {}
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, names, path = line.split(":", 2)
            for name in names.split(","):
                own[name] = path
    top, name = "/sys/fs/cgroup", f"sfumato-judge-{os.getpid()}-{slot}"
    places = [
        (f"{top}{own.get('', '/')}", {"pids.max": "processes", "memory.max": "memory"}, "memory.events"),
        (f"{top}/pids{own.get('pids', '/')}", {"pids.max": "processes"}, None),
        (f"{top}/memory{own.get('memory', '/')}", {"memory.limit_in_bytes": "memory"}, "memory.oom_control"),
    ]
    groups = []
    for folder, files, memory in places:
        with contextlib.suppress(OSError):
            if os.path.exists(f"{folder}/cgroup.procs"):
                _remove_left(folder)
                groups.append(_Group(f"{folder.rstrip('/')}/{name}", files, memory))
    return groups


def _remove_left(folder):
    """Groups of servers that were killed."""
    for path in Path(folder).glob("sfumato-judge-*-*"):
        if not os.path.exists(f"/proc/{path.name.split('-')[2]}"):
            with contextlib.suppress(OSError):
                path.rmdir()
