// SPDX-License-Identifier: Apache-2.0
// The context of a tiling function and of TilingParse (docs/spec/clients.md 6.3).
#pragma once

#include <memory>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "sfumato/host/platform.h"
#include "sfumato/op/context.h"

namespace gert {

// The buffer that reaches the kernel. It has 16 KiB, or what a registered struct or GetTilingData needs (decided);
// under strict its bytes start as a pattern, else as 0.
class SFUMATO_API TilingData {
public:
    explicit TilingData(size_t capacity, uint8_t fill = 0) { Hold(capacity, fill); }
    TilingData& operator=(TilingData&&) = delete;

    void* GetData() { return data_; }
    const void* GetData() const { return data_; }
    size_t GetCapacity() const { return capacity_; }
    size_t GetDataSize() const { return size_; }
    // op-tiling-data when it is more than the capacity.
    void SetDataSize(size_t size, Where where = Where::Here());
    // GRAPH_FAILED, and nothing appended, when it does not fit.
    template <class T, typename std::enable_if<std::is_standard_layout<T>::value, int>::type = 0>
    ge::graphStatus Append(const T& data) {
        return AppendBytes(&data, sizeof(T));
    }
    template <class T, typename std::enable_if<std::is_standard_layout<T>::value, int>::type = 0>
    ge::graphStatus Append(const T* data, size_t count) {
        return AppendBytes(data, sizeof(T) * count);
    }
    // The place of `size` more bytes; nullptr when they do not fit.
    void* Expand(size_t size);

    // Whether anything was written or sized.
    bool sfumato_touched() const;
    // Whether something was written behind the buffer, as far as that was noticed.
    bool sfumato_overrun() const;
    // Makes the buffer at least as large; what was written stays.
    void sfumato_reserve(size_t capacity);

private:
    void Hold(size_t capacity, uint8_t fill);
    ge::graphStatus AppendBytes(const void* bytes, size_t count);

    std::vector<std::unique_ptr<uint64_t[]>> buffers_;  // the last is used; pointers into the others stay good
    void* data_ = nullptr;
    size_t capacity_ = 0, size_ = 0;
    uint8_t fill_ = 0;
};

template <class T>
TilingData& operator<<(TilingData& out, const T& data) {
    out.Append(data);
    return out;
}

// Steps between elements, of a tensor with gaps.
class Stride {
public:
    size_t GetDimNum() const { return strides_.size(); }
    int64_t GetStride(size_t index) const { return strides_.at(index); }

private:
    std::vector<int64_t> strides_;
};

class SFUMATO_API TilingContext : public ExtendedKernelContext {
public:
    using ExtendedKernelContext::ExtendedKernelContext;

    const StorageShape* GetInputShape(size_t index, Where where = Where::Here()) const;
    const StorageShape* GetOptionalInputShape(size_t ir_index, Where where = Where::Here()) const;
    const StorageShape* GetRequiredInputShape(size_t ir_index, Where where = Where::Here()) const;
    const StorageShape* GetDynamicInputShape(size_t ir_index, size_t relative_index, Where where = Where::Here()) const;
    const StorageShape* GetOutputShape(size_t index, Where where = Where::Here()) const;
    const StorageShape* GetRequiredOutputShape(size_t ir_index, Where where = Where::Here()) const;
    const StorageShape* GetDynamicOutputShape(size_t ir_index, size_t relative_index,
                                              Where where = Where::Here()) const;
    const Tensor* GetInputTensor(size_t index, Where where = Where::Here()) const;
    const Tensor* GetOptionalInputTensor(size_t ir_index, Where where = Where::Here()) const;
    const Tensor* GetRequiredInputTensor(size_t ir_index, Where where = Where::Here()) const;
    const Tensor* GetDynamicInputTensor(size_t ir_index, size_t relative_index, Where where = Where::Here()) const;

