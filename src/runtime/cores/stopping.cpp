// SPDX-License-Identifier: Apache-2.0
// Leaving a kernel before its end.
#include "runtime/cores/stopping.h"

#include "runtime/code/unwinding.h"

namespace sfumato::runtime {

void Stopping::Now() {
    if (landing != nullptr && !IsCaught(typeid(StopCore))) std::longjmp(*landing, 1);
    throw StopCore{};
}

void Stopping::WithThoseAbove() {
    cores_.StopAbove(order_);
    Now();
}

void Stopping::At(std::string_view call, Where where, bool waiting) {
    if (!stood_.stopped) stood_ = {true, waiting, std::string(call), where, records_.load(std::memory_order_relaxed)};
    Now();
}

}  // namespace sfumato::runtime
