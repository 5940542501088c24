// SPDX-License-Identifier: Apache-2.0
// A call as the contexts of host functions see it, and what the tiling function leaves there.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

#include "op/said.h"
#include "sfumato/op.h"
#include "sfumato/op/infer_context.h"
#include "sfumato/op/tiling_context.h"

namespace sfumato::op {

// Attributes laid out as host code reads them.
struct AttrStore {
    struct Entry {
        std::string name;
        AttrValue value;
        std::unique_ptr<bool[]> bools;
        gert::ContinuousVector list;  // into value or bools
        std::vector<gert::ContinuousVector> lists;
        gert::ContinuousVectorVector list_of_lists;
    };
    explicit AttrStore(const Definition& definition, const std::vector<AttrValue>& values);
    std::deque<Entry> entries;
};

// The given inputs, or outputs: those of declaration i are tensors anchors[i].start and following.
struct HostSide {
    const char* word;  // "input", "output"
    const std::vector<Param>* params;
    std::vector<gert::Tensor> tensors;
    std::vector<gert::CompileTimeTensorDesc> descs;
    std::vector<gert::AnchorInstanceInfo> anchors;

    HostSide(const char* its_word, const std::vector<Param>& declared,
             const std::vector<std::vector<op::Tensor>>& given);
    // Of a plain index: a number, or kNone for nullptr. Reports op-index.
    size_t Plain(const char* call, size_t index, Where where) const;
    // Of a declaration's index.
    size_t Declared(const char* call, size_t ir_index, size_t relative_index, Where where) const;
    const gert::AnchorInstanceInfo& Anchor(const char* call, size_t ir_index, Where where) const;
    static constexpr size_t kNone = ~size_t{0};
};

struct HostCall {
    static constexpr size_t kMostWorkspaces = 32;
    static constexpr size_t kUnsetWorkspace = ~size_t{0};
    static constexpr size_t kTilingBytes = 16384;
    static constexpr uint8_t kUnsetByte = 0xa5;

    HostCall(const Definition& its_definition, const Call& call);

    const Definition& definition;
    fe::PlatFormInfos platform;
    bool deterministic;
    HostSide inputs, outputs;
    AttrStore store;
    gert::RuntimeAttrs attrs{&store};
    gert::ComputeNodeInfo node{this};

    void* info = nullptr;  // of TilingParse
    const std::type_info* info_type = nullptr;

    gert::TilingData data;
    uint64_t key = 0;
    uint32_t blocks = 0, aicpu_blocks = 0, schedule_mode = 0, local_memory = 0;
    int32_t cond = 0;
    bool atomic = false;
    std::array<size_t, kMostWorkspaces> workspaces;
    size_t workspace_count = 0;
    Where workspace_where;

    // Of InferShapeRange: what it was given.
    std::deque<gert::Range<gert::Shape>> shape_ranges;
    std::deque<gert::TensorRange> tensor_ranges;
};

}  // namespace sfumato::op
