// SPDX-License-Identifier: Apache-2.0
// What a tiling function sets, and the buffer of its data.
#include "sfumato/op/tiling_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "op/host_call.h"
#include "sfumato/tiling_data.h"

namespace sfumato::tiling {

// Of the call that is running: a struct of tiling data may be made anywhere.
SFUMATO_API void FillUnset(void* data, size_t bytes) {
    op::Said* said = op::CurrentSaid();
    // Where one of these lay that is gone.
    if (said) std::erase_if(said->mirrors, [&](const op::Mirrored& m) { return m.Overlaps(data, bytes); });
    std::memset(data, said && said->strict ? op::HostCall::kUnsetByte : 0, bytes);
}

SFUMATO_API void Mirror(const void* data, size_t bytes, void* to) {
    op::Said* said = op::CurrentSaid();
    if (!said || !to) return;
    std::erase_if(said->mirrors, [&](const op::Mirrored& m) { return m.data == data; });
    said->mirrors.push_back({data, bytes, to});
    std::memcpy(to, data, bytes);
}

SFUMATO_API void WasSet(const void* field) {
    const op::Said* said = op::CurrentSaid();
    if (!said) return;
    for (const op::Mirrored& m : said->mirrors) {
        if (m.Overlaps(field, 1)) std::memcpy(m.to, m.data, m.bytes);
    }
}

SFUMATO_API void NoRoom(size_t bytes, const char* name, const void* to, size_t capacity, Where where) {
    op::Fault({Rule::kOpTilingData, name, "the tiling data do not fit their buffer",
               to == nullptr ? "a buffer that is null" : fmt::format("a buffer of {} bytes", capacity),
               fmt::format("{} bytes at least", bytes),
               "pass GetRawTilingData()->GetData() and GetRawTilingData()->GetCapacity()"},
              "SaveToBuffer", where);
}

}  // namespace sfumato::tiling

