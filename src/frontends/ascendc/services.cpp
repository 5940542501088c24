// SPDX-License-Identifier: Apache-2.0
// Calls about the core itself, its caches and its debugging (framework.md 2.8, 3.10, 4.1, 4.4).
#include "sfumato/ascendc/services.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "frontends/ascendc/framework.h"
#include "runtime/cores/local_watch.h"
#include "sfumato/ascendc/issue_copy.h"

namespace sfumato::ascendc {
namespace {

// By the number of AtomicDtype.
constexpr std::array<DataType, 7> kAtomicTypes = {DataType::kCount,   DataType::kFloat, DataType::kHalf,
                                                  DataType::kInt16,   DataType::kInt32, DataType::kInt8,
                                                  DataType::kBfloat16};

bool HasService(runtime::Core& core, Service service, const char* call, Where where) {
    constexpr bool soc::Chip::*kFacts[] = {&soc::Chip::core_identity, &soc::Chip::core_services,
                                           &soc::Chip::store_atomic, &soc::Chip::watch_ranges};
    const auto fact = kFacts[static_cast<size_t>(service)];
    return RequireChip(
        core, call, where, [fact](const soc::Chip& chip) { return chip.*fact; }, Rule::kCallUnsupported,
        "does not have the call", "leave it out on this chip");
}

}  // namespace

void RequireService(Service service, const char* call, Where where) {
    HasService(ThisCore(call), service, call, where);
}

uint32_t ArchVersion(Where where) {
    runtime::Core& core = ThisCore("GetArchVersion");
    HasService(core, Service::kIdentity, "GetArchVersion", where);
    uint32_t version = 0;
    for (auto [rest, shift] = std::pair(core.chip().npu_arch, 0); rest != 0; rest /= 10, shift += 4) {
        version |= static_cast<uint32_t>(rest % 10) << shift;
    }
    return version;
}

int64_t ProgramCounter(Where where) {
    runtime::Core& core = ThisCore("GetProgramCounter");
    HasService(core, Service::kIdentity, "GetProgramCounter", where);
    return static_cast<int64_t>(core.next_index());
}

void PreloadData(Where where) {
    constexpr const char* kCall = "DataCachePreload";
    constexpr uint32_t kMost = 4;
    runtime::Core& core = ThisCore(kCall);
    // Removed on chips with registers (arch950.md 1.2).
    const auto has = [](const soc::Chip& chip) { return chip.watch_ranges && !chip.vector_registers; };
    if (!RequireChip(core, kCall, where, has, Rule::kCallUnsupported, "does not have the call",
                     "leave it out on this chip"))
        return;
    auto& row = Framework::Of(core).preloads;
    if (row.at != core.next_index()) row = {core.next_index(), 0};
    if (++row.count != kMost + 1) return;
    Find(core, kCall, where,
         {Rule::kPreloadRow, "", "more preloads follow each other than run at once",
          fmt::format("{} in a row", row.count), fmt::format("at most {}", kMost),
          "let instructions stand between them"});
}

void SetStoreAtomic(uint16_t type, Where where) {
    constexpr const char* kCall = "SetStoreAtomicConfig";
    if (!HasService(ThisCore(kCall), Service::kStoreAtomic, kCall, where)) return;
    if (type == 0) return ClearAtomic();
    SetAtomic(AtomicMode::kAdd, type < kAtomicTypes.size() ? kAtomicTypes[type] : DataType::kCount, where, kCall);
}

void GetStoreAtomic(uint16_t* type, uint16_t* op, Where where) {
    constexpr const char* kCall = "GetStoreAtomicConfig";
    runtime::Core& core = ThisCore(kCall);
    HasService(core, Service::kStoreAtomic, kCall, where);
    const isa::Control& control = core.registers().control;
    const auto* at = control.atomic == isa::Atomic::kNone ? kAtomicTypes.begin()
                                                          : std::ranges::find(kAtomicTypes, control.atomic_type);
    *type = static_cast<uint16_t>(at - kAtomicTypes.begin());
    *op = 0;
}

void WatchLocal(const AscendC::CheckLocalMemoryIAParam& p, Where where) {
    constexpr const char* kCall = "CheckLocalMemoryIA";
    runtime::Core& core = ThisCore(kCall);
    if (!HasService(core, Service::kWatch, kCall, where)) return;
    const struct {
        const char* name;
        uint32_t value, most;
    } fields[] = {{"enableBit", p.enableBit, runtime::LocalWatch::kRanges - 1},
                  {"startAddr", p.startAddr, p.endAddr},
                  {"endAddr", p.endAddr, 65535}};
    for (const auto& field : fields) {
        if (field.value <= field.most) continue;
        Refuse(core, kCall, where,
               {Rule::kParameterRange, field.name, fmt::format("{} is outside its range", field.name),
                fmt::format("{}", field.value), fmt::format("0 to {}", field.most), ""});
        return;
    }
    const uint64_t block = isa::kBlockBytes;
    const runtime::LocalRange range{{(p.startAddr + uint64_t{1}) * block, (p.endAddr + uint64_t{1}) * block},
                                    {p.isScalarRead, p.isVectorRead, p.isMteRead},
                                    {p.isScalarWrite, p.isVectorWrite, p.isMteWrite},
                                    where};
    core.WatchLocal(p.enableBit, p.isEnable ? &range : nullptr);
}

void TraceRange(uint32_t id, bool begins, Where where) {
    const char* call = begins ? "TRACE_START" : "TRACE_STOP";
    runtime::Core& core = ThisCore(call);
    std::vector<uint32_t>& open = Framework::Of(core).trace_ranges;
    const auto begin = [&core, where](uint32_t range) {
        core.told()(events::Call{events::Call::Kind::kRange, fmt::format("TRACE {}", range), where});
    };
    constexpr uint32_t kMost = 9;
    if (id > kMost) {
        Find(core, call, where,
             {Rule::kTraceRange, "apid", "there is no such range", fmt::format("{}", id), fmt::format("0 to {}", kMost),
              ""});
        return;
    }
    if (begins) {
        open.push_back(id);
        return begin(id);
    }
    const auto at = std::find(open.rbegin(), open.rend(), id);
    if (at == open.rend()) {
        Find(core, call, where,
             {Rule::kTraceRange, "apid", "the range was not started", fmt::format("TRACE_STOP({})", id),
              fmt::format("after TRACE_START({})", id), ""});
        return;
    }
    // Ranges of listeners nest: those that were started inside this one and go on are cut in two.
    const std::vector<uint32_t> inner(at.base(), open.end());
    for (size_t i = 0; i <= inner.size(); ++i) core.told()(events::Call{events::Call::Kind::kEnded});
    open.erase(at.base() - 1);
    for (const uint32_t range : inner) begin(range);
}

}  // namespace sfumato::ascendc
