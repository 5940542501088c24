#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Linux gives and POSIX does not is asked for in one room of each language. Standard library only.

What is missing on another system is then a list of that room's functions (docs/packages.md, Other systems).
"""

import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/packages.md"

# A language: where it is looked for, its room, the comments of a line, and the names that only Linux and glibc have.
CPP, PYTHON = "C++", "Python"
FOLDERS = {CPP: ("src", "include", "tools", "python"), PYTHON: ("python",)}
SUFFIXES = {CPP: {".h", ".cpp", ".inc"}, PYTHON: {".py"}}
ROOMS = {CPP: "src/system", PYTHON: "python/sfumato/_processes"}
COMMENT = {CPP: r"(?<!:)//.*", PYTHON: r"(?<!\S)#.*"}
PATHS = r'(?<=["\'])/(?:proc|sys)(?=[/"\'])'
NAMES = {
    CPP: rf"""{PATHS} | <(?:link|elf|linux/\w+|asm/\w+|sys/(?:prctl|syscall|eventfd|epoll|signalfd|timerfd|inotify|vfs|
        sysinfo|sendfile|mount|auxv|random|personality)|malloc|features)\.h>
        | \b(?:__linux__|__GLIBC__|__WALL|__WCLONE|syscall|prctl|unshare|setns|mount|umount2?|pivot_root|gettid|tgkill
        |memfd_create|madvise|mremap|process_vm_\w+|pipe2|accept4|dup3|eventfd|epoll_\w+|signalfd|timerfd_\w+|inotify_\w+
        |pidfd_\w+|renameat2|copy_file_range|splice|tee|fallocate|statx|statfs|close_range|execveat|execvpe|sendfile
        |getrandom|sysinfo|getauxval|sched_[gs]etaffinity|sched_getcpu|cpu_set_t|CPU_\w+
        |pthread_(?:set|get)name_np|pthread_getattr_np|pthread_(?:set|get)affinity_np|pthread_tryjoin_np|pthread_timedjoin_np
        |dl_iterate_phdr|dl_phdr_info|dladdr1|dlinfo|dlmopen|dlvsym|link_map|_dl_find_object|RTLD_D[IL]_?\w+
        |__register_frame|_Unwind_Find_FDE|malloc_usable_size|malloc_trim|mallopt|secure_getenv|get_current_dir_name
        |program_invocation_\w+|gregs|uc_mcontext|ucontext_t|feenableexcept|fedisableexcept
        |_SC_AVPHYS_PAGES|_SC_PHYS_PAGES|SOCK_CLOEXEC|SOCK_NONBLOCK|O_PATH|O_TMPFILE|RENAME_\w+|PR_[GS]ET_\w+|SYS_\w+
        |CLONE_\w+|MS_(?:BIND|REC|SLAVE|PRIVATE|REMOUNT|RDONLY|NO\w+)|MADV_\w+|MREMAP_\w+|MFD_\w+|F_(?:ADD|GET)_SEALS
        |MAP_(?:NORESERVE|POPULATE|HUGETLB|FIXED_NOREPLACE|LOCKED|GROWSDOWN))\b""",
    PYTHON: rf"""{PATHS} | \bos\.(?:sched_[gs]etaffinity|memfd_create|MFD_\w+|pipe2|eventfd\w*|pidfd_\w+|copy_file_range|splice
        |sendfile|unshare|setns|getrandom|O_PATH|O_TMPFILE|posix_f\w+|[gs]etxattr|CLONE_\w+)\b
        | \bsignal\.(?:pidfd_\w+|signalfd|sigtimedwait|SIGRT\w+|SIGPWR|SIGSTKFLT)\b | \bresource\.prlimit\b
        | \bfcntl\.F_(?:ADD_SEALS|GET_SEALS|SETPIPE_SZ|GETPIPE_SZ|OFD_\w+)\b | \bselect\.epoll\b
        | \bsocket\.(?:AF_NETLINK|AF_ALG|SO_PEERCRED|SOCK_CLOEXEC)\b
        | \b_?libc\.(?:prctl|unshare|setns|mount|syscall|capset)\b""",
}
PATTERNS = {language: re.compile(text, re.VERBOSE) for language, text in NAMES.items()}

# What stays where it is: file, names, why.
EXCEPTIONS = [
    ("src/runtime/code/process_calls.inc", "execvpe", "a name that kernels may not call; nobody here does"),
    (
        "src/runtime/code/code_graph.cpp",
        r"<elf\.h>",
        "reads object files; whoever reads another format writes its twin",
    ),
    ("src/jit/add_section.cpp", r"<elf\.h>", "writes into object files what the above reads of them"),
    (
        "src/runtime/code/unwinding.cpp",
        r"_dl_find_object|__register_frame|_Unwind_Find_FDE",
        "the tables of frames, with how the C++ runtime finds them, are the subject of that file",
    ),
]


def found_in(text, language):
    """(line number, name) of all that only Linux has. A string or a comment that tells of one is none; a path is."""
    for number, line in enumerate(text.splitlines(), 1):
        for match in PATTERNS[language].finditer(re.sub(COMMENT[language], "", line)):
            yield number, match.group()


def excepted(place, name):
    return [row for row in EXCEPTIONS if row[0] == place and re.fullmatch(row[1], name)]


def all_found():
    """(language, file, line, name) outside the rooms."""
    for language, folders in FOLDERS.items():
        for folder in folders:
            for path in sorted((ROOT / folder).rglob("*")):
                place = path.relative_to(ROOT).as_posix()
                if path.suffix not in SUFFIXES[language] or place.startswith(f"{ROOMS[language]}/"):
                    continue
                for line, name in found_in(path.read_text(encoding="utf-8"), language):
                    yield language, place, line, name


def violations():
    for language, place, line, name in all_found():
        if not excepted(place, name):
            yield (
                f"{place}:{line}: {name} is Linux's or glibc's, not POSIX's: call a function of {ROOMS[language]} named for what it "
                "does for us, or add one there and its line to docs/packages.md, Other systems"
            )


class SystemRoom(unittest.TestCase):
    def test_nobody_else_asks_linux(self):
        self.assertEqual([], list(violations()))

    def test_what_would_be_found(self):
        for language, text, name in (
            (CPP, 'std::ifstream file("/proc/self/maps");', "/proc"),
            (CPP, "#include <link.h>", "<link.h>"),
            (CPP, "    if (pipe2(ends, O_CLOEXEC) != 0) return;", "pipe2"),
            (CPP, "    madvise(p, bytes, 14);  // a wish", "madvise"),
            (CPP, "#ifdef __linux__", "__linux__"),
            (PYTHON, "workers = len(os.sched_getaffinity(0))", "os.sched_getaffinity"),
            (PYTHON, 'with open(f"/proc/{pid}/stat") as file:', "/proc"),
        ):
            self.assertEqual([(1, name)], list(found_in(text, language)), text)
        for language, text in (
            (CPP, "// As madvise(2) would."),
            (CPP, "void* p = mmap(nullptr, n, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);"),
            (CPP, "const double amount = 1;"),
            (PYTHON, "# os.memfd_create needs room"),
            (PYTHON, "os.fork(), signal.SIGKILL, fcntl.flock"),
        ):
            self.assertEqual([], list(found_in(text, language)), text)

    def test_every_exception_is_needed(self):
        used = [row for _, place, _, name in all_found() for row in excepted(place, name)]
        self.assertEqual([], [row for row in EXCEPTIONS if row not in used])

    def test_the_page_has_every_function(self):
        """The table of what is missing elsewhere names each function of the rooms' headers, and no other."""
        section = PAGE.read_text(encoding="utf-8").split("\n## Other systems\n")[1].split("\n## ")[0]
        named = set(re.findall(r"`(?:system::)?(\w+)\(\)`", section))
        declared = set()
        for header in sorted((ROOT / ROOMS[CPP]).glob("*.h")):
            text = re.sub(r"//.*", "", header.read_text(encoding="utf-8"))
            declared |= set(re.findall(r"^(?:const )?[\w:<>]+[ *&]+(\w+)\(", text, re.MULTILINE))
        self.assertEqual(sorted(declared), sorted(named))


if __name__ == "__main__":
    sys.exit(unittest.main())
