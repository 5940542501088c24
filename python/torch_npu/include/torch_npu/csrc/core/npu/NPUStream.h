// SPDX-License-Identifier: Apache-2.0
// Streams of the device npu (docs/spec/clients.md 4.4). What is submitted has run when the call returns.
#pragma once

#include <c10/core/DeviceGuard.h>
#include <c10/core/Stream.h>
#include <c10/util/Exception.h>

#include "acl/acl_rt.h"
#include "torch_npu/csrc/core/npu/NPUMacros.h"

namespace c10_npu {

// A c10::Stream of the device; its id is the aclrtStream, 0 the default stream.
class TORCH_NPU_API NPUStream {
public:
    enum Unchecked { UNCHECKED };

    explicit NPUStream(c10::Stream stream) : stream_(stream) {
        TORCH_CHECK(stream.device_type() == c10::DeviceType::PrivateUse1, "the stream is not of the device npu");
    }
    NPUStream(Unchecked, c10::Stream stream) : stream_(stream) {}

    bool operator==(const NPUStream& other) const noexcept { return unwrap() == other.unwrap(); }
    bool operator!=(const NPUStream& other) const noexcept { return unwrap() != other.unwrap(); }
    operator aclrtStream() const { return stream(); }
    operator c10::Stream() const { return unwrap(); }

    c10::DeviceType device_type() const { return c10::DeviceType::PrivateUse1; }
    c10::DeviceIndex device_index() const { return stream_.device_index(); }
    c10::Device device() const { return stream_.device(); }
    c10::StreamId id() const { return stream_.id(); }

    aclrtStream stream() const { return reinterpret_cast<aclrtStream>(stream_.id()); }
    // The vendor's empties a queue of tasks first where need_empty is true; here nothing ever waits in one.
    aclrtStream stream(bool need_empty) const {
        (void)need_empty;
        return stream();
    }
    // True: everything submitted has run.
    bool query() const { return true; }
    // Throws c10::Error with the reports of faults that no call has raised.
    void synchronize() const;

    c10::Stream unwrap() const { return stream_; }
    c10::StreamData3 pack3() const { return stream_.pack3(); }
    static NPUStream unpack3(c10::StreamId id, c10::DeviceIndex index, c10::DeviceType type) {
        return NPUStream(c10::Stream::unpack3(id, index, type));
    }

private:
    c10::Stream stream_;
};

// -1: the current device. Streams are of a thread, as in PyTorch.
TORCH_NPU_API NPUStream getCurrentNPUStream(c10::DeviceIndex device = -1);
TORCH_NPU_API NPUStream getDefaultNPUStream(c10::DeviceIndex device = -1);
// One of 32 that are made once.
TORCH_NPU_API NPUStream getNPUStreamFromPool(c10::DeviceIndex device = -1);
TORCH_NPU_API NPUStream getStreamFromPool(bool high_priority = false, c10::DeviceIndex device = -1);
TORCH_NPU_API void setCurrentNPUStream(NPUStream stream);
// Throws c10::Error with the reports of faults that no call has raised; nothing under false.
TORCH_NPU_API bool npuSynchronizeDevice(bool check_error = true);

inline void NPUStream::synchronize() const { npuSynchronizeDevice(); }

}  // namespace c10_npu
