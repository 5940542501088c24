# SPDX-License-Identifier: Apache-2.0
"""Random numbers: those of the CPU's generator with the same seed."""

from .. import _C
from .device import index_of

default_generators = tuple(_C.default_generator(i) for i in range(_C.device_count()))


def manual_seed(seed):
    default_generators[_C.current_device()].manual_seed(int(seed))


def manual_seed_all(seed):
    for generator in default_generators:
        generator.manual_seed(int(seed))


def seed():
    default_generators[_C.current_device()].seed()


def seed_all():
    seed()
    manual_seed_all(initial_seed())


def initial_seed():
    return default_generators[_C.current_device()].initial_seed()


def get_rng_state(device="npu"):
    return default_generators[index_of(device)].get_state()


def get_rng_state_all():
    return [generator.get_state() for generator in default_generators]


def set_rng_state(new_state, device="npu"):
    default_generators[index_of(device)].set_state(new_state)


def set_rng_state_all(new_states):
    for generator, state in zip(default_generators, new_states):
        generator.set_state(state)


def _is_in_bad_fork():
    return False
