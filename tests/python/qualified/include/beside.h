// SPDX-License-Identifier: Apache-2.0
// A header of the chain.
// clang-format off
#pragma once
inline[aicore] void Wait(pipe_t from, pipe_t to, event_t id = EVENT_ID0) {
    set_flag(from, to, id);
    wait_flag(from, to, id);
}
__attribute__((noinline)) [aicore] int32_t Twice(int32_t n) { return 2 * n; }
