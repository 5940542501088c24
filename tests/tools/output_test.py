# SPDX-License-Identifier: Apache-2.0
"""Where the command writes: links, FIFOs, devices, streams that are gone."""

import json
import os
import resource
import shutil
import stat
import subprocess
import tempfile
import threading
import unittest

from installation import COMMAND

KERNELS = r"""
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void count(GM_ADDR x) {
    AscendC::GlobalTensor<uint8_t> y;
    y.SetGlobalBuffer(x, 4);
    for (int i = 0; i < 4; ++i) y.SetValue(i, uint8_t(i + 1));
    AscendC::printf("counted\n");
}
extern "C" __global__ __aicore__ void wrong(GM_ADDR x) { abort(); }
"""
CHIP = ["--chip", "Ascend910B1"]
COUNT = ["run", "k.cpp", *CHIP, "--kernel", "count"]
COUNTED = bytes([1, 2, 3, 4])


def is_npy(data):
    return data.startswith(b"\x93NUMPY") and data.endswith(COUNTED)


def is_findings(data):
    return json.loads(data)["ok"] is True


# Every option that names a file: the command line for a file, and whether it has what belongs there.
WRITERS = {
    "out": (lambda name: [*COUNT, "--", f"out:uint8[4]={name}"], is_npy),
    "json": (lambda name: [*COUNT, f"--json={name}", "--", "workspace:4"], is_findings),
    "log": (lambda name: [*COUNT, f"--log={name}", "--", "workspace:4"], lambda data: data.count(b"\n") == 4),
    "svg": (lambda name: ["explain", "load3d", "--svg", name], lambda data: data.endswith(b"</svg>\n")),
}


def closed(*numbers):
    """In the child: these descriptors are not open."""
    return {"preexec_fn": lambda: [os.close(n) for n in numbers]}


def at_most(size):
    """In the child: no file may grow beyond `size` bytes, as on a full disk."""
    return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))}


class OutputTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cache = tempfile.mkdtemp(prefix="sfumato-output-cache-")
        cls.addClassCleanup(shutil.rmtree, cls.cache)

    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="sfumato-output-test-")
        self.addCleanup(shutil.rmtree, self.dir)
        self.write("k.cpp", KERNELS.encode())

    def path(self, name):
        return os.path.join(self.dir, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as f:
            f.write(data)

    def read(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    def sfumato(self, *args, **process):
        process = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **process}
        environment = {**os.environ, "SFUMATO_CACHE": self.cache}
        return subprocess.run([COMMAND, *args], cwd=self.dir, env=environment, timeout=300, **process)

    def count(self, *options, argument="out:uint8[4]=y.npy", kernel="count", **process):
        return self.sfumato("run", "k.cpp", *CHIP, "--kernel", kernel, *options, "--", argument, **process)

    def each_writer(self, name):
        """For every option: its name, its command line for the file, its test of the content."""
        for option, (words, good) in WRITERS.items():
            with self.subTest(option=option):
                yield option, words(name), good
            self.assertEqual([n for n in os.listdir(self.dir) if n.endswith(".tmp")], [])

    # Files

    def test_links_stay_and_their_targets_are_written(self):
        os.makedirs(self.path("real/deep"))
        os.symlink("real/deep", self.path("folder"))
        for option, _, _ in self.each_writer(""):
            for link, to, target in [
                (f"{option}.plain", f"{option}.target", f"{option}.target"),
                (f"{option}.dangling", f"real/{option}.new", f"real/{option}.new"),
                (f"{option}.chain", f"{option}.plain", f"{option}.target"),
                # Below a linked folder, ".." is the parent of the folder's target.
                (f"folder/{option}.up", f"../{option}.above", f"real/{option}.above"),
            ]:
                os.symlink(to, self.path(link))
                if link.endswith("plain"):
                    self.write(target, b"old")
                words, good = WRITERS[option]
                result = self.sfumato(*words(link))
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(os.readlink(self.path(link)), to)
                self.assertTrue(stat.S_ISREG(os.lstat(self.path(target)).st_mode))
                self.assertTrue(good(self.read(target)), link)

    def test_links_in_a_circle(self):
        os.symlink("b", self.path("a"))
        os.symlink("a", self.path("b"))
        for option, words, _ in self.each_writer("a"):
            result = self.sfumato(*words)
            self.assertEqual(result.returncode, 6 if option == "json" else 2)
            self.assertIn(b"cannot write a: its symbolic links lead in a circle\n", result.stderr)
            self.assertEqual((os.readlink(self.path("a")), os.readlink(self.path("b"))), ("b", "a"))

    def test_folders_are_refused(self):
        os.mkdir(self.path("folder"))
        os.symlink("folder", self.path("link"))
        for name in ["folder", "link", "folder/", "."]:
            for option, words, _ in self.each_writer(name):
                result = self.sfumato(*words)
                self.assertEqual(result.returncode, 6 if option == "json" else 2)
                self.assertIn(f"cannot write {name}: it is a directory\n".encode(), result.stderr)

    def test_a_fifo_is_written(self):
        os.symlink("fifo", self.path("link"))
        os.mkfifo(self.path("fifo"))
        for name in ["fifo", "link"]:
            for _, words, good in self.each_writer(name):
                read = []
                reader = threading.Thread(target=lambda read=read: read.append(self.read("fifo")))
                reader.start()
                result = self.sfumato(*words)
                # Nothing wrote it when the command failed: let the reader go.
                if not read:
                    os.close(os.open(self.path("fifo"), os.O_RDWR | os.O_NONBLOCK))
                reader.join(30)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertTrue(good(read[0]))
                self.assertTrue(stat.S_ISFIFO(os.lstat(self.path("fifo")).st_mode))

    def test_a_device_is_written(self):
        try:
            os.mknod(self.path("null"), stat.S_IFCHR | 0o666, os.makedev(1, 3))
            os.close(os.open(self.path("null"), os.O_WRONLY))
        except OSError as error:
            self.skipTest(f"no device of our own: {error}")
        os.symlink("null", self.path("link"))
        for name in ["null", "link"]:
            for _, words, _ in self.each_writer(name):
                result = self.sfumato(*words)
                self.assertEqual(result.returncode, 0, result.stderr)
                found = os.lstat(self.path("null"))
                self.assertEqual((stat.S_ISCHR(found.st_mode), found.st_rdev), (True, os.makedev(1, 3)))
                self.assertTrue(os.path.islink(self.path("link")))

    def test_an_open_descriptor_is_written(self):
        os.symlink("/proc/self/fd/1", self.path("stdout"))
        for option, words, good in self.each_writer("stdout"):
            result = self.sfumato(*words)
            self.assertEqual(result.returncode, 0, result.stderr)
            # What is printed besides comes before or after.
            printed = {"svg": result.stdout[: result.stdout.find(b"</svg>\n") + 7]}
            data = printed.get(option, result.stdout.removeprefix(b"[AIV Block 0/1] counted\n"))
            self.assertTrue(good(data.removesuffix(b"[AIV Block 0/1] counted\n")), result.stdout)
            self.assertTrue(os.path.islink(self.path("stdout")))

    def test_a_source_must_be_a_file(self):
        os.mkfifo(self.path("fifo.cpp"))
        result = self.sfumato("run", "fifo.cpp", *CHIP, "--", "workspace:4")
        self.assertEqual(result.returncode, 2)
        self.assertIn(
            b"error: fifo.cpp is a FIFO or a device, not a kernel source: it is read more than once, "
            b"so save it as a file\n",
            result.stderr,
        )

    # Streams

    def assert_ended(self, result, code):
        self.assertEqual(result.returncode, code, result)
        self.assertEqual([n for n in os.listdir(self.dir) if n.endswith(".tmp")], [])

    def assert_complete(self, result, code=6):
        self.assert_ended(result, code)
        self.assertTrue(is_npy(self.read("y.npy")))
        os.remove(self.path("y.npy"))

    def unread(self):
        """A pipe nobody reads."""
        reader, writer = os.pipe()
        os.close(reader)
        self.addCleanup(os.close, writer)
        return writer

    def test_streams_that_are_gone(self):
        self.assert_complete(self.count(), 0)
        for gone in [
            closed(1),
            closed(2),
            closed(1, 2),
            closed(0, 1, 2),
            {"stdout": self.unread()},
            {"stderr": self.unread()},
            {"stdout": self.unread(), "stderr": self.unread()},
        ]:
            with self.subTest(gone=gone):
                self.assert_complete(self.count(**gone))
                self.assert_complete(self.count("--json", **gone))
                self.assert_complete(self.count("--log", **gone))
                self.assert_ended(self.count(kernel="wrong", **gone), 4)
                self.assertFalse(os.path.exists(self.path("y.npy")))
                self.assert_ended(self.count(argument="none.npy", **gone), 2)
        # Nothing is printed there, so nothing is lost.
        self.assert_complete(self.count("--json=f.json", **closed(0)), 0)
        self.write("bad.cpp", b'#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void f() { x; }\n')
        self.assert_ended(self.sfumato("run", "bad.cpp", *CHIP, "--json", **closed(1, 2)), 3)

    def test_a_file_opened_later_is_no_stream(self):
        self.assert_complete(self.count("--log=log", "--json=findings", **closed(0, 1, 2)))
        self.assertEqual(self.read("log").count(b"\n"), 4)
        self.assertNotIn(b"counted", self.read("log"))
        self.assertTrue(is_findings(self.read("findings")))

    def test_a_full_disk(self):
        self.assert_complete(self.count(), 0)  # compiled
        with open(self.path("stdout"), "wb") as full:
            self.assert_ended(self.count(argument="workspace:4", stdout=full, **at_most(0)), 6)
        self.write("findings", b"old")
        result = self.count("--json=findings", **at_most(150))
        self.assert_complete(result)
        self.assertIn(b"error: the findings: cannot write findings: File too large\n", result.stderr)
        self.assertEqual(self.read("findings"), b"old")
        result = self.count("--log=log", **at_most(150))
        self.assert_complete(result)
        self.assertIn(b"error: cannot write all of the log log\n", result.stderr)
        self.write("y.npy", b"old")
        result = self.count(argument="out:uint8[9999]=y.npy", **at_most(1000))
        self.assert_ended(result, 2)
        self.assertIn(b"y.npy.sfumato-", result.stderr)
        self.assertIn(b"cannot be written: File too large\n", result.stderr)
        self.assertEqual(self.read("y.npy"), b"old")

    def test_reports_without_a_place(self):
        result = self.count("--json=none/findings")
        self.assert_complete(result)
        self.assertIn(b"error: the findings: cannot write none/findings: No such file or directory\n", result.stderr)
        result = self.count("--log=none/log")
        self.assert_ended(result, 2)
        self.assertIn(b"error: cannot write the log none/log: No such file or directory\n", result.stderr)

    def test_the_other_verbs(self):
        for words in [
            ["--help"],
            ["run", "--help"],
            ["--version"],
            ["chips"],
            ["chips", "--json"],
            ["doctor"],
            ["explain", "fractal"],
            ["explain", "nd2nz", "--n", "20", "--d", "40"],
        ]:
            for gone in [closed(1), {"stdout": self.unread()}]:
                with self.subTest(words=words, gone=gone):
                    self.assert_ended(self.sfumato(*words, **gone), 6)
            with self.subTest(words=words):
                self.assert_ended(self.sfumato(*words), 0)
        self.assert_ended(self.sfumato("explain", "load3d", "--svg", "p.svg", stdout=self.unread()), 6)
        self.assertTrue(self.read("p.svg").endswith(b"</svg>\n"))
        self.assert_ended(self.sfumato("rum", **closed(1, 2)), 2)

    def test_help_names_the_code(self):
        self.assertIn(b"6 the kernel ran", self.sfumato("run", "--help").stdout)


if __name__ == "__main__":
    unittest.main()
