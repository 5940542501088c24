# SPDX-License-Identifier: Apache-2.0
"""Runs hostile jobs and looks for what they leave: hostile_run.py COUNT [WORKERS]."""

import glob
import os
import random
import resource
import sys
from collections import Counter
from pathlib import Path

import hostile_jobs

from sfumato.judging import Limits
from sfumato.judging.pool import Job, Pool

LIMITS = Limits(wall=1.0, cpu=1.0, memory=256 << 20, files=8 << 20, processes=32, output=8 << 20)
SLOW_SHARE = 25  # one in so many of the jobs that run into their time limit
_SHARED = ("/dev/shm", "/tmp", "/var/tmp")


def choose(count, seed):
    """The names of the jobs: every kind, and then at random, seldom those that take their whole time."""
    rng = random.Random(seed)
    names = list(hostile_jobs.KINDS)
    quick = [name for name, (_, slow) in hostile_jobs.KINDS.items() if not slow]
    slow = [name for name, (_, slow) in hostile_jobs.KINDS.items() if slow]
    while len(names) < count:
        names.append(rng.choice(slow) if rng.randrange(SLOW_SHARE) == 0 else rng.choice(quick))
    rng.shuffle(names)
    return names[:count] if count < len(names) else names


def processes(users):
    """Command lines of the processes of these users, which are those of jobs."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if entry.stat().st_uid in users:
                    found.append((int(entry.name), (entry / "cmdline").read_bytes().decode(errors="replace")))
            except OSError:
                continue
    return found


def files():
    found = {f"{folder}/{name}" for folder in _SHARED for name in os.listdir(folder)}
    return {name for name in found if "hostile" in name or name.startswith("/dev/shm/")}


def resident(pool):
    total = 0
    for worker in pool._all:
        with open(f"/proc/{worker.process.pid}/smaps_rollup") as file:
            total += sum(int(line.split()[1]) for line in file if line.startswith(("Private_Dirty", "Private_Clean")))
    return total


def run(count, workers=2, seed=1):
    """Complaints, in sentences; and how jobs ended."""
    path = [os.path.dirname(__file__), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(path)
    before, complaints, ends, memory = files(), [], Counter(), []
    with Pool(workers, LIMITS, sandbox="require", preload=["hostile_jobs"]) as pool:
        pool.call(Job("hostile_jobs:behaves"))
        servers = None
        for number, (job, outcome) in enumerate(
            pool.run(Job(f"hostile_jobs:{name}", tag=name) for name in choose(count, seed))
        ):
            statuses = hostile_jobs.KINDS[job.tag][0]
            ends[job.tag, outcome.status] += 1
            if outcome.status not in statuses:
                complaints.append(
                    f"{job.tag}: {outcome.status}, not {' or '.join(statuses)}: {outcome.why} {outcome.error}"
                )
            elif outcome.status == "returned" and outcome.value != hostile_jobs.VALUES.get(job.tag, outcome.value):
                complaints.append(f"{job.tag} returned {outcome.value!r}")
            if number >= count // 10 and number % max(1, count // 20) == 0:
                memory.append(resident(pool))
            alive = {worker.process.pid for worker in pool._all}
            if len(alive) == workers:
                servers = servers or alive
                if alive != servers:
                    complaints.append(f"{job.tag}: a server is another")
                    servers = alive
        after = pool.call(Job("hostile_jobs:behaves"))
        if after.value != 42:
            complaints.append(f"the job after them: {after}")
        # While workers idle nothing of any job may live.
        users = {worker.uid for worker in pool._all}
        complaints += [f"left: process {pid} {words}" for pid, words in processes(users)]
        servers = [worker.process.pid for worker in pool._all]
    complaints += [
        f"left: {group}"
        for pid in servers
        for group in glob.glob(f"/sys/fs/cgroup/**/sfumato-judge-{pid}-*", recursive=True)
    ]
    complaints += [f"left: {name}" for name in sorted(files() - before)]
    # Between jobs it goes up and down; what leaks stays.
    if len(memory) > 2 and min(memory[len(memory) // 2 :]) > min(memory) + 8192:
        complaints.append(f"memory of the servers grows: {memory} KiB")
    return complaints, ends, memory


def main():
    count = int(sys.argv[1])
    workers = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    complaints, ends, memory = run(count, workers)
    for (name, status), number in sorted(ends.items()):
        print(f"{name:32} {status:16} {number}")
    print(f"private memory of the servers: {memory} KiB")
    for complaint in complaints[:50]:
        print("COMPLAINT", complaint)
    print(f"{sum(ends.values())} jobs, {len(complaints)} complaints")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
