// SPDX-License-Identifier: Apache-2.0
// The state of TPipe, queues and buffers in words, for a debugger.
#include "sfumato/debugger.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontends/ascendc/framework.h"
#include "runtime/launch_state.h"
#include "runtime/of_thread.h"

namespace sfumato::ascendc {

using AscendC::TPosition;

std::string Framework::DebugPlace(TPosition position, const uint8_t* address) const {
    const isa::Memory memory = core_.chip().position[static_cast<size_t>(position)];
    return fmt::format("{}+{:#x}", isa::Name(memory), address - core_.MemoryBase(memory));
}

std::string Framework::DebugQueue(size_t index) const {
    constexpr const char* kStates[] = {"free", "allocated", "enqueued", "dequeued"};  // as BlockState
    const Queue& queue = queues_[index];
    std::array<size_t, std::size(kStates)> counts{};
    std::vector<std::string> states;
    std::string parts;
    for (size_t b = 0; b < queue.blocks.size(); ++b) {
        const Block& block = queue.blocks[b];
        const auto state = static_cast<size_t>(block.state);
        ++counts[state];
        parts += fmt::format("\n[{}]\t{} at {}", b, kStates[state], DebugPlace(queue.position, block.address));
        if (block.last.line) parts += fmt::format(", since {}:{}", block.last.file, block.last.line);
    }
    for (size_t s = 0; s < counts.size(); ++s) {
        if (counts[s] || s == 0) states.push_back(fmt::format("{} {}", counts[s], kStates[s]));
    }
    const char* ended = queue.taken.line ? " (its memory was handed out again)" : "";
    return fmt::format("{} -> {}, depth {}, {} x {} bytes: {}{}{}", Name(queue.from), Name(queue.to), queue.depth,
                       queue.blocks.size(), queue.bytes, fmt::join(states, ", "), ended, parts);
}

std::string Framework::DebugBuffer(size_t index) const {
    const Buffer& buffer = buffers_[index];
    return fmt::format("{}, {} bytes at {}{}", Name(buffer.position), buffer.bytes,
                       DebugPlace(buffer.position, buffer.address), buffer.taken.line ? " (handed out again)" : "");
}

std::string Framework::DebugText(int32_t subject, uint64_t at) const {
    switch (subject) {
        case kSfumatoDebugQueue: return at < queues_.size() ? DebugQueue(at) : "";
        case kSfumatoDebugBuffer: return at < buffers_.size() ? DebugBuffer(at) : "";
        case kSfumatoDebugPool: {
            if (at >= pools_.size()) return "";
            const Pool& pool = pools_[at];
            return fmt::format("{}, {} of {} buffers, {} of {} bytes used", isa::Name(pool.memory), pool.count,
                               pool.most, pool.used, pool.bytes);
        }
        case kSfumatoDebugPipe: break;
        default: return "";
    }
    if (!pipe_) return "not initialised, or destroyed";
    std::vector<std::string> used;
    for (size_t m = 0; m < used_.size(); ++m) {
        const auto memory = static_cast<isa::Memory>(m);
        if (used_[m])
            used.push_back(fmt::format("{} {} of {} bytes", isa::Name(memory), used_[m], core_.chip().Bytes(memory)));
    }
    std::string text = used.empty() ? "nothing taken" : fmt::format("{}", fmt::join(used, ", "));
    const auto line = [](const std::string& whole) { return whole.substr(0, whole.find('\n')); };
    for (size_t q = live_queues_; q < queues_.size(); ++q)
        text += fmt::format("\nqueue {}\t{}", q, line(DebugQueue(q)));
    for (size_t b = live_buffers_; b < buffers_.size(); ++b) text += fmt::format("\nbuffer {}\t{}", b, DebugBuffer(b));
    return text;
}

namespace {
// "UB+0x40", "x+0x200"; empty for an address of neither the core nor GM. Takes no lock: the process may stand anywhere.
std::string PlaceOf(runtime::Core& core, uint64_t address) {
    for (int m = 0; m < isa::kMemoryCount; ++m) {
        const auto memory = static_cast<isa::Memory>(m);
        const uint64_t bytes = memory == isa::Memory::kGm ? 0 : core.chip().Bytes(memory);
        const uint64_t at = bytes == 0 ? 0 : address - reinterpret_cast<uintptr_t>(core.MemoryBase(memory));
        if (at < bytes) return fmt::format("{}+{:#x}", isa::Name(memory), at);
    }
    const auto* p = reinterpret_cast<const uint8_t*>(address);
    const int gm = core.FindGm(p);
    if (gm < 0) return "";
    const auto allocation = static_cast<uint32_t>(gm);
    return fmt::format("{}+{:#x}", core.Gm(allocation).name, p - core.GmBase(allocation));
}

std::string TextOf(int32_t subject, uint64_t of) {
    runtime::Core* core = runtime::CurrentCore();
    if (!core) return "";
    if (subject == kSfumatoDebugCore) {
        return fmt::format("block {} of {} on {}", core->place().block, core->launch().blocks, core->place().name);
    }
    if (subject == kSfumatoDebugAddress) return PlaceOf(*core, of);
    const auto* framework = dynamic_cast<const Framework*>(core->front_end());
    return framework ? framework->DebugText(subject, of) : "";
}
}  // namespace

}  // namespace sfumato::ascendc

const char* sfumato_debug_text(int32_t subject, uint64_t of) noexcept {
    std::string& text = sfumato::runtime::OfThread<std::string>();
    try {
        text = sfumato::ascendc::TextOf(subject, of);
    } catch (...) {
        text.clear();
    }
    return text.c_str();
}
