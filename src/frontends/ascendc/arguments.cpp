// SPDX-License-Identifier: Apache-2.0
// What a kernel reads of its arguments: tiling and tiling keys, workspaces, lists of tensors
// (framework.md 4.5, 1.12, 1.13).
#include <fmt/format.h>

#include "frontends/ascendc/framework.h"
#include "runtime/launch/launch_state.h"
#include "runtime/memory/constant_tables.h"
#include "sfumato/ascendc/kernel_marks.h"
#include "sfumato/ascendc/list_tensor.h"
#include "sfumato/ascendc/tiling.h"

namespace sfumato::ascendc {
namespace {

// Bytes of global memory from p to the end of its allocation; 0 and the words for people when p is in none.
struct Room {
    uint64_t bytes = 0;
    bool inside = false;
    std::string Text() const { return inside ? fmt::format("{} bytes", bytes) : "a pointer into no global memory"; }
};
Room RoomAt(const runtime::Core& core, const void* p) {
    const int allocation = core.FindGm(p);
    if (allocation < 0) return {};
    const auto index = static_cast<uint32_t>(allocation);
    const auto offset = static_cast<uint64_t>(static_cast<const uint8_t*>(p) - core.GmBase(index));
    return {core.Gm(index).bytes - offset, true};
}

constexpr uint64_t kUnchecked = 0xFFFFFFFF;  // the default of length and shapeSize
constexpr uint64_t kMostDimensions = 25;     // more is no descriptor (assumed)

}  // namespace

uint64_t TilingKey() { return ThisCore("TILING_KEY_IS").launch().options.tiling_key; }

bool AskTilingKey(uint64_t key, Where where) {
    runtime::Core& core = ThisCore("TILING_KEY_IS");
    const bool holds = core.launch().options.tiling_key == key;
    Framework::Of(core).KeyAsked(holds, where);
    return holds;
}

void CheckTilingKeyList(Where where) {
    runtime::Core& core = ThisCore("TILING_KEY_LIST");
    const runtime::LaunchState& launch = core.launch();
    const bool mixed =
        launch.task_type == runtime::TaskType::kMixAic11 || launch.task_type == runtime::TaskType::kMixAic12;
    if (core.chip().split_cores && launch.task_type_declared && mixed) return;
    Find(core, "TILING_KEY_LIST", where,
         {Rule::kTilingKeyList, "", "two keys share a branch only in a kernel declared as mixed",
          !core.chip().split_cores     ? core.chip().name
          : !launch.task_type_declared ? "no KERNEL_TASK_TYPE_DEFAULT"
                                       : "a kernel type with one kind of core",
          fmt::format("KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1) or MIX_AIC_1_2, on {}",
                      AscendCFamilies([](const soc::Chip& chip) { return chip.split_cores; })),
          "write TILING_KEY_IS(k1) || TILING_KEY_IS(k2)"});
}

const void* TilingBytes(const void* tiling, uint64_t bytes, const char* call, const char* struct_name, Where where) {
    runtime::Core& core = ThisCore(call);
    const Room room = RoomAt(core, tiling);
    if (room.bytes < bytes) {
        Find(core, call, where,
             {Rule::kTilingSize, struct_name, "the tiling argument is smaller than the struct", room.Text(),
              fmt::format("{} bytes", bytes),
              "pass tiling:FILE with the struct's bytes in host layout; host and kernel must agree on the struct"});
        core.stopping().Now();  // there is nothing to read, even where faults are collected
    }
    return tiling;
}

void SetSystemWorkspace(const void* workspace, const char* call, Where where) {
    runtime::Core& core = ThisCore(call);
    NoteUnlisted(core, call, where);
    auto* begin = static_cast<uint8_t*>(const_cast<void*>(workspace));
    if (!RoomAt(core, begin).inside) {
        Find(core, call, where,
             {Rule::kSystemWorkspace, "workspace", "the system workspace lies in global memory",
              begin ? "a pointer into no global memory" : "a null pointer", "the kernel's workspace argument",
              "pass workspace:BYTES for it"});
        core.stopping().Now();
    }
    Framework::Of(core).system_workspace = begin;
}

uint8_t* SystemWorkspace(Where where) {
    runtime::Core& core = ThisCore("GetSysWorkSpacePtr");
    NoteUnlisted(core, "GetSysWorkSpacePtr", where);
    uint8_t* set = Framework::Of(core).system_workspace;
    if (!set) set = core.launch().system_workspace;
    if (set) return set;
    Find(core, "GetSysWorkSpacePtr", where,
         {Rule::kSystemWorkspace, "", "there is no system workspace",
          "no SetSysWorkspace before it, and a launch without one",
          "SetSysWorkspace(workspace) before it, or a launch with a system workspace",
          "LaunchOptions::system_workspace = sfumato::kSystemWorkspaceBytes"});
    core.stopping().Now();
}

TensorListView OpenTensorList(const void* list, uint64_t bytes, uint64_t shape_words, Where where) {
    runtime::Core& core = ThisCore("ListTensorDesc");
    const Room room = RoomAt(core, list);
    const auto* words = static_cast<const uint64_t*>(list);
    const auto refuse = [&](const char* message, std::string found, std::string legal) {
        Find(core, "ListTensorDesc", where,
             {Rule::kTensorList, "list", message, std::move(found), std::move(legal),
              "pass list:A.npy,B.npy, a Python list of arrays, or GlobalMemory::AllocateList"});
        return TensorListView{};
    };
    if (!room.inside || room.bytes < sizeof(uint64_t) || reinterpret_cast<uintptr_t>(list) % sizeof(uint64_t) != 0)
        return refuse("the argument is no list of tensors", room.Text(), "global memory, aligned to 8 bytes");
    const uint64_t have = room.bytes / sizeof(uint64_t), table = words[0] / sizeof(uint64_t);
    if (words[0] % sizeof(uint64_t) != 0 || table < 1 || table > have) {
        return refuse("the argument is no list of tensors", fmt::format("its pointers begin at byte {}", words[0]),
                      fmt::format("a multiple of 8 from 8 to {}", have * sizeof(uint64_t)));
    }
    TensorListView view{words, words + table, 0};
    uint64_t shapes = 0;
    for (uint64_t at = 1; at < table; ++view.count) {
        const uint64_t dimensions = words[at] & 0xFFFFFFFF;
        if (dimensions > kMostDimensions || at + 1 + dimensions > table) {
            return refuse("the argument is no list of tensors",
                          fmt::format("tensor {} has {} dimensions", view.count, dimensions),
                          fmt::format("at most {}, and room for them before the pointers", kMostDimensions));
        }
        shapes += dimensions;
        at += 1 + dimensions;
    }
    if (table + view.count > have) {
        return refuse("the list ends before its pointers do", room.Text(),
                      fmt::format("{} bytes for {} tensors", (table + view.count) * sizeof(uint64_t), view.count));
    }
    const uint64_t length = (table + view.count) * sizeof(uint64_t);
    if (bytes != kUnchecked && bytes < length)
        return refuse("the list is longer than said", fmt::format("length {}", bytes), fmt::format("{}", length));
    if (shape_words != kUnchecked && shape_words < shapes) {
        return refuse("the shapes are longer than said", fmt::format("shapeSize {}", shape_words),
                      fmt::format("{}", shapes));
    }
    return view;
}

const uint64_t* TensorOfList(const TensorListView& list, uint32_t index, const char* call, Where where) {
    if (index >= list.count) {
        Find(ThisCore(call), call, where,
             {Rule::kTensorList, "index", "the list has no such tensor", fmt::format("{}", index),
              list.count ? fmt::format("0 to {}", list.count - 1) : "none: the list is empty or not initialised", ""});
        return nullptr;
    }
    const uint64_t* words = list.words + 1;
    for (uint32_t i = 0; i < index; ++i) words += 1 + (words[0] & 0xFFFFFFFF);
    return words;
}

void ReportShapeAddress(const char* call, const char* found, Where where) {
    Find(ThisCore(call), call, where,
         {Rule::kTensorList, "shape", "the descriptor has no such shape", found,
          "SetShapeAddr with room for all dimensions before GetDesc; dimensions below GetDim()", ""});
}

}  // namespace sfumato::ascendc

void sfumato::entry::GiveWorkspace(const void* workspace) {
    runtime::Core& core = ascendc::ThisCore("__kfc_workspace__");
    if (core.FindGm(workspace) >= 0)
        ascendc::Framework::Of(core).system_workspace = static_cast<uint8_t*>(const_cast<void*>(workspace));
}

bool sfumato::entry::NoteConstantTable(const void* in_module, const char* name) {
    runtime::NoteConstantTable(in_module, name);
    return true;
}
