# SPDX-License-Identifier: Apache-2.0
"""Memory: numbers of the allocator that tensors of the device come from, in bytes."""

from .. import _C
from .device import index_of


def empty_cache():
    """Frees the blocks of tensors that are gone."""
    _C.empty_cache()


def mem_get_info(device=None):
    """Free and total bytes of this machine: the chips' data have no size of their memory."""
    index_of(device)
    return _C.memory()


def _count(name):
    def count(device=None):
        index_of(device)
        return _C.cache()[name]

    count.__name__ = name
    return count


memory_allocated = _count("allocated")
max_memory_allocated = _count("peak_allocated")
memory_reserved = _count("reserved")
max_memory_reserved = _count("peak_reserved")


def memory_stats(device=None):
    """The counts by PyTorch's names, of what the allocator knows."""
    index_of(device)
    known = _C.cache()
    return {
        "allocated_bytes.all.current": known["allocated"],
        "allocated_bytes.all.peak": known["peak_allocated"],
        "reserved_bytes.all.current": known["reserved"],
        "reserved_bytes.all.peak": known["peak_reserved"],
        "active.all.current": known["blocks"],
        "allocation.all.current": known["blocks"],
        "allocation.all.allocated": known["taken"],
        "num_ooms": 0,
    }


def reset_peak_memory_stats(device=None):
    index_of(device)
    _C.reset_peaks()


reset_max_memory_allocated = reset_peak_memory_stats
