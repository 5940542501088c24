// SPDX-License-Identifier: Apache-2.0
// Variables of functions in local memory (language.md 5.1): each takes the next bytes of its memory when the core first
// comes to it, and keeps them.
#include "sfumato/ascendc/local_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/framework.h"

namespace sfumato::ascendc {
namespace {

// What a memory is aligned to (language.md 5.1).
uint64_t AlignmentOf(isa::Memory memory) {
    switch (memory) {
        case isa::Memory::kL0A:
        case isa::Memory::kL0B: return 512;
        case isa::Memory::kL0C:
        case isa::Memory::kBt: return 64;
        case isa::Memory::kFb: return 128;
        default: return 32;
    }
}

isa::Memory MemoryOf(const runtime::Core& core, AscendC::TPosition position) {
    return core.chip().position[static_cast<size_t>(position)];
}

// Of a memory that the core has not: code for cube and vector cores may name both. Nothing uses it.
void* NotHere(uint64_t offset) { return reinterpret_cast<void*>(static_cast<uintptr_t>(4096 + offset)); }

}  // namespace

void* Framework::PlaceLocal(const LocalVariable& variable, uint64_t bytes, uint64_t align) {
    const isa::Memory memory = MemoryOf(core_, variable.position);
    const uint64_t size = core_.chip().Bytes(memory);
    const auto placed = std::ranges::find(locals_.placed, &variable, &LocalPlace::variable);
    if (placed != locals_.placed.end()) return LocalAddress(memory, placed->begin);
    // Pages list the families whose cores are separate.
    RequireChip(
        core_, variable.name, variable.where, [](const soc::Chip& chip) { return chip.split_cores; },
        Rule::kStaticArrayUnsupported, "has no arrays in local memory", "take memory from a TPipe");
    uint64_t& end = locals_.end[static_cast<size_t>(memory)];
    const uint64_t unit = std::max(align, AlignmentOf(memory)), begin = (end + unit - 1) / unit * unit;
    if (size == 0 || begin + bytes > size) {
        Report report =
            ToReport({Rule::kStaticArrayFull, "", fmt::format("the array does not fit in {}", isa::Name(memory)),
                      fmt::format("{} bytes, behind {} bytes of arrays", bytes, begin),
                      fmt::format("at most {} bytes of {} on {}", size, isa::Name(memory), core_.chip().name),
                      "use smaller arrays; every array keeps its place until the kernel ends"},
                     variable.name, variable.where);
        for (const LocalPlace& place : locals_.placed) {
            if (place.memory != memory) continue;
            const LocalVariable& other = *place.variable;
            report.related.push_back(
                {other.where.file, other.where.line, fmt::format("{} has {} bytes", other.name, place.bytes)});
        }
        report.index = core_.next_index();
        core_.findings().Add(std::move(report));
        core_.stopping().Now();  // no memory is there, even where faults are collected
    }
    end = begin + bytes;
    locals_.placed.push_back({&variable, memory, begin, bytes});
    WarnOfPipe(memory, variable.name, variable.where);
    return LocalAddress(memory, begin);
}

void* Framework::LocalAddress(isa::Memory memory, uint64_t offset) {
    uint8_t* base = core_.MemoryBase(memory);
    return base ? base + offset : NotHere(offset);
}

void* Framework::DynamicUb(Where where) {
    constexpr auto kUb = static_cast<size_t>(isa::Memory::kUb);
    const uint64_t size = core_.chip().Bytes(isa::Memory::kUb);
    if (!locals_.dynamic) {
        const uint64_t begin = (locals_.end[kUb] + 31) / 32 * 32;
        if (locals_.dynamic_bytes > size - begin) {
            ascendc::Find(core_, "extern __ubuf__", where,
                          {Rule::kStaticArrayFull, "", "the launch asks for more of UB than is left",
                           fmt::format("{} bytes behind the arrays' {}", locals_.dynamic_bytes, begin),
                           fmt::format("at most {} bytes in all on {}", size, core_.chip().name),
                           "the second word in <<< >>> is the bytes of extern __ubuf__ arrays"});
            core_.stopping().Now();
        }
        locals_.dynamic = begin;
        locals_.end[kUb] = begin + locals_.dynamic_bytes;
        WarnOfPipe(isa::Memory::kUb, "extern __ubuf__", where);
    }
    return LocalAddress(isa::Memory::kUb, *locals_.dynamic);
}

void Framework::WarnOfPipe(isa::Memory memory, const char* call, Where where) {
    const size_t m = static_cast<size_t>(memory);
    if (used_[m] == 0 || locals_.end[m] == 0 || locals_.told) return;
    locals_.told = true;
    ascendc::Find(core_, call, where,
                  {Rule::kStaticArrayAndPipe, "",
                   fmt::format("arrays of the kernel and buffers of its TPipe lie in the same bytes of {}, since both "
                               "begin at 0",
                               isa::Name(memory)),
                   fmt::format("{} bytes of arrays, {} bytes of InitBuffer", locals_.end[m], used_[m]),
                   "arrays, or InitBuffer, in one memory", ""});
}

void* AddressOf(const LocalVariable& variable, uint64_t bytes, uint64_t align) {
    return Framework::Of(ThisCore(variable.name)).PlaceLocal(variable, bytes, align);
}

void* DynamicUb(Where where) { return Framework::Of(ThisCore("extern __ubuf__")).DynamicUb(where); }

void SetDynamicUb(uint64_t bytes) { Framework::Of(ThisCore("<<<>>>")).SetDynamicUb(bytes); }

void* AddressAt(AscendC::TPosition position, uint64_t value, Where where) {
    runtime::Core& core = ThisCore("a cast to a pointer into local memory");
    const isa::Memory memory = MemoryOf(core, position);
    const uint64_t bytes = core.chip().Bytes(memory);
    uint8_t* base = core.MemoryBase(memory);
    const auto begin = reinterpret_cast<uintptr_t>(base);
    if (base && value - begin <= bytes) return base + (value - begin);
    if (value <= bytes) return base ? base + value : NotHere(value);
    if (!base) return reinterpret_cast<void*>(static_cast<uintptr_t>(value));
    Find(core, "cast", where,
         {Rule::kUbPointer, "", fmt::format("the number is no address of {}", isa::Name(memory)),
          fmt::format("{:#x}", value), fmt::format("0 to {:#x}, or an address that a tensor has", bytes), ""});
    core.stopping().Now();  // no memory is there, even where faults are collected
}

}  // namespace sfumato::ascendc
