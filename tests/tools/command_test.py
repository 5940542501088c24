# SPDX-License-Identifier: Apache-2.0
"""The command `sfumato` as a user runs it: exit codes, texts, files."""

import json
import os
import resource
import shutil
import struct
import unittest

from command_case import RESTS, CommandCase, main, npy, read_npy
from installation import SANITIZE
from raised import raised


class CommandTest(CommandCase):
    # Running

    def test_runs_and_writes(self):
        result = self.run_kernel("copy", "x.npy", "out:uint8[2,3]=copy.npy", "uint32:4")
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        self.assertIn("dst: bytes 4 to 5; 2 of 6 bytes", result.stderr)
        self.assertTrue(result.stderr.endswith("0 faults, 1 warning, 0 notes\n"), result.stderr)
        self.assertEqual(read_npy(self.path("copy.npy")), ("|u1", (2, 3), bytes([2, 3, 4, 5, 0xFE, 0xFE])))

    @unittest.skipIf(SANITIZE, "a sanitizer ends the process, and needs many addresses")
    def test_too_large_an_argument_is_named(self):
        too_large = "is too large: the machine cannot allocate"
        for argument, size in [
            ("workspace:140737488355328", 1 << 47),
            ("workspace:0xffffffffffffffff", (1 << 64) - 1),
            ("out:float32[16777216,8388608]=large.npy", 1 << 49),
        ]:
            with self.subTest(argument=argument):
                result = self.run_kernel("say", argument, options=["--json"])
                text = f"argument '{argument}': 'x' {too_large} {size} bytes"
                self.assert_refused(result, text)
                self.assertEqual(json.loads(result.stdout)["error"], {"kind": "usage", "message": text})
        size = 1 << 33
        header = npy("|u1", (size,), b"")
        for name, head in [("huge.bin", b""), ("huge.npy", header)]:
            self.write(name, head)
            os.truncate(self.path(name), len(head) + size)  # no block of it is on the disk
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (size // 2, size // 2))}
        for arguments, text in [
            (["inout:f.npy=y.npy", "tiling:huge.bin"], "argument 'tiling:huge.bin': the file"),
            (["inout:huge.npy=y.npy", "tiling:t.bin"], "argument 'inout:huge.npy=y.npy': 'x'"),
        ]:
            with self.subTest(arguments=arguments):
                result = self.run_kernel("ops::tile_pointer", *arguments, process=limit)
                self.assert_refused(result, f"{text} {too_large} {size} bytes")

    def test_fill(self):
        self.assertEqual(
            self.run_kernel("copy", "x.npy", "out:uint8[2]=fill.npy", "uint32:1", options=["--fill", "0x7"]).returncode,
            0,
        )
        self.assertEqual(read_npy(self.path("fill.npy"))[2], bytes([2, 7]))
        self.assert_refused(
            self.run_kernel("copy", options=["--fill", "256"]), "--fill '256' is not legal; legal: 0 to 255"
        )

    def test_struct_by_value_and_in_place(self):
        result = self.run_kernel("ops::tile", "inout:f.npy=tile.npy", "tiling:t.bin")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(struct.unpack("<2f", read_npy(self.path("tile.npy"))[2]), (15.0, 25.0))
        self.assertEqual(read_npy(self.path("f.npy"))[2], struct.pack("<2f", 1.5, 2.5))

    def run_build(self, kernel, *arguments):
        return self.sfumato("run", "build.cpp", "--chip", "Ascend910B1", "--kernel", kernel, *arguments)

    def run_typed(self, *arguments):
        return self.sfumato("run", "types.cpp", "--chip", "Ascend910B1", *arguments)

    def test_types_come_from_the_arrays_or_options(self):
        self.assertEqual(self.run_typed("--", "f.npy", "inout:i.npy=typed.npy").returncode, 0)
        self.assertEqual(read_npy(self.path("typed.npy"))[2], struct.pack("<i", 14))
        result = self.run_typed("--dtype", "x=float", "--format", "x=NZ", "--", "x.npy", "inout:i.npy=typed.npy")
        self.assertEqual((result.returncode, read_npy(self.path("typed.npy"))[2]), (0, struct.pack("<i", 24)))
        result = self.run_typed("--", "workspace:4", "inout:i.npy=typed.npy")
        self.assertEqual(result.returncode, 3)
        self.assertIn(
            "ORIG_DTYPE_X is the element type of x, which the build gives: pass --dtype x=half", result.stderr
        )
        result = self.run_typed("--dtype", "x", "--", "f.npy", "inout:i.npy=typed.npy")
        self.assertEqual((result.returncode, result.stderr), (2, "error: --dtype 'x': 'x' is not NAME=VALUE\n"))

    def test_lists_of_tensors(self):
        result = self.run_build("listed", "--", "list:x.npy,i.npy", "list:inout:x.npy=lx.npy,out:int32[1,1]=li.npy")
        self.assertEqual((result.returncode, result.stderr), (0, "0 faults, 0 warnings, 0 notes\n"))
        self.assertEqual(read_npy(self.path("lx.npy"))[2], bytes([1, 3, 3, 4]))
        self.assertEqual(read_npy(self.path("li.npy"))[1:], ((1, 1), struct.pack("<i", 42)))
        result = self.run_build("listed", "--", "list:x.npy,uint32:3", "list:x.npy")
        self.assertIn("argument 'list:x.npy,uint32:3': 'uint32:3' is no array: a list holds", result.stderr)

    def test_tiling_key(self):
        for key in (3, 4):
            self.run_build("choose", "--tiling-key", str(key), "--", "inout:i.npy=key.npy")
            self.assertEqual(read_npy(self.path("key.npy"))[2], struct.pack("<i", key))
        result = self.run_build("choose", "--", "inout:i.npy=key.npy")
        self.assertIn(
            "warning [tiling-key-unused] TILING_KEY_IS: none of the keys that the kernel asks for", result.stderr
        )

    def test_tiling_pointer_and_unqualified_name(self):
        result = self.run_kernel("tile_pointer", "inout:f.npy=tp.npy", "tiling:t.bin")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(struct.unpack("<2f", read_npy(self.path("tp.npy"))[2])[0], 10.0)

    def test_tiling_of(self):
        result = self.run_kernel("tile_pointer", "inout:f.npy=of.npy", "tiling-of:uint32:4 + float:2.5")
        self.assertEqual((result.returncode, result.stderr), (0, "0 faults, 0 warnings, 0 notes\n"))
        self.assertEqual(struct.unpack("<2f", read_npy(self.path("of.npy"))[2])[0], 2.5)
        matmul = "matmul(m=64, n=64, k=64, a=half, b=half, c=float, cores=2)"
        result = self.run_kernel("tile_pointer", "inout:f.npy=of.npy", f"tiling-of:{matmul}")
        self.assertEqual(struct.unpack("<2i", read_npy(self.path("of.npy"))[2])[0], 64, result.stderr)
        self.assert_refused(
            self.run_kernel("tile_pointer", "f.npy", "tiling-of:topk(inner=40, k=1, type=half)"),
            "argument 'tiling-of:topk(inner=40, k=1, type=half)': topk: inner is 40; it is a multiple of 32 up to 4096",
        )
        self.assert_refused(
            self.run_kernel("ops::tile", "f.npy", f"tiling-of:{matmul}"), "the struct has 8 bytes, 200 are given"
        )

    def test_template(self):
        result = self.run_kernel("plus<2, true>", "inout:i.npy=plus.npy")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(read_npy(self.path("plus.npy")), ("<i4", (1,), struct.pack("<i", 42)))
        self.assert_refused(
            self.run_kernel("plus", "inout:i.npy=plus.npy"), "plus is a template: name it with its arguments"
        )

    def test_scalars_are_passed_typed(self):
        result = self.run_kernel(
            "scalars",
            "out:uint64[5]=s.npy",
            "int8:-5",
            "bool:true",
            "float16:0.5",
            "float32:-1.25",
            "uint64:0x10000000000",
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(struct.unpack("<5d", read_npy(self.path("s.npy"))[2]), (-5.0, 1.0, 0.5, -1.25, float(1 << 40)))

    def test_workspace(self):
        self.assertEqual(self.run_kernel("copy", "x.npy", "workspace:16", "uint32:4").returncode, 0)

    def test_print_and_json(self):
        result = self.run_kernel("say", "workspace:1")
        self.assertIn("kernel says 42\n", result.stdout, result.stderr)
        result = self.run_kernel("say", "workspace:1", options=["--json"])
        findings = json.loads(result.stdout)
        self.assertEqual((findings["ok"], findings["kernel"], findings["findings"]), (True, "say", []))
        self.assertIn("kernel says 42", result.stderr)
        self.run_kernel("null", "out:uint8[1]=n.npy", options=["--json=null.json"])
        with open(self.path("null.json")) as f:
            self.assertEqual(json.load(f)["findings"][0]["rule"], "raw-pointer")

    def test_rests_on(self):
        self.write("rests.cpp", RESTS)
        self.write("eight.npy", npy("<f4", (8,), struct.pack("<8f", *[1.5] * 8)))

        def rests(kernel, *options):
            arguments = ["--chip", "Ascend910B1", "--kernel", kernel, *options, "--", "inout:eight.npy=rests.npy"]
            return self.sfumato("run", "rests.cpp", *arguments)

        result = rests("adds", "--rests-on", "--json")
        self.assertEqual(result.stderr, "0 faults, 0 warnings, 0 notes\ndocumented throughout\n")
        self.assertEqual(json.loads(result.stdout)["rests_on"], [])
        result = rests("exponential", "--rests-on", "--json=rests.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stderr.splitlines()
        self.assertEqual([line for line in lines if not line.startswith(" ")][-1], "rests on 2 readings")
        self.assertIn("decided [Exp] Ascend910B has Exp for float.", lines)
        with open(self.path("rests.json")) as f:
            found = json.load(f)["rests_on"]
        self.assertEqual(
            [(r["call"], r["tag"], os.path.basename(r["file"]), r["line"], r["count"]) for r in found],
            [("Exp", "assumed", "rests.cpp", 15, 1), ("Exp", "decided", "rests.cpp", 15, 1)],
        )
        for options in ([], ["--json"]):
            result = rests("exponential", *options)
            self.assertNotIn("reading", result.stderr)
            self.assertNotIn("rests_on", result.stdout)

    def test_core_chooses_the_cores_and_json_tells_them(self):
        for options, cores, kind, by in [
            ([], ["AIV"], "AIV_ONLY", "derived from its code"),
            (["--core", "aic"], ["AIC"], "AIC_ONLY", "chosen by the launch"),
            (["--core", "mix"], ["AIC", "AIV", "AIV"], "MIX_AIC_1_2", "chosen by the launch"),
        ]:
            result = self.run_kernel("say", "workspace:1", options=["--json", *options])
            found = json.loads(result.stdout)
            self.assertEqual((found["task_type"], found["task_type_from"]), ("KERNEL_TYPE_" + kind, by))
            said = sorted(line.split()[0][1:] for line in result.stderr.splitlines() if "kernel says" in line)
            self.assertEqual(said, cores)

    # Arguments

    def test_argument_errors(self):
        signature = "copy(GM_ADDR src, GM_ADDR dst, uint32_t n)"
        for args, text in [
            (["x.npy"], signature + " takes 3 arguments, 1 given: missing GM_ADDR dst, uint32_t n"),
            (["x.npy"] * 4, signature + " takes 3 arguments, 4 given"),
            (
                ["x.npy", "uint32:4", "uint32:4"],
                signature + ": argument 2 (GM_ADDR dst), given as 'uint32:4': the parameter is a "
                "pointer to GM, but an integer value is given",
            ),
            (
                ["x.npy", "x.npy", "x.npy"],
                "argument 3 (uint32_t n), given as 'x.npy': the parameter is an integer, but an array",
            ),
            (["x.npy", "x.npy", "float32:4"], "the parameter is an integer, but a floating-point value is given"),
            (["x.npy", "x.npy", "uint32:4294967296"], "4294967296 is out of range: legal is 0 to 4294967295"),
            (["x.npy", "x.npy", "int32:4"], "the value is stated as int32, but the parameter is uint32"),
            (["none.npy", "x.npy", "uint32:4"], "none.npy: cannot be read: No such file or directory"),
            (
                ["t.bin.npy:3", "x.npy", "uint32:4"],
                "argument 't.bin.npy:3': 't.bin.npy' is no type; the forms of arguments are",
            ),
            (["half:x.npy", "x.npy", "uint32:4"], "argument 'half:x.npy': x.npy holds uint8 ('|u1'), not float16"),
            (["x.npy", "out:uint8[4]=none/y.npy", "uint32:4"], "cannot write into"),
            (["out:uint8[4]=y.npy", "out:uint8[4]=./y.npy", "uint32:4"], "is already the file of another output"),
        ]:
            with self.subTest(args=args):
                self.assert_refused(self.run_kernel("copy", *args), text)
        self.assert_refused(
            self.run_kernel("ops::tile", "inout:f.npy=y.npy", "tiling:big.bin"), "the struct has 8 bytes, 9 are given"
        )
        self.assert_refused(
            self.run_kernel("ops::tile", "i.npy", "tiling:t.bin"),
            "the kernel reads float (float32) there, but the array holds int32",
        )
        self.assertFalse(os.path.exists(self.path("y.npy")))

    # Notes

    def test_what_a_declaration_lacks_is_a_note(self):
        self.write(
            "declared.cpp",
            '#include "kernel_operator.h"\n#define KERNEL __global__ __aicore__\nusing Data = __gm__ uint8_t*;\n'
            'extern "C" __global__ void bare(GM_ADDR x, uint32_t n);\n'
            'extern "C" __global__ void bare(GM_ADDR x, uint32_t n) {}\n'
            'extern "C" __global__ __aicore__ void pointer(const half* x, Data y) {}\n'
            'extern "C" KERNEL void macro(GM_ADDR x) {}\n'
            "template <typename T> __global__ __aicore__ void right(__gm__ T* x) {}\n",
        )
        for kernel, arguments, lines in [
            ("bare", ["workspace:4", "uint32:1"], ["the kernel is declared without __aicore__"]),
            ("pointer", ["workspace:4", "workspace:4"], ["a pointer of the kernel is declared without __gm__"]),
            ("macro", ["workspace:4"], []),
            ("right<float>", ["workspace:4"], []),
        ]:
            with self.subTest(kernel=kernel):
                command = ("run", "declared.cpp", "--chip", "Ascend910B1", "--kernel", kernel, "--strict", "--")
                result = self.sfumato(*command, *arguments)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(result.stderr.count("note [kernel-declared]"), len(lines), result.stderr)
                for line in lines:
                    self.assertIn(f"note [kernel-declared] {line}\n  where:  declared.cpp:", result.stderr)
        raised("kernel-declared")

    # Faults

    def test_crashes_become_reports(self):
        for kernel, rule, extra in [
            ("null", "raw-pointer", []),
            ("divide", "arithmetic-trap", ["int32:0"]),
            ("give_up", "abort", []),
            ("recurse", "stack-overflow", []),
        ]:
            with self.subTest(kernel=kernel):
                result = self.run_kernel(kernel, "out:uint8[1]=crash.npy", *extra)
                self.assert_refused(result, f"fault [{rule}]", 4)
                self.assertIn(f"kernel {kernel}", result.stderr)
                self.assertIn("k.cpp:", result.stderr)
                self.assertTrue(result.stderr.endswith("1 fault, 0 warnings, 0 notes\n"), result.stderr)
                self.assertFalse(os.path.exists(self.path("crash.npy")))
                raised(rule)

    def test_ending_the_process_is_a_fault_with_its_line(self):
        compilers = [{}] + [{"SFUMATO_CXX": path} for path in [shutil.which("clang++-13")] if path]
        for compiler in compilers:
            for kernel, call, line in [
                ("by_exit", "exit(0)", 9),
                ("by_std_exit", "exit(0)", 10),
                ("by_underscore", "_exit(0)", 11),
                ("by_big", "_Exit(3)", 12),
                ("by_quick", "quick_exit(0)", 13),
                ("by_abort", "abort()", 14),
                ("by_template", "exit(1)", 15),
                ("by_lambda", "abort()", 17),
                ("by_pointer", "exit(2)", 0),
                ("by_abort_pointer", "abort()", 0),
            ]:
                with self.subTest(kernel=kernel, **compiler):
                    place = f"ends.cpp:{line}, " if line else ""
                    result = self.sfumato(
                        "run",
                        "ends.cpp",
                        "--chip",
                        "Ascend910B1",
                        "--kernel",
                        kernel,
                        "--",
                        "out:uint8[1]=ends.npy",
                        **compiler,
                    )
                    name = call[: call.index("(")]
                    self.assert_refused(result, f"fault [process-end] {name}: a kernel cannot end the process\n", 4)
                    self.assertIn(
                        f"  where:  {place}kernel {kernel}, core aiv0, instruction 0 (Ascend910B)\n"
                        f"  found:  {call}\n  legal:  kernels end by returning\n"
                        "  do:     return, or stop with Trap() or assert()\n"
                        "1 fault, 0 warnings, 0 notes\n",
                        result.stderr,
                    )
                    self.assertFalse(os.path.exists(self.path("ends.npy")))
                    raised("process-end")
            run = ["run", "ends.cpp", "--chip", "Ascend910B1", "--kernel", "by_member", "--", "out:uint8[1]=member.npy"]
            self.assertEqual(self.sfumato(*run, **compiler).returncode, 0)
            self.assertEqual(read_npy(self.path("member.npy"))[2], bytes([9]))
            # Before any kernel runs, host code that exits is not refused; the command says that nothing ran.
            result = self.sfumato(*run, HOST_ENDS="1", **compiler)
            self.assert_refused(result, "fault [process-lost] the process that ran the kernel ended itself", 4)
            self.assertIn("  found:  exit code 7 before the run was over\n", result.stderr)

    def test_a_fault_keeps_the_old_output(self):
        self.write("old.npy", "old")
        self.assertEqual(self.run_kernel("null", "out:uint8[1]=old.npy").returncode, 4)
        with open(self.path("old.npy")) as f:
            self.assertEqual(f.read(), "old")

    # The other verbs

    def test_chips(self):
        result = self.sfumato("chips")
        self.assertEqual(result.returncode, 0)
        for name in ["Ascend310P-Vector", "Ascend910B1", "TIK only", "UB "]:
            self.assertIn(name, result.stdout)
        chips = {c["name"]: c for c in json.loads(self.sfumato("chips", "--json").stdout)}
        self.assertEqual(len(chips), 7)
        self.assertFalse(chips["Ascend310"]["ascendc"])
        self.assertEqual(chips["Ascend910B"]["memories"]["UB"], 192 * 1024)
        for name, chip in chips.items():
            for key, fact in chip["facts"].items():
                with self.subTest(chip=name, fact=key):
                    self.assertTrue(fact["says"] and fact["source"])
                    self.assertNotEqual(fact["value"], "")
        facts = chips["Ascend910B"]["facts"]
        self.assertEqual(
            facts["event_ids"],
            {"value": 8, "says": "event ids of a pair of pipes", "source": "framework.md 6.2 S1"},
        )
        self.assertEqual(facts["memories.UB"]["value"], 192 * 1024)
        self.assertEqual(facts["positions.CO1"]["value"], "L0C")
        self.assertEqual(facts["ascendc.types.Not"]["value"], ["int16_t", "uint16_t"])
        self.assertEqual(facts["ascendc.types.Not"]["tag"], "documented")
        self.assertIn("half to float (CAST_NONE)", facts["ascendc.conversions"]["value"])
        self.assertIn("ascendc.mmad.half x half to float", facts)
        kit, other = map(chips["Ascend310B"]["facts"].get, ("boards.Atlas 200I DK A2", "products.Ascend310B2"))
        self.assertEqual(kit["value"][:2], ["Ascend310B4 (assumed)", "1 AI Core at 500 MHz"])
        self.assertEqual((kit["tag"], other["tag"], other["value"]), ("documented", "assumed", "1 AI Core"))
        products = (("Ascend910B", "Ascend910B3"), ("Ascend310P-Vector", "Ascend310P1-Vector"))
        cores = [chips[c]["facts"][f"products.{p}"]["value"] for c, p in products]
        self.assertEqual(cores, ["20 cube cores, 40 vector cores", "8 vector cores"])
        self.assertIn("QF322B8_PRE", " ".join(facts["fixpipe"]["value"]))
        self.assertIn("GM to UB", facts["ascendc.paths.DataCopy"]["value"])
        # What means nothing on a chip is not there: neither Ascend C nor a cube unit.
        self.assertFalse({"buffers_per_position", "gemv", "fixpipe"} & set(chips["Ascend310P-Vector"]["facts"]))

    def test_one_chip(self):
        listed = self.sfumato("chips").stdout.split("\n\n")
        for name in ("Ascend310P", "ascend310p3"):
            text = self.sfumato("chips", name).stdout
            self.assertTrue(text.startswith(next(part for part in listed if part.startswith("Ascend310P "))), text)
            for line in (
                "  event ids      8 of a pair of pipes",
                "products and their cores",
                "  Ascend310P1                  10 AI Cores, 8 vector cores beside them",
                "boards, each with its product",
                "  Atlas 200I SoC A1            16 CPU cores, of which 7 are AI CPUs unless set otherwise",
                "positions of Ascend C, and the memory behind each",
                "  CO1                          L0C",
                "element types of the instructions of Ascend C",
                "  Not                          int16_t, uint16_t",
                "products of Mmad, TIK",
                "  npu_arch                     `__NPU_ARCH__`: 2002",
            ):
                self.assertIn(line + "\n", text)
        chips = {chip["name"]: chip for chip in json.loads(self.sfumato("chips", "--json").stdout)}
        self.assertEqual(json.loads(self.sfumato("chips", "Ascend910B1", "--json").stdout), chips["Ascend910B"])

    def test_help(self):
        self.assertRegex(self.sfumato("--version").stdout, r"^sfumato \d+\.\d+\.\d+\n$")
        self.assertEqual(self.sfumato("--help").returncode, 0)
        self.assertIn("out:DTYPE[SHAPE]=FILE.npy", self.sfumato("run", "--help").stdout)


if __name__ == "__main__":
    main("command_test")
