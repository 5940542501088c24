// SPDX-License-Identifier: Apache-2.0
// What kernels without a TPipe do by themselves, and what they forget (static.md 2).
#include "frontends/ascendc/static_tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "frontends/ascendc/framework.h"
#include "runtime/cores/core_reports.h"
#include "runtime/launch/launch_state.h"
#include "sfumato/round_up.h"

namespace sfumato::ascendc {
namespace {

using AscendC::Hardware;
using AscendC::TPosition;
using isa::Memory;

// Of each Hardware: its memory, the position of tensors that name none, and where tensors begin.
struct HardwareRow {
    Memory memory;
    TPosition position;
    uint32_t alignment;
};
constexpr HardwareRow kHardware[] = {{Memory::kGm, TPosition::GM, 32},   {Memory::kUb, TPosition::VECCALC, 32},
                                     {Memory::kL1, TPosition::A1, 32},   {Memory::kL0A, TPosition::A2, 512},
                                     {Memory::kL0B, TPosition::B2, 512}, {Memory::kL0C, TPosition::CO1, 64},
                                     {Memory::kBt, TPosition::C2, 64},   {Memory::kFb, TPosition::C2PIPE2GM, 128}};
static_assert(std::size(kHardware) == static_cast<size_t>(Hardware::MAX));

// They work in the end of UB.
constexpr uint64_t kReservedBytes = 8192;
constexpr std::string_view kUseReserved[] = {
    "Select", "AddDeqRelu", "Digamma", "Lgamma", "Power", "Sign", "LayerNorm", "DropOut", "SelectWithBytesMask"};

bool RequireStatic(runtime::Core& core, const char* call, Where where) {
    const auto has = [](const soc::Chip& chip) { return chip.static_tensors; };
    return RequireChip(core, call, where, has, Rule::kCallUnsupported, "does not have the call",
                       "declare a TPipe, which sets the state of the core and hands out its memories");
}

}  // namespace

void InitSocState(Where where) {
    runtime::Core& core = ThisCore("InitSocState");
    if (RequireStatic(core, "InitSocState", where)) core.registers().Begin(core.chip().split_cores);
}

void DataSyncBarrier(Where where) {
    constexpr const char* kCall = "DataSyncBarrier";
    runtime::Core& core = ThisCore(kCall);
    const auto has = [](const soc::Chip& chip) { return chip.data_sync_barrier; };
    if (!RequireChip(core, kCall, where, has, Rule::kCallUnsupported, "does not have the call",
                     "order the stores by flags or by PipeBarrier<PIPE_ALL>()"))
        return;
    core.scalar().Fence();
    core.Called(kCall, where);
}

LocalView TensorAt(TPosition position, uint32_t byte_offset, DataType type, uint32_t count, Where where) {
    LocalView view = StaticTensor(position, byte_offset, type, count, where);
    if (!view.address) return view;
    runtime::Core& core = ThisCore("LocalTensor");
    Framework::Of(core).statics().Made();
    // Instructions may write the rest of the last block.
    const uint64_t size = core.chip().Bytes(core.chip().position[static_cast<size_t>(position)]);
    view.room = static_cast<uint32_t>(std::min<uint64_t>(RoundUpTo(view.room, isa::kBlockBytes), size - byte_offset));
    return view;
}

LocalView Allocate(AllocatorPlace* place, uint8_t hardware, TPosition position, DataType type, uint64_t count,
                   Where where) {
    runtime::Core& core = ThisCore("LocalMemAllocator::Alloc");
    return Framework::Of(core).statics().Allocate(place, hardware, position, type, count, where);
}

runtime::Core& LibraryCall(runtime::Core& core, const char* call, Where where) {
    if (!core.scopes().outermost()) Framework::Of(core).statics().LibraryCall(call, where);
    return core;
}

void StaticTensors::PipeMade(Where where) {
    piped_ = true;
    const runtime::Registers& regs = core_.registers();
    if (regs.control.atomic != isa::Atomic::kNone && regs.atomic_where.line != 0) {
        Report report =
            ToReport({Rule::kAtomicDropped, "", "the TPipe turns off the atomic mode that was set before it",
                      "an atomic mode", "no atomic mode, or one that is set behind the TPipe",
                      "set the atomic mode behind the TPipe, before the stores that it is for"},
                     "TPipe", where);
        report.index = core_.next_index();
        report.related.push_back({regs.atomic_where.file, regs.atomic_where.line, "sets it"});
        core_.findings().Add(std::move(report));
    }
    core_.registers().Begin(core_.chip().split_cores);
}

// The pages have such kernels on these chips alone; elsewhere an address is all there is to them.
void StaticTensors::Made() {
    if (!core_.chip().static_tensors || std::exchange(made_, true)) return;
    core_.TellFrontEnd();
}

void StaticTensors::Keep(const char* call, Where where, Finding finding) {
    if (!piped_) late_.push_back({call, std::move(finding), where, core_.next_index()});
}

LocalView StaticTensors::Allocate(AllocatorPlace* place, uint8_t hardware, TPosition position, DataType type,
                                  uint64_t count, Where where) {
    constexpr const char* kCall = "LocalMemAllocator::Alloc";
    const HardwareRow& row = kHardware[hardware];
    if (position == TPosition::MAX) position = row.position;
    if (!RequireStatic(core_, kCall, where)) return {};
    core_.Called(kCall, where);
    const Memory behind = core_.chip().position[static_cast<size_t>(position)];
    const uint64_t size = core_.chip().TensorBytes(row.memory);
    if (behind != row.memory && size != 0) {
        ascendc::Find(core_, kCall, where,
                      {Rule::kStaticTensor, Name(position), "the position lies in another memory",
                       fmt::format("a position in {}, an allocator of {}",
                                   behind == Memory::kNone ? "no memory" : isa::Name(behind), isa::Name(row.memory)),
                       fmt::format("a position in {}", isa::Name(row.memory)), "make an allocator for each memory"});
        return {};
    }
    const uint64_t bytes = BytesOf(type, count);
    if (place->next + bytes > size) {
        ascendc::Find(
            core_, kCall, where,
            {Rule::kAllocatorFull, Name(position), fmt::format("the tensor does not fit in {}", isa::Name(row.memory)),
             fmt::format("{} bytes asked for, {} bytes free", bytes, size - std::min<uint64_t>(place->next, size)),
             fmt::format("{} has {} bytes for tensors on {}", isa::Name(row.memory), size, core_.chip().name),
             "use smaller tiles, or place tensors over others by LocalTensor(position, address, count)"});
        return {};
    }
    const isa::Span span{place->next, place->next + bytes};
    if (!CheckPlace(place, row.memory, span, where)) return {};
    place->next = static_cast<uint32_t>(std::min<uint64_t>(RoundUpTo(span.end, row.alignment), size));
    Made();
    LocalView view;
    view.address = core_.MemoryBase(row.memory) + span.begin;
    view.size = static_cast<uint32_t>(count);
    view.room = static_cast<uint32_t>(place->next - span.begin);
    view.position = position;
    if (bytes == 0) return view;
    // What another's tensor holds there stays: it is the other that reads it.
    if (!Of(row.memory).told) {
        core_.Marks(
            {.as = events::Marked::As::kRenewed, .memory = row.memory, .bytes = span, .call = kCall, .where = where});
    }
    Of(row.memory).taken.push_back({span, where});
    return view;
}

bool StaticTensors::CheckPlace(AllocatorPlace* place, Memory memory, isa::Span bytes, Where where) {
    constexpr const char* kCall = "LocalMemAllocator::Alloc";
    Owners& of = Of(memory);
    const bool first = place->number == 0;
    if (first) place->number = ++of.allocators;
    const uint64_t used = Framework::Of(core_).Used(memory);
    if (bytes.begin < used) {
        return TellTwice(kCall, memory, fmt::format("InitBuffer has handed out bytes 0 to {}", used - 1),
                         "place the tensors by LocalTensor(position, address, count), or make them a TBuf", where);
    }
    const auto overlaps = [&](const Taken& taken) { return taken.bytes.Overlaps(bytes); };
    const auto taken = std::ranges::find_if(of.taken, overlaps);
    if (taken == of.taken.end()) return true;
    return TellTwice(
        kCall, memory,
        fmt::format("{} has handed out bytes {} to {}, at {}:{}", first ? "another object" : "a copy of the object",
                    taken->bytes.begin, taken->bytes.end - 1, taken->where.file, taken->where.line),
        "make one LocalMemAllocator for the memory, and pass it by reference", where);
}

bool StaticTensors::TellTwice(const char* call, Memory memory, const std::string& found, const char* hint,
                              Where where) {
    Owners& of = Of(memory);
    if (std::exchange(of.told, true)) return true;
    return ascendc::Find(core_, call, where,
                         {Rule::kAllocatorTwice, isa::Name(memory), "the bytes are another's already", found,
                          "one LocalMemAllocator of a memory in a kernel: each begins at the first byte", hint});
}

void StaticTensors::Carved(Memory memory, isa::Span bytes, Where where) {
    const auto overlaps = [&](const Taken& taken) { return taken.bytes.Overlaps(bytes); };
    const auto& all = Of(memory).taken;
    const auto taken = std::ranges::find_if(all, overlaps);
    if (taken == all.end()) return;
    TellTwice("InitBuffer", memory,
              fmt::format("a LocalMemAllocator has handed out bytes {} to {}, at {}:{}", taken->bytes.begin,
                          taken->bytes.end - 1, taken->where.file, taken->where.line),
              "place the tensors by LocalTensor(position, address, count), or make them a TBuf", where);
}

void StaticTensors::FlagSet(uint8_t event, int id, Where where) {
    if (piped_ || id < first_id() || id >= static_cast<int>(core_.chip().event_ids)) return;
    Keep("SetFlag", where,
         {Rule::kEventIdHeld, fmt::format("{} id {}", runtime::EventName(event), id),
          "the library and the compiler's own flags have this id in a kernel without a TPipe",
          fmt::format("id {} written by hand", id), fmt::format("0 to {}", first_id() - 1), "use a lower id"});
}

void StaticTensors::LibraryCall(const char* call, Where where) {
    CheckReserved(call, where);
    if (!has_ids() || std::exchange(call_told_, true)) return;
    Keep(call, where,
         {Rule::kStaticTensorCall, "", "the call takes event ids from a TPipe, and the kernel has none",
          fmt::format("{} in a kernel of tensors made from addresses", call),
          "calls of single instructions: WholeReduceSum, Sort32, MrgSort, Exp, Add",
          fmt::format("make a TPipe, or leave ids {} and {} to the call", first_id(), first_id() + 1)});
}

void StaticTensors::CheckReserved(const char* call, Where where) {
    if (std::ranges::find(kUseReserved, std::string_view(call)) == std::end(kUseReserved)) return;
    const uint64_t size = core_.chip().Bytes(Memory::kUb);
    const isa::Span reserved{size - kReservedBytes, size};
    for (const Taken& taken : Of(Memory::kUb).taken) {
        if (!taken.bytes.Overlaps(reserved)) continue;
        ascendc::Find(core_, call, where,
                      {Rule::kReservedMemory, "", "the call works in the last 8192 bytes of UB",
                       fmt::format("LocalMemAllocator::Alloc at {}:{} has handed out bytes {} to {}", taken.where.file,
                                   taken.where.line, taken.bytes.begin, taken.bytes.end - 1),
                       fmt::format("no tensor from byte {} on", reserved.begin),
                       "leave the last 8192 bytes of UB free in a kernel that makes the call"});
        return;
    }
}

void StaticTensors::Issuing(const isa::Record& record) {
    const bool by_program = !core_.scopes().outermost();
    if (by_program && (record.op == isa::Opcode::vsel || record.op == isa::Opcode::vadddeqrelu))
        CheckReserved(isa::CallName(record), record.where);
    if (!piped_) FollowPipes(record);
}

void StaticTensors::FollowPipes(const isa::Record& record) {
    const runtime::PipeSet pipe = runtime::SetOf(record.pipe);
    if (const auto* flag = record.If<isa::Flag>()) {
        if (static_cast<size_t>(flag->id) >= kFlagIds) return;
        runtime::PipeSet& says = flags_[flag->event][static_cast<size_t>(flag->id)];
        if (record.op == isa::Opcode::set_flag) {
            says = behind_[static_cast<size_t>(flag->from)] | runtime::SetOf(flag->from);
        } else if (flag->to == isa::Pipe::kS) {
            busy_ &= static_cast<runtime::PipeSet>(~says);
        } else {
            behind_[static_cast<size_t>(flag->to)] |= says;
        }
        return;
    }
    if (record.op == isa::Opcode::pipe_barrier && record.pipe == isa::Pipe::kAll) busy_ = 0;
    if (isa::IsControl(record) || record.pipe == isa::Pipe::kS || record.pipe >= isa::Pipe::kCount) return;
    const auto forget = [others = static_cast<runtime::PipeSet>(~pipe)](runtime::PipeSet& set) { set &= others; };
    std::ranges::for_each(behind_, forget);
    for (auto& ids : flags_) std::ranges::for_each(ids, forget);
    busy_ |= pipe;
    begun_[static_cast<size_t>(record.pipe)] = {isa::CallName(record), record.where, core_.next_index()};
}

void StaticTensors::KernelEnd() {
    if (!made_ || piped_) return;
    const runtime::Registers::UnsetRead& unset = core_.registers().unset_read;
    if (unset.state && !core_.launch().options.dirty_state) core_.findings().Add(UnsetReport(core_.chip(), unset));
    for (Late& late : late_) {
        Report report = ToReport(std::move(late.finding), late.call, late.where);
        report.index = late.index;
        core_.findings().Add(std::move(report));
    }
    const Begun* last = nullptr;
    int pipe = 0;
    for (int p = 0; p < isa::kPipeCount; ++p) {
        const Begun& begun = begun_[static_cast<size_t>(p)];
        if (!(busy_ & runtime::SetOf(static_cast<isa::Pipe>(p))) || (last && last->index > begun.index)) continue;
        last = &begun;
        pipe = p;
    }
    if (!last) return;
    Report report = ToReport(
        {Rule::kKernelEndUnfenced, "", "the kernel ends while the instruction may still run",
         fmt::format("nothing waits for {}", isa::Name(static_cast<isa::Pipe>(pipe))),
         "PipeBarrier<PIPE_ALL>() as the last statement of a kernel without a TPipe", "add PipeBarrier<PIPE_ALL>()"},
        last->call, last->where);
    report.index = last->index;
    core_.findings().Add(std::move(report));
}

}  // namespace sfumato::ascendc
