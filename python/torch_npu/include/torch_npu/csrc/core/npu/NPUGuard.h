// SPDX-License-Identifier: Apache-2.0
// Guards of the current device and stream: PyTorch's own, for the device npu.
#pragma once

#include <c10/core/DeviceGuard.h>
#include <c10/core/StreamGuard.h>
#include <c10/util/Optional.h>

#include "torch_npu/csrc/core/npu/NPUFunctions.h"
#include "torch_npu/csrc/core/npu/NPUStream.h"

namespace c10_npu {

struct NPUGuard {
    explicit NPUGuard(c10::DeviceIndex index) : guard_(c10::Device(c10::DeviceType::PrivateUse1, index)) {}
    explicit NPUGuard(c10::Device device) : guard_(device) {}
    void set_device(c10::Device device) { guard_.reset_device(device); }
    void set_index(c10::DeviceIndex index) { guard_.set_index(index); }
    c10::Device original_device() const { return guard_.original_device(); }
    c10::Device current_device() const { return guard_.current_device(); }

private:
    c10::DeviceGuard guard_;
};

struct OptionalNPUGuard {
    OptionalNPUGuard() = default;
    explicit OptionalNPUGuard(c10::optional<c10::Device> device) : guard_(device) {}
    explicit OptionalNPUGuard(c10::DeviceIndex index) : guard_(c10::Device(c10::DeviceType::PrivateUse1, index)) {}
    void set_device(c10::Device device) { guard_.reset_device(device); }
    c10::optional<c10::Device> original_device() const { return guard_.original_device(); }
    c10::optional<c10::Device> current_device() const { return guard_.current_device(); }

private:
    c10::OptionalDeviceGuard guard_;
};

struct NPUStreamGuard {
    explicit NPUStreamGuard(c10::Stream stream) : guard_(stream) {}
    void reset_stream(c10::Stream stream) { guard_.reset_stream(stream); }
    NPUStream original_stream() const { return NPUStream(NPUStream::UNCHECKED, guard_.original_stream()); }
    NPUStream current_stream() const { return NPUStream(NPUStream::UNCHECKED, guard_.current_stream()); }

private:
    c10::StreamGuard guard_;
};

}  // namespace c10_npu
