// SPDX-License-Identifier: Apache-2.0
// What the functions of sfumato/process.h call. No include, so that it can stand before everything else of a source.
#pragma once

namespace sfumato {
namespace process {

enum class End : unsigned char { kExit, kUnderscoreExit, kBigExit, kQuickExit, kAbort };

// On a simulated core: the fault "process-end". Elsewhere: calls the C library's function.
[[noreturn]] __attribute__((visibility("default"))) void Finish(End end, int status, const char* file, unsigned line);

}  // namespace process
}  // namespace sfumato
