# SPDX-License-Identifier: Apache-2.0
"""Frames between processes, and values in them as JSON with the bytes of their arrays behind it: reading one runs no code of
its writer.

Frame   1 byte of kind, 8 bytes of length, the payload
Value   8 bytes of length, JSON, the bytes of the arrays one after another; in the JSON {"array": [type, shape]} stands
        for the next array, {"bytes": n} for the next n bytes
"""

from __future__ import annotations

import json
import math
import struct

import ml_dtypes
import numpy as np

HEADER = struct.Struct("=cQ")
LENGTH = struct.Struct("=Q")


class BadFrame(ValueError):
    """Bytes that no `encode` wrote."""


def send(stream, kind: bytes, payload=b""):
    stream.sendall(HEADER.pack(kind, len(payload)))
    if payload:
        stream.sendall(payload)


def receive(stream) -> tuple[bytes, bytearray] | None:
    """(kind, payload); None at the end of the stream."""
    header = _exactly(stream, HEADER.size)
    if header is None:
        return None
    kind, size = HEADER.unpack(header)
    payload = _exactly(stream, size)
    return None if payload is None else (kind, payload)


def _exactly(stream, size):
    try:
        data = bytearray(size)
    except (MemoryError, OverflowError):  # nobody sends so much
        return None
    view = memoryview(data)
    while view:
        try:
            count = stream.recv_into(view)
        except ConnectionError:
            count = 0
        if not count:
            return None
        view = view[count:]
    return data


def encode(value) -> bytes:
    """Plain values: None, numbers, text, bytes, arrays, lists, mappings of text."""
    parts = []

    def plain(item):
        if isinstance(item, np.ndarray):
            parts.append(np.ascontiguousarray(item).tobytes())
            return {"array": [item.dtype.name, list(item.shape)]}
        if isinstance(item, (bytes, bytearray, memoryview)):
            parts.append(bytes(item))
            return {"bytes": len(parts[-1])}
        if isinstance(item, np.generic):
            return item.item()
        if isinstance(item, dict):
            return {"map": [[str(key), plain(part)] for key, part in item.items()]}
        if isinstance(item, (list, tuple)):
            return [plain(part) for part in item]
        if item is None or isinstance(item, (bool, int, float, str)):
            return item
        raise TypeError(f"{type(item).__name__} is no plain value")

    text = json.dumps(plain(value)).encode()
    return b"".join((LENGTH.pack(len(text)), text, *parts))


def dtype_of(name) -> np.dtype:
    return np.dtype(getattr(ml_dtypes, name, None) or name)


def decode(data):
    """What `encode` got, lists for tuples. BadFrame for anything else."""
    data = memoryview(data)
    try:
        (size,) = LENGTH.unpack_from(data)
        at = LENGTH.size + size
        tree = json.loads(bytes(data[LENGTH.size : at]))

        def take(count):
            nonlocal at
            if not 0 <= count <= len(data) - at:
                raise BadFrame("an array is cut short")
            at += count
            return data[at - count : at]

        def whole(item):
            if isinstance(item, list):
                return [whole(part) for part in item]
            if not isinstance(item, dict):
                return item
            ((kind, content),) = item.items()
            if kind == "map":
                return {str(key): whole(part) for key, part in content}
            if kind == "bytes":
                return bytes(take(int(content)))
            name, shape = content
            dtype, shape = dtype_of(name), [int(n) for n in shape]
            if kind != "array" or dtype.hasobject or min(shape, default=0) < 0:
                raise BadFrame("no array")
            part = take(math.prod(shape) * dtype.itemsize)
            return np.frombuffer(bytearray(part), dtype).reshape(shape)

        return whole(tree)
    except BadFrame:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a hostile writer makes of it
        raise BadFrame(f"{type(error).__name__}: {error}") from None
