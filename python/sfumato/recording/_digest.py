# SPDX-License-Identifier: Apache-2.0
"""What the bits of a record say: each question with the candidates that reproduce every point of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ._kit import Record
from ._matmuls import of_matrices
from ._probes import VERSION, probes
from ._questions import Answer, of_vectors

_KINDS = {"instructions": "", "torch_npu": ", operators of torch_npu: they are no instructions"}


@dataclass(frozen=True)
class Digest:
    soc: str
    kind: str
    recorded: int  # probes
    answers: tuple[Answer, ...]

    def of(self, question: str) -> Answer:
        return next(answer for answer in self.answers if answer.question == question)

    @property
    def unanswered(self) -> tuple[Answer, ...]:
        """Recorded, and no candidate gives it."""
        return tuple(answer for answer in self.answers if answer.points and not answer.answered)

    def to_dict(self) -> dict:
        return {
            "format": 1,
            "soc": self.soc,
            "kind": self.kind,
            "probes": VERSION,
            "recorded": self.recorded,
            "of": len(probes()),
            "answers": [answer.to_dict() for answer in self.answers],
            "unanswered": [answer.question for answer in self.unanswered],
        }

    def text(self) -> str:
        lines = [f"{self.soc}, {VERSION}: {self.recorded} of {len(probes())} probes{_KINDS.get(self.kind, '')}"]
        told, named = [], {}
        for answer in self.answers:
            word = _as_named(answer)
            if word is None:
                told.append(answer)
            else:
                named.setdefault(word, []).append(answer)
        lines += [_line(answer) for answer in told if answer.answered]
        for word, group in named.items():
            points, most = sum(answer.points for answer in group), max(answer.candidates for answer in group)
            rest = f"as its name says{', ' if word else ''}{word}"
            lines.append(f"{f'Cast, {len(group)} modes':32} {rest:34} {points} points, up to {most} candidates each")
        lost = [answer for answer in told if not answer.points]
        if lost:
            lines.append(f"not recorded: {_listed([answer.question for answer in lost])}")
        unanswered = self.unanswered
        if unanswered:
            lines.append(
                f"UNANSWERED: {len(unanswered)} of {len(self.answers)} questions; no candidate gives these bits"
            )
            lines += [f"  {a.question}: none of {a.candidates} over {a.points} points; {a.detail}" for a in unanswered]
        elif not lost:
            lines.append(f"each of {len(self.answers)} questions is answered")
        return "\n".join(lines) + "\n"


def _listed(questions):
    """Of more than three about one call the number alone."""
    calls = {}
    for question in questions:
        calls.setdefault(question.split()[0], []).append(question)
    return ", ".join(f"{len(group)} of {call}" if len(group) > 3 else ", ".join(group) for call, group in calls.items())


def _line(answer):
    first, *others = answer.survivors
    word = f"{first} = {others[0]}" if len(others) == 1 else f"{first} = {len(others)} others" if others else first
    count = f"{len(answer.survivors)} of {answer.candidates} candidates"
    line = f"{answer.question:32} {word:34} {answer.points} points, {count}"
    return f"{line}; {answer.detail}" if answer.detail else line


def _as_named(answer):
    """Of a cast that rounds as its name says: what else survives of the same candidate. None for others."""
    for survivor in answer.survivors if answer.expected else ():
        mode, _, rest = survivor.partition(", ")
        if mode == answer.expected:
            return rest
    return None


def digest(path: Path) -> Digest:
    """Of a kit's folder with outputs, or of a packed record. Raises Refused."""
    record = Record(Path(path))
    return of_record(record)


def of_record(record: Record) -> Digest:
    first = record.read("plan.txt").decode("utf-8", "replace").partition("\n")[0] if "plan.txt" in record.names else ""
    record.check_version(first.removeprefix("# "), "plan.txt")
    outputs, board = record.outputs(), record.board()
    answers = (*of_vectors(outputs), *of_matrices(outputs))
    return Digest(board.get("soc", "unknown"), board.get("kind", "instructions"), len(outputs), answers)
