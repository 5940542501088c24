// SPDX-License-Identifier: Apache-2.0
// A header of the chain.
// clang-format off
#pragma once
inline[aicore] void Wait(pipe_t from, pipe_t to) {
    set_flag(from, to, EVENT_ID0);
    wait_flag(from, to, EVENT_ID0);
}
__attribute__((noinline)) [aicore] int32_t Twice(int32_t n) { return 2 * n; }
