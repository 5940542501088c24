// SPDX-License-Identifier: Apache-2.0
// How the system lays a ucontext_t out.
#include "system/registers.h"

#include <ucontext.h>

namespace sfumato::system {
namespace {

struct Registers {
    const void *instruction = nullptr, *stack = nullptr;
};

Registers Of([[maybe_unused]] const void* context) {
    [[maybe_unused]] const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return {reinterpret_cast<const void*>(machine.gregs[REG_RIP]),
            reinterpret_cast<const void*>(machine.gregs[REG_RSP])};
#elif defined(__aarch64__)
    return {reinterpret_cast<const void*>(machine.pc), reinterpret_cast<const void*>(machine.sp)};
#else
    return {};
#endif
}

}  // namespace

const void* InstructionOf(const void* context) { return Of(context).instruction; }

const void* StackPointerOf(const void* context) { return Of(context).stack; }

}  // namespace sfumato::system