namespace gert {

using sfumato::Rule;
using sfumato::op::HostCall;

namespace {

// Bytes behind a buffer that show who writes there.
constexpr size_t kBehind = 4096;
constexpr uint8_t kBehindByte = 0x5c;

// TilingParse<T> and the type asked for.
void CheckInfoType(const char* call, const HostCall& host, const std::type_info& type, Where where) {
    if (host.info_type == nullptr || *host.info_type == type) return;
    sfumato::op::Fault({Rule::kOpTiling, "", "the compile information is of another type than TilingParse makes",
                        sfumato::op::NameOf(type), sfumato::op::NameOf(*host.info_type), ""},
                       call, where);
}

}  // namespace

void TilingData::Hold(size_t capacity, uint8_t fill) {
    buffers_.push_back(std::make_unique<uint64_t[]>((capacity + kBehind + 7) / 8));
    data_ = buffers_.back().get();
    std::memset(data_, fill, capacity);
    std::memset(static_cast<uint8_t*>(data_) + capacity, kBehindByte, kBehind);
    capacity_ = capacity;
    fill_ = fill;
}

void TilingData::sfumato_reserve(size_t capacity) {
    if (capacity <= capacity_) return;
    const void* old = data_;
    const size_t bytes = capacity_;
    Hold(capacity, fill_);
    std::memcpy(data_, old, bytes);
}

bool TilingData::sfumato_overrun() const {
    const uint8_t* behind = static_cast<const uint8_t*>(data_) + capacity_;
    return std::any_of(behind, behind + kBehind, [](uint8_t byte) { return byte != kBehindByte; });
}

bool TilingData::sfumato_touched() const {
    const auto* bytes = static_cast<const uint8_t*>(data_);
    return size_ != 0 || std::any_of(bytes, bytes + capacity_, [this](uint8_t byte) { return byte != fill_; });
}

void TilingData::SetDataSize(size_t size, Where where) {
    if (size > capacity_) {
        sfumato::op::Fault({Rule::kOpTilingData, "", "the tiling data do not fit their buffer",
                            fmt::format("{} bytes", size), fmt::format("0 to {} bytes (GetCapacity)", capacity_), ""},
                           "SetDataSize", where);
    }
    size_ = size;
}

void* TilingData::Expand(size_t size) {
    if (size > capacity_ - size_) return nullptr;
    void* place = static_cast<uint8_t*>(data_) + size_;
    size_ += size;
    return place;
}

ge::graphStatus TilingData::AppendBytes(const void* bytes, size_t count) {
    void* place = Expand(count);
    if (place == nullptr) return ge::GRAPH_FAILED;
    std::memcpy(place, bytes, count);
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus TilingContext::SetTilingKey(uint64_t tiling_key) { return call_->key = tiling_key, ge::GRAPH_SUCCESS; }
uint64_t TilingContext::GetTilingKey() const { return call_->key; }
ge::graphStatus TilingContext::SetBlockDim(uint32_t block_dim, Where where) {
    if (block_dim == 0 || block_dim > 65535) {
        sfumato::op::Fault(
            {Rule::kOpBlocks, "", "a launch has 1 to 65535 blocks", fmt::format("{}", block_dim), "1 to 65535", ""},
            "SetBlockDim", where);
    }
    return call_->blocks = block_dim, ge::GRAPH_SUCCESS;
}
uint32_t TilingContext::GetBlockDim() const { return call_->blocks; }
ge::graphStatus TilingContext::SetAicpuBlockDim(uint32_t blocks) {
    return call_->aicpu_blocks = blocks, ge::GRAPH_SUCCESS;
}
uint32_t TilingContext::GetAicpuBlockDim() const { return call_->aicpu_blocks; }
ge::graphStatus TilingContext::SetTilingCond(int32_t cond) { return call_->cond = cond, ge::GRAPH_SUCCESS; }
int32_t TilingContext::GetTilingCond() const { return call_->cond; }
ge::graphStatus TilingContext::SetNeedAtomic(bool atomic) { return call_->atomic = atomic, ge::GRAPH_SUCCESS; }
bool TilingContext::NeedAtomic() const { return call_->atomic; }
ge::graphStatus TilingContext::SetScheduleMode(uint32_t mode) { return call_->schedule_mode = mode, ge::GRAPH_SUCCESS; }
uint32_t TilingContext::GetScheduleMode() const { return call_->schedule_mode; }
ge::graphStatus TilingContext::SetLocalMemorySize(uint32_t bytes) {
    return call_->local_memory = bytes, ge::GRAPH_SUCCESS;
}
uint32_t TilingContext::GetLocalMemorySize() const { return call_->local_memory; }
int32_t TilingContext::GetDeterministic() const { return call_->deterministic ? 1 : 0; }

TilingData* TilingContext::GetRawTilingData() { return &call_->data; }
void* TilingContext::TilingBytes(size_t bytes, Where where) {
    call_->data.sfumato_reserve(bytes);
    call_->data.SetDataSize(bytes, where);
    return call_->data.GetData();
}

size_t* TilingContext::GetWorkspaceSizes(size_t count, Where where) {
    if (count > HostCall::kMostWorkspaces) {
        sfumato::op::Fault({Rule::kOpWorkspace, "", "more workspaces than a launch has", fmt::format("{}", count),
                            fmt::format("0 to {}", HostCall::kMostWorkspaces), ""},
                           "GetWorkspaceSizes", where);
    }
    call_->workspace_count = count;
    call_->workspace_where = where;
    return call_->workspaces.data();
}
size_t TilingContext::GetWorkspaceNum() const { return call_->workspace_count; }

fe::PlatFormInfos* TilingContext::GetPlatformInfo() const { return &call_->platform; }
const void* TilingContext::GetCompileInfo() const { return call_->info; }
const void* TilingContext::CompileInfo(const std::type_info& type, Where where) const {
    CheckInfoType("GetCompileInfo", *call_, type, where);
    if (call_->info == nullptr) {
        if (sfumato::op::Said* said = sfumato::op::CurrentSaid()) {
            said->null_call = "GetCompileInfo";
            said->null_where = where;
        }
    }
    return call_->info;
}

fe::PlatFormInfos* TilingParseContext::GetPlatformInfo() const { return &call_->platform; }
void* TilingParseContext::CompiledInfo(const std::type_info& type, Where where) const {
    CheckInfoType("GetCompiledInfo", *call_, type, where);
    return call_->info;
}

}  // namespace gert
