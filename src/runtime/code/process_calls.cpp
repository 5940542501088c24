// SPDX-License-Identifier: Apache-2.0
// What kernels call in place of the functions of process_calls.inc, and of execl and vfork.
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <vector>

#include "report/finding.h"
#include "runtime/code/crash.h"
#include "runtime/cores/core.h"
#include "runtime/launch/launch_state.h"

namespace sfumato::runtime {
namespace {

// On a core: the fault. Elsewhere, as in static initialisers, the call is none of a kernel's.
void Refuse(const char* name, const void* at) {
    Core* const core = CurrentCore();
    if (core == nullptr) return;
    const CodePlace place = FindCode(static_cast<const uint8_t*>(at) - 1, core->launch().source);
    Report report = ToReport(
        {Rule::kProcessEnd, "", "a kernel cannot copy or replace its process, nor start another",
         fmt::format("{}()", name), "kernels end by returning", "remove the call; stop with Trap() or assert()"},
        "", {place.file.c_str(), place.line});
    report.index = core->next_index();
    core->findings().Add(std::move(report));
    core->stopping().Now();
}

using Function = long (*)(long, long, long, long, long, long);

Function Real(const char* name) { return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name)); }

}  // namespace
}  // namespace sfumato::runtime

#define SFUMATO_PROCESS_CALL(name)                                                              \
    extern "C" SFUMATO_API long __wrap_##name(long a, long b, long c, long d, long e, long f) { \
        sfumato::runtime::Refuse(#name, __builtin_return_address(0));                           \
        const auto real = sfumato::runtime::Real(#name);                                        \
        if (real != nullptr) return real(a, b, c, d, e, f);                                     \
        errno = ENOSYS;                                                                         \
        return -1;                                                                              \
    }
#include "runtime/code/process_calls.inc"
#undef SFUMATO_PROCESS_CALL

// The arguments up to the null pointer; behind them execle has the environment.
#define SFUMATO_EXECL(name, real, ...)                                                              \
    extern "C" SFUMATO_API int __wrap_##name(const char* path, const char* argument, ...) {         \
        sfumato::runtime::Refuse(#name, __builtin_return_address(0));                               \
        std::vector<char*> arguments;                                                               \
        va_list more;                                                                               \
        va_start(more, argument);                                                                   \
        for (char* next = const_cast<char*>(argument); next != nullptr; next = va_arg(more, char*)) \
            arguments.push_back(next);                                                              \
        arguments.push_back(nullptr);                                                               \
        const int failed = real(path, arguments.data() __VA_OPT__(, ) __VA_ARGS__);                 \
        va_end(more);                                                                               \
        return failed;                                                                              \
    }
SFUMATO_EXECL(execl, execv)
SFUMATO_EXECL(execlp, execvp)
SFUMATO_EXECL(execle, execve, va_arg(more, char**))
#undef SFUMATO_EXECL

// A copy of the stack that both use must not return from a function in between: fork does for vfork.
extern "C" SFUMATO_API int __wrap_vfork() {
    sfumato::runtime::Refuse("vfork", __builtin_return_address(0));
    return fork();
}
