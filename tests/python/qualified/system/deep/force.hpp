// SPDX-License-Identifier: Apache-2.0
// A header of the chain.
// clang-format off
#pragma once
#define FORCE __forceinline__
inline int UnusedInASystemHeader() {
    int unused;
    return 0;
}
