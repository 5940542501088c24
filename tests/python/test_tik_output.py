# SPDX-License-Identifier: Apache-2.0
"""Where `sfumato tik` writes: links, FIFOs, devices, streams that are gone."""

import json
import os
import resource
import stat
import subprocess
import sys
import threading

import numpy as np
import pytest

COUNTED = np.arange(64, dtype=np.float16)
SCRIPT = """\
import sys
print("built", "x" * PADDING)
t = tik.Tik()
x = t.Tensor("float16", (64,), name="x", scope=tik.scope_gm)
y = t.Tensor("float16", (64,), name="y", scope=tik.scope_gm)
ub = t.Tensor("float16", (64,), name="ub", scope=tik.scope_ubuf)
t.data_move(ub, x, 0, 1, 4, 0, 0)
t.data_move(y, ub, 0, 1, FAULT, 0, 0)
t.printf("ran\\n")
t.BuildCCE(kernel_name="copy", inputs=[x], outputs=[y])
"""

COMMANDS = [[sys.executable, "-m", "sfumato.tik"]]
if os.environ.get("SFUMATO_COMMAND"):
    COMMANDS.append([os.environ["SFUMATO_COMMAND"], "tik"])


@pytest.fixture
def folder(tmp_path):
    np.save(tmp_path / "x.npy", COUNTED)
    for name, padding, moved in [("moves.py", 1, "4"), ("long.py", 100000, "4"), ("wrong.py", 1, "40")]:
        (tmp_path / name).write_text(SCRIPT.replace("PADDING", str(padding)).replace("FAULT", moved))
    yield tmp_path
    assert not list(tmp_path.glob("**/*.tmp"))


@pytest.fixture
def copy(folder):
    def run(*words, script="moves.py", command=COMMANDS[0], **process):
        process = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **process}
        environment = {**os.environ, "SFUMATO_PYTHON": sys.executable}
        words = [*command, script, "--chip", "Ascend910B1", "--in", "x=x.npy", *words]
        return subprocess.run(words, cwd=folder, env=environment, timeout=300, **process)

    return run


# Every option that names a file, and whether it has what belongs there.
WRITERS = {
    "--out=y=": lambda data: data.startswith(b"\x93NUMPY") and data.endswith(COUNTED.tobytes()),
    "--json=": lambda data: json.loads(data)["findings"] == [],
    "--log=": lambda data: data.count(b"\n") == 2,
}


def closed(*numbers):
    """In the child: these descriptors are not open."""
    return {"preexec_fn": lambda: [os.close(n) for n in numbers]}


def at_most(size):
    """In the child: no file may grow beyond `size` bytes, as on a full disk."""
    return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))}


@pytest.mark.parametrize("option", WRITERS)
def test_links_stay_and_their_targets_are_written(copy, folder, option):
    (folder / "real" / "deep").mkdir(parents=True)
    (folder / "linked").symlink_to("real/deep")
    (folder / "target").write_text("old")
    for link, to, target in [
        ("plain", "target", "target"),
        ("dangling", "real/new", "real/new"),
        ("chain", "plain", "target"),
        ("linked/up", "../above", "real/above"),
    ]:
        (folder / link).symlink_to(to)
        done = copy(option + link)
        assert done.returncode == 0, done.stderr
        assert os.readlink(folder / link) == to and not (folder / target).is_symlink()
        assert WRITERS[option]((folder / target).read_bytes())


@pytest.mark.parametrize("option", WRITERS)
def test_what_can_be_no_file(copy, folder, option):
    (folder / "a").symlink_to("b")
    (folder / "b").symlink_to("a")
    (folder / "linked").symlink_to(".")
    for name, why in [("a", b"its symbolic links lead in a circle"), ("linked", b"it is a directory")]:
        done = copy(option + name)
        assert done.returncode == (6 if option == "--json=" else 2) and why in done.stderr, done.stderr
        assert (folder / name).is_symlink() and b"Traceback" not in done.stderr


