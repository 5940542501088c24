// SPDX-License-Identifier: Apache-2.0
// What share/sfumato/gdb asks a stopped process: the library itself needs no debug information for it.
#pragma once

#include <cstdint>

#include "sfumato/data_type.h"

// What `of` means: nothing for the core and its TPipe; of a TQue, TBuf or TBufPool the number in its handle; an
// address.
enum SfumatoDebugSubject : int32_t {
    kSfumatoDebugCore = 0,
    kSfumatoDebugPipe = 1,
    kSfumatoDebugQueue = 2,
    kSfumatoDebugBuffer = 3,
    kSfumatoDebugPool = 4,
    kSfumatoDebugAddress = 5
};

// Of the core the calling thread runs: a line that sums the subject up, then for each of its parts a line "name\ttext".
// Empty where there is none. Valid until the thread's next call.
extern "C" SFUMATO_API const char* sfumato_debug_text(int32_t subject, uint64_t of) noexcept;
