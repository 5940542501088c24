// SPDX-License-Identifier: Apache-2.0
// For handlers of signals: what lies at an address, of data or of code.
#include <fmt/format.h>

#include "runtime/code/source_lines.h"
#include "runtime/cores/core.h"
#include "runtime/memory/global_memory.h"
#include "sfumato/launch.h"

namespace sfumato {

std::string DescribeAddress(const void* p, const GlobalMemory* memory) {
    std::string text = runtime::CoreMemory::Describe(p);
    if (!text.empty() || !memory) return text;
    const auto& impl = *memory->impl();
    std::lock_guard lock(impl.mutex);
    const int nearest = impl.Nearest(p);
    if (nearest < 0) return "outside every allocation";
    const auto& a = impl.allocations[static_cast<size_t>(nearest)];
    const auto address = reinterpret_cast<uintptr_t>(p), begin = reinterpret_cast<uintptr_t>(a.base);
    if (address < begin) return fmt::format("{} bytes before '{}' ({} bytes)", begin - address, a.name, a.bytes);
    if (address < begin + a.bytes) return fmt::format("'{}'+{:#x}", a.name, address - begin);
    return fmt::format("{} bytes past the end of '{}' ({} bytes)", address - begin - a.bytes, a.name, a.bytes);
}

CodePlace FindCode(const void* instruction, const std::string& source) {
    const runtime::CodeFrame frame = runtime::UserFrame(runtime::FramesAt(instruction), source);
    return {frame.function, frame.file, frame.line};
}

std::string RunningCore() {
    const runtime::Core* core = runtime::CurrentCore();
    return core ? core->place().name : "";
}

bool IsStackOverflow(const void* p) {
    const runtime::Core* core = runtime::CurrentCore();
    return core && core->memory().IsBelowStack(p);
}

}  // namespace sfumato