@pytest.mark.parametrize("option", WRITERS)
@pytest.mark.parametrize("name", ["fifo", "linked"])
def test_a_fifo_is_written(copy, folder, option, name):
    fifo = folder / "fifo"
    os.mkfifo(fifo)
    (folder / "linked").symlink_to("fifo")
    read = []
    reader = threading.Thread(target=lambda: read.append(fifo.read_bytes()))
    reader.start()
    done = copy(option + name)
    if not read:  # nothing wrote it when the command failed
        os.close(os.open(fifo, os.O_RDWR | os.O_NONBLOCK))
    reader.join(30)
    assert done.returncode == 0, done.stderr
    assert WRITERS[option](read[0]) and fifo.is_fifo()


@pytest.mark.parametrize("option", WRITERS)
def test_a_device_is_written(copy, folder, option):
    null = folder / "null"
    try:
        os.mknod(null, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        null.write_bytes(b"")
    except OSError as error:
        pytest.skip(f"no device of our own: {error}")
    done = copy(option + "null")
    assert done.returncode == 0, done.stderr
    assert null.is_char_device() and null.stat().st_rdev == os.makedev(1, 3)


def test_two_outputs_need_two_files(copy, folder):
    script = (folder / "moves.py").read_text()
    (folder / "two.py").write_text(script.replace("outputs=[y]", "outputs=[y, x]"))
    done = copy("--out", "y=y.npy", "--out", "x=./y.npy", script="two.py")
    assert done.returncode == 2 and b"./y.npy: it is already the file of another output" in done.stderr
    assert not (folder / "y.npy").exists()


def unread():
    """A pipe nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    return writer


@pytest.mark.parametrize("command", COMMANDS, ids=["-m", "sfumato"][: len(COMMANDS)])
@pytest.mark.parametrize(
    "gone",
    [closed(1), closed(0, 1, 2), {"stdout": "unread"}, {"stdout": "unread", "stderr": "unread"}],
    ids=["closed", "all closed", "unread", "both unread"],
)
def test_streams_that_are_gone(copy, folder, command, gone):
    gone = {name: unread() if value == "unread" else value for name, value in gone.items()} | {"command": command}
    output = folder / "y.npy"
    for script, words in [("moves.py", []), ("long.py", ["--json"]), ("moves.py", ["--log=log"])]:
        done = copy("--out", "y=y.npy", *words, script=script, **gone)
        assert done.returncode == 6, done
        assert WRITERS["--out=y="](output.read_bytes())
        output.unlink()
    assert (folder / "log").read_bytes().count(b"\n") == 2
    assert copy("--out", "y=y.npy", script="wrong.py", **gone).returncode == 3
    assert copy("--out", "z=y.npy", **gone).returncode == 2
    assert copy("--help", **gone).returncode == 6
    assert not output.exists()
    for writer in gone.values():
        if isinstance(writer, int):
            os.close(writer)


def test_standard_error_that_nobody_needs(copy, folder):
    assert copy("--out", "y=y.npy", **closed(2)).returncode == 0
    assert copy("--out", "y=y.npy", "--log", **closed(2)).returncode == 6


def test_a_full_disk(copy, folder):
    (folder / "findings").write_text("old")
    (folder / "y.npy").write_text("old")
    done = copy("--out", "y=y.npy", **at_most(100))
    assert done.returncode == 2 and b"cannot be written: y.npy: File too large" in done.stderr
    assert (folder / "y.npy").read_text() == "old"
    assert b"an output cannot be written: /dev/full: No space left on device" in copy("--out=y=/dev/full").stderr
    done = copy("--out-dir", "o", **at_most(100))
    assert done.returncode == 2
    assert done.stderr == b"sfumato: BuildCCE: o/kernel_meta/copy.json cannot be written: File too large\n"
    done = copy("--json=findings", **at_most(1))
    assert done.returncode == 6 and b"the findings: cannot write findings: File too large" in done.stderr
    assert (folder / "findings").read_text() == "old"
    done = copy("--log=log", **at_most(20))
    assert done.returncode == 6 and b"cannot write all of the log log: File too large" in done.stderr
    with open(folder / "printed", "wb") as printed:
        assert copy(stdout=printed, **at_most(0)).returncode == 6


def test_reports_without_a_place(copy, folder):
    done = copy("--out", "y=y.npy", "--json=none/findings")
    assert done.returncode == 6 and b"cannot write none/findings: No such file or directory" in done.stderr
    assert (folder / "y.npy").exists()
    done = copy("--log=none/log")
    assert done.returncode == 2 and b"cannot write the log none/log: No such file or directory" in done.stderr
