// SPDX-License-Identifier: Apache-2.0
// Memory of tensors: device memory of the runtime, so that launches take pointers to it and into it, and pinned memory.
#pragma once

#include <c10/core/Allocator.h>
#include <c10/core/StorageImpl.h>

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "acl/acl_rt.h"
#include "devices.h"
#include "later.h"
#include "sfumato/host/caching.h"
#include "sfumato/report.h"
#include "torch_npu/csrc/core/NPUStorageImpl.h"

namespace torch_npu {

class DeviceAllocator final : public c10::Allocator {
public:
    // const in older releases of PyTorch, in which copy_data is not there: one of the two is the override.
    c10::DataPtr allocate(size_t bytes) const {
        const c10::Device device(c10::DeviceType::PrivateUse1, Devices::Current());
        if (bytes == 0) return {nullptr, device};
        void* p = nullptr;
        try {
            p = sfumato::host::TakeCached(bytes);
        } catch (const sfumato::Error& error) {
            TORCH_CHECK_WITH(OutOfMemoryError, false, "NPU out of memory: ", error.what());
        }
        void* stream = CurrentHandle();
        if (!sfumato::host::IsCaptured(stream)) return {p, p, &sfumato::host::ReturnCached, device};
        // Replays use it, whatever becomes of the tensor.
        auto* block = new std::shared_ptr<void>(p, &sfumato::host::ReturnCached);
        sfumato::host::HoldForCapture(stream, *block);
        return {p, block, [](void* held) { delete static_cast<std::shared_ptr<void>*>(held); }, device};
    }
    c10::DataPtr allocate(size_t bytes) { return std::as_const(*this).allocate(bytes); }
    c10::DeleterFnPtr raw_deleter() const override { return &sfumato::host::ReturnCached; }
    void copy_data(void* to, const void* from, size_t bytes) const { std::memcpy(to, from, bytes); }

    static DeviceAllocator& The() {
        static auto* allocator = new DeviceAllocator;  // tensors of other parts of the program may die later
        return *allocator;
    }
};

// Memory of the host whose addresses are remembered, which is what is_pinned asks.
class PinnedAllocator final : public c10::Allocator {
public:
    c10::DataPtr allocate(size_t bytes) const {
        void* p = nullptr;
        if (bytes) {
            TORCH_CHECK_WITH(OutOfMemoryError, aclrtMallocHost(&p, bytes) == ACL_SUCCESS, aclGetRecentErrMsg());
            std::lock_guard lock(mutex_);
            blocks_[static_cast<const char*>(p)] = bytes;
        }
        return {p, p, &Free, c10::Device(c10::DeviceType::CPU)};
    }
    c10::DataPtr allocate(size_t bytes) { return std::as_const(*this).allocate(bytes); }
    c10::DeleterFnPtr raw_deleter() const override { return &Free; }
    void copy_data(void* to, const void* from, size_t bytes) const { std::memcpy(to, from, bytes); }

    bool Owns(const void* p) const {
        std::lock_guard lock(mutex_);
        auto it = blocks_.upper_bound(static_cast<const char*>(p));
        return it != blocks_.begin() && static_cast<const char*>(p) < (--it)->first + it->second;
    }

    static PinnedAllocator& The() {
        static auto* allocator = new PinnedAllocator;
        return *allocator;
    }

private:
    static void Free(void* p) {
        if (!p) return;
        {
            std::lock_guard lock(The().mutex_);
            The().blocks_.erase(static_cast<const char*>(p));
        }
        aclrtFreeHost(p);
    }

    mutable std::mutex mutex_;
    mutable std::map<const char*, size_t> blocks_;
};

// The factory of storages that PyTorch makes; older releases have it take the memory always.
inline c10::intrusive_ptr<c10::StorageImpl> NewStorage(c10::StorageImpl::use_byte_size_t, c10::SymInt bytes,
                                                       c10::DataPtr data, c10::Allocator* allocator, bool resizable) {
    if (!allocator) allocator = &DeviceAllocator::The();
    if (!data) data = allocator->allocate(static_cast<size_t>(bytes.expect_int()));
    return c10::make_intrusive<NPUStorageImpl>(c10::StorageImpl::use_byte_size_t(), std::move(bytes), std::move(data),
                                               allocator, resizable);
}
inline c10::intrusive_ptr<c10::StorageImpl> NewStorage(c10::StorageImpl::use_byte_size_t, c10::SymInt bytes,
                                                       c10::Allocator* allocator, bool resizable) {
    return NewStorage({}, std::move(bytes), {}, allocator, resizable);
}

// Keeps what is there, as far as it fits.
inline void ResizeStorage(c10::StorageImpl* storage, size_t bytes) {
    TORCH_CHECK(storage->resizable(), "the storage cannot be resized");
    c10::DataPtr data = DeviceAllocator::The().allocate(bytes);
    void* to = data.get();
    const size_t kept = std::min(bytes, storage->nbytes());
    const auto from = std::make_shared<c10::DataPtr>(storage->set_data_ptr(std::move(data)));
    const auto copy = [from, to, kept] {
        if (kept) std::memcpy(to, from->get(), kept);
    };
    KeepsWork() ? Keep(copy) : copy();
    storage->set_nbytes(bytes);
}

}  // namespace torch_npu
