# SPDX-License-Identifier: Apache-2.0
"""Graphs of captured launches: refused, a launch runs when it is submitted."""

from .. import _C


def _refusal(name):
    return RuntimeError(_C.refuse_capture().replace("aclmdlRICaptureBegin", f"torch.npu.{name}", 1))


def is_current_stream_capturing():
    return False


class NPUGraph:
    def __init__(self, *_, **__):
        raise _refusal(type(self).__name__)


class graph(NPUGraph):
    pass


class ExternalEvent(NPUGraph):
    pass


def _refuse(name):
    def refuse(*_, **__):
        raise _refusal(name)

    refuse.__name__ = name
    return refuse


graph_pool_handle = _refuse("graph_pool_handle")
graph_task_group_begin = _refuse("graph_task_group_begin")
graph_task_group_end = _refuse("graph_task_group_end")
graph_task_update_begin = _refuse("graph_task_update_begin")
graph_task_update_end = _refuse("graph_task_update_end")
make_graphed_callables = _refuse("make_graphed_callables")
