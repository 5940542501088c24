// SPDX-License-Identifier: Apache-2.0
// Memory that a kernel's own code, or that of op_host, asks of the host: compiled, they call these in place of the C
// library's (the linker's --wrap), so that a null pointer is told as what it is. operator new throws, and launch.cpp
// tells it.
#include <errno.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <cstdint>
#include <new>

#include "runtime/code/crash.h"
#include "runtime/code/memory_calls.h"
#include "runtime/code/process_taker.h"
#include "runtime/cores/core.h"
#include "runtime/launch/launch_state.h"

namespace sfumato::runtime {

Report KernelMemory(const std::string& found) {
    return ToReport({Rule::kKernelMemory, "", "the host has no memory for what the kernel's code asks", found,
                     "kernels work in the memories of their core and in global memory",
                     "remove malloc, new and containers that grow; a core of the chip has none of them"},
                    "", {});
}

void TellKernelMemory(const char* call, size_t bytes, const void* at) {
    Core* const core = CurrentCore();
    if (core == nullptr) {
        if (const MemoryTaker taker = CurrentMemoryTaker())
            taker(fmt::format("{} of {} bytes", call, bytes).c_str(), at);
        return;
    }
    const CodePlace place = FindCode(static_cast<const uint8_t*>(at) - 1, core->launch().source);
    Report report = KernelMemory(fmt::format("{} of {} bytes", call, bytes));
    report.file = place.file;
    report.line = place.line;
    report.index = core->next_index();
    core->findings().Add(std::move(report));
    core->stopping().Now();
}

}  // namespace sfumato::runtime

#define SFUMATO_ASKED(got, failed, call, bytes) \
    if ((got) == (failed) && (bytes) != 0) sfumato::runtime::TellKernelMemory(call, bytes, __builtin_return_address(0));

extern "C" SFUMATO_API void* __wrap_malloc(size_t bytes) {
    void* const got = malloc(bytes);
    SFUMATO_ASKED(got, nullptr, "malloc", bytes)
    return got;
}
extern "C" SFUMATO_API void* __wrap_calloc(size_t count, size_t size) {
    void* const got = calloc(count, size);
    SFUMATO_ASKED(got, nullptr, "calloc", count * size)
    return got;
}
extern "C" SFUMATO_API void* __wrap_realloc(void* old, size_t bytes) {
    void* const got = realloc(old, bytes);
    SFUMATO_ASKED(got, nullptr, "realloc", bytes)
    return got;
}
extern "C" SFUMATO_API void* __wrap_aligned_alloc(size_t alignment, size_t bytes) {
    void* const got = aligned_alloc(alignment, bytes);
    SFUMATO_ASKED(got, nullptr, "aligned_alloc", errno == ENOMEM ? bytes : 0)
    return got;
}
extern "C" SFUMATO_API int __wrap_posix_memalign(void** got, size_t alignment, size_t bytes) {
    const int error = posix_memalign(got, alignment, bytes);
    SFUMATO_ASKED(error, ENOMEM, "posix_memalign", bytes)
    return error;
}
extern "C" SFUMATO_API void* __wrap_mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset) {
    void* const got = mmap(at, bytes, protection, flags, file, offset);
    SFUMATO_ASKED(got, MAP_FAILED, "mmap", errno == ENOMEM ? bytes : 0)
    return got;
}
extern "C" SFUMATO_API void* __wrap_mmap64(void* at, size_t bytes, int protection, int flags, int file, off_t offset) {
    return __wrap_mmap(at, bytes, protection, flags, file, offset);
}
// new (std::nothrow) T, and T[].
extern "C" SFUMATO_API void* __wrap__ZnwmRKSt9nothrow_t(size_t bytes, const std::nothrow_t& tag) {
    void* const got = ::operator new(bytes, tag);
    SFUMATO_ASKED(got, nullptr, "new", bytes)
    return got;
}
extern "C" SFUMATO_API void* __wrap__ZnamRKSt9nothrow_t(size_t bytes, const std::nothrow_t& tag) {
    void* const got = ::operator new[](bytes, tag);
    SFUMATO_ASKED(got, nullptr, "new[]", bytes)
    return got;
}