    ge::graphStatus SetTilingKey(uint64_t tiling_key);
    uint64_t GetTilingKey() const;
    // Blocks: 1 to 65535, else op-blocks.
    ge::graphStatus SetBlockDim(uint32_t block_dim, Where where = Where::Here());
    ge::graphStatus SetSimdNumBlocks(uint32_t blocks, Where where = Where::Here()) {
        return SetBlockDim(blocks, where);
    }
    uint32_t GetBlockDim() const;
    uint32_t GetSimdNumBlocks() const { return GetBlockDim(); }
    ge::graphStatus SetAicpuBlockDim(uint32_t block_dim);
    uint32_t GetAicpuBlockDim() const;
    ge::graphStatus SetTilingCond(int32_t tiling_cond);
    int32_t GetTilingCond() const;
    ge::graphStatus SetNeedAtomic(bool atomic);
    bool NeedAtomic() const;
    // 0: as cores are free, 1: all blocks at once.
    ge::graphStatus SetScheduleMode(uint32_t schedule_mode);
    uint32_t GetScheduleMode() const;
    ge::graphStatus SetLocalMemorySize(uint32_t local_memory_size);
    uint32_t GetLocalMemorySize() const;
    int32_t GetDeterministic() const;
    int32_t GetDeterministicLevel() const { return GetDeterministic(); }

    // A T in the tiling data, whose size becomes T's. Its fields have no defaults.
    template <class T>
    auto GetTilingData(Where where = Where::Here()) -> T* {
        static_assert(alignof(T) <= alignof(uint64_t), "GetTilingData: the struct is aligned to more than 8 bytes");
        return static_cast<T*>(TilingBytes(sizeof(T), where));
    }
    TilingData* GetRawTilingData();
    // Sizes in bytes to fill in, at most 32; all of them must be.
    size_t* GetWorkspaceSizes(size_t workspace_count, Where where = Where::Here());
    size_t GetWorkspaceNum() const;
    fe::PlatFormInfos* GetPlatformInfo() const;
    // What TilingParse filled; nullptr without one. Another type than it registered is refused: op-tiling.
    template <class T>
    const T* GetCompileInfo(Where where = Where::Here()) const {
        return static_cast<const T*>(CompileInfo(typeid(T), where));
    }
    const void* GetCompileInfo() const;

    // Every tensor here is laid out densely: none is a view, and the strides of none are kept.
    bool InputIsView(size_t) const { return false; }
    bool OutputIsView(size_t) const { return false; }
    bool OptionalInputIsView(size_t) const { return false; }
    bool RequiredInputIsView(size_t) const { return false; }
    bool DynamicInputIsView(size_t, size_t) const { return false; }
    const Stride* GetInputStride(size_t) const { return nullptr; }
    const Stride* GetOutputStride(size_t) const { return nullptr; }
    const Stride* GetOptionalInputStride(size_t) const { return nullptr; }
    const Stride* GetRequiredInputStride(size_t) const { return nullptr; }
    const Stride* GetDynamicInputStride(size_t, size_t) const { return nullptr; }
    int64_t GetInputOffset(size_t) const { return 0; }
    int64_t GetOutputOffset(size_t) const { return 0; }
    int64_t GetOptionalInputOffset(size_t) const { return 0; }
    int64_t GetRequiredInputOffset(size_t) const { return 0; }
    int64_t GetDynamicInputOffset(size_t, size_t) const { return 0; }

private:
    void* TilingBytes(size_t bytes, Where where);
    const void* CompileInfo(const std::type_info& type, Where where) const;
};

class SFUMATO_API TilingParseContext : public ExtendedKernelContext {
public:
    using ExtendedKernelContext::ExtendedKernelContext;

    // The struct that TilingParse<T> makes. Another type is refused: op-tiling.
    template <class T>
    T* GetCompiledInfo(Where where = Where::Here()) const {
        return static_cast<T*>(CompiledInfo(typeid(T), where));
    }
    fe::PlatFormInfos* GetPlatformInfo() const;
    const char* GetCompiledJson() const { return "{}"; }

private:
    void* CompiledInfo(const std::type_info& type, Where where) const;
};

}  // namespace gert
