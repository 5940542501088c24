# SPDX-License-Identifier: Apache-2.0
"""Slips of the command line: what each is told."""

from command_case import CommandCase, main


class UsageTest(CommandCase):
    def test_usage_errors(self):
        for args, text in [
            (["run", "k.cpp"], "which chip? Give --chip NAME"),
            (["run", "k.cpp", "--chip", "Ascend999"], "Ascend910B1"),
            (["run", "k.cpp", "--chip", "Ascend310"], "TIK only"),
            (["run", "--chip", "Ascend910B1"], "source"),
            (
                ["run", "none.cpp", "--chip", "Ascend910B1"],
                "cannot read the kernel source none.cpp: No such file or directory",
            ),
            (["run", "k.cpp", "--chip", "Ascend910B1"], "k.cpp has several kernels, so name one: copy, ops::tile"),
            (
                ["run", "k.cpp", "--chip", "Ascend910B1", "--kernel", "cpy"],
                "k.cpp has no kernel 'cpy': it has copy, ops::tile",
            ),
            (["run", "k.cpp", "--chip", "Ascend910B1", "--kernel", "never"], "k.cpp has no kernel 'never'"),
            (["run", "other.h", "--chip", "Ascend910B1"], "other.h has no __global__ function"),
            (["run", "k.cpp", "--chip", "Ascend910B1", "--overflow", "wrap"], "saturate"),
            (
                [
                    "run",
                    "k.cpp",
                    "--chip",
                    "Ascend910B1",
                    "--kernel",
                    "null",
                    "--mmad-order",
                    "k0",
                    "--",
                    "out:int32[8]=z.npy",
                ],
                "k0-block",
            ),
            (["run", "k.cpp", "--chip", "Ascend910B1", "--flags", "pair"], "setter"),
            (["run", "k.cpp", "--chip", "Ascend910B1", "--blocks", "0"], "--blocks 0"),
            (["run", "k.cpp", "--chip", "Ascend910B1", "--blocks", "x"], "--blocks: 'x' is not a number\n"),
            (["run", "k.cpp", "--chpi", "Ascend910B1"], "--chpi"),
            (
                ["rum"],
                "unknown command 'rum'; did you mean run?\nThe commands are run, check, gdb, lldb, time, init, explain, tik, op, diff, ulp, judge, sweep, record, reports, env, "
                "test, toolkit, msopgen, build-op, op_build, opc, msprof, npu-smi, build, chips, doctor\n",
            ),
            (["xylophone"], "unknown command 'xylophone'\nThe commands are run, check, gdb, lldb, "),
            (["msdebug"], "unknown command 'msdebug'; here type sfumato gdb FILE ...\nThe commands are run, "),
            (["k.cpp"], "unknown command 'k.cpp'; sfumato run k.cpp runs a kernel\nThe commands are run, "),
            (["s.py"], "unknown command 's.py'; sfumato tik s.py runs a TIK script\nThe commands are run, "),
            (["chips", "Ascend911"], "error: unknown chip 'Ascend911'; did you mean Ascend910, "),
            (["chips", "Ascend931"], "error: unknown chip 'Ascend931'; did you mean Ascend310, "),
            (["chips", "tpu"], "error: unknown chip 'tpu'\n`sfumato chips` lists them\n"),
            (["run", "s.py", "--chip", "Ascend910B1"], "s.py is a Python script; sfumato tik s.py runs a TIK script\n"),
            (["time", "s.py"], "sfumato tik s.py runs a TIK script, and --time estimates its kernel\n"),
            (["run", "k.cpp", "--block", "2"], "unknown option --block; did you mean --blocks?\n"),
            (["run", "k.cpp", "--xyz=2"], "unknown option --xyz\n`sfumato run --help` lists what is legal.\n"),
            (["run", "k.cpp", "--fail-on", "x"], "--fail-on: 'x' is not legal; legal: fault, warning\n"),
            (["run", "k.cpp", "--cache"], "--cache: its value is missing\n"),
            (["chips", "Ascend910", "x"], "'x' is one word too many\n"),
            ([], "a command is missing\n"),
            (["--verison"], "unknown option --verison; did you mean --version?\n"),
        ]:
            with self.subTest(args=args):
                self.assert_refused(self.sfumato(*args), text)
        self.assert_refused(self.run_kernel("say", "workspace:1", options=["--schedule", "random"]), "random")


if __name__ == "__main__":
    main("usage_test")
