// SPDX-License-Identifier: Apache-2.0
// The operators PyTorch needs of a device; every other one runs on the CPU.
#pragma once

#include <ATen/native/CPUFallback.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/set_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_as_complex_native.h>
#include <ATen/ops/view_as_real_native.h>
#include <ATen/ops/view_native.h>
#include <torch/library.h>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <string_view>

#include "capture.h"
#include "cells.h"
#include "faults.h"
#include "format.h"
#include "random.h"

namespace torch_npu {

inline void CopyNow(const at::Tensor& self, const at::Tensor& dst) {
    const at::Tensor values = Values(self);
    if (IsNz(dst)) {
        StoredNz(dst).copy_(ToNz(values.to(dst.scalar_type()).expand(dst.sizes())));
    } else {
        AsCpu(dst).copy_(values);
    }
}
// Waits where it copies to the host and is not told otherwise, as on a board.
inline at::Tensor CopyFrom(const at::Tensor& self, const at::Tensor& dst, bool non_blocking) {
    if (!KeepsWork()) {
        if (dst.is_cpu()) RaiseFaults();
        CopyNow(self, dst);
        return dst;
    }
    using sfumato::host::HostAct;
    const at::Tensor& host = dst.is_cpu() ? dst : self;
    const bool pinned = !host.is_cpu() || !host.nbytes() || PinnedAllocator::The().Owns(host.data_ptr());
    if (!pinned && !dst.is_cpu()) CheckAllowed(HostAct::kCopyPageable, CurrentHandle());
    if (host.is_cpu() && (!non_blocking || (!pinned && dst.is_cpu())))
        CheckAllowed(HostAct::kWaitForStream, CurrentHandle());
    // Of pinned memory a replay takes what is there then.
    Keep([from = pinned && self.is_cpu() ? self : kept::Held(self), to = dst.is_cpu() ? dst : kept::Held(dst)] {
        CopyNow(from, to);
    });
    return dst;
}
inline at::Tensor CopyFromAndResize(const at::Tensor& self, const at::Tensor& dst) {
    if (dst.sizes() != self.sizes()) dst.resize_(self.sizes());
    return CopyFrom(self, dst, false);
}
inline at::Scalar LocalScalarDense(const at::Tensor& self) {
    if (KeepsWork()) CheckAllowed(sfumato::host::HostAct::kWaitForStream, CurrentHandle());
    RaiseFaults();
    return Values(self).item();
}
inline const at::Tensor& Resize(const at::Tensor& self, c10::IntArrayRef size,
                                c10::optional<at::MemoryFormat> memory_format) {
    TORCH_CHECK(!IsNz(self), "resize_: a tensor in FRACTAL_NZ has one size: cast it to ND (2) first");
    at::TensorImpl* impl = self.unsafeGetTensorImpl();
    at::native::resize_impl_cpu_(impl, size, c10::nullopt, false);
    const auto needed = static_cast<size_t>(at::detail::computeStorageNbytesContiguous(
        size, static_cast<size_t>(self.element_size()), static_cast<size_t>(self.storage_offset())));
    if (self.numel() && needed > self.storage().nbytes()) ResizeStorage(self.storage().unsafeGetStorageImpl(), needed);
    if (memory_format) impl->empty_tensor_restride(*memory_format);
    DescribeAs(self, ACL_FORMAT_ND, self.sizes());
    return self;
}
inline at::Tensor& SetStorageAt(at::Tensor& self, at::Storage source, int64_t offset, c10::IntArrayRef size,
                                c10::IntArrayRef stride) {
    at::native::checkSetStorage(self, std::move(source), offset, size, stride);
    self.unsafeGetTensorImpl()->set_storage_offset(offset);
    const at::OptionalIntArrayRef given = stride.data() ? at::OptionalIntArrayRef(stride) : c10::nullopt;
    at::native::resize_impl_cpu_(self.unsafeGetTensorImpl(), size, given, false);
    return self;
}
inline at::Tensor& SetStorage(at::Tensor& self, at::Storage source) {
    const auto size = static_cast<int64_t>(source.nbytes()) / self.element_size();
    return SetStorageAt(self, std::move(source), 0, size, {});
}
inline at::Tensor& SetTensor(at::Tensor& self, const at::Tensor& source) {
    return SetStorageAt(self, source.storage(), source.storage_offset(), source.sizes(), source.strides());
}
inline at::Tensor& SetNothing(at::Tensor& self) {
    return SetStorageAt(self, c10::Storage(NewStorage({}, 0, {}, nullptr, true)), 0, {0}, {});
}
inline void RecordStream(at::Tensor&, at::Stream) {}  // launches have run when the call returns

// SFUMATO_TORCH_FALLBACK=silent (default), log (once for each operator) or error.
inline void SayFallback(const c10::OperatorHandle& op) {
    static const std::string_view how = [] {
        const char* text = std::getenv("SFUMATO_TORCH_FALLBACK");
        const std::string_view word = text && *text ? text : "silent";
        TORCH_CHECK(word == "silent" || word == "log" || word == "error", "SFUMATO_TORCH_FALLBACK is '", word,
                    "'; legal are silent, log, error");
        return word;
    }();
    if (how == "silent") return;
    const std::string name = c10::toString(op.operator_name());
    TORCH_CHECK_NOT_IMPLEMENTED(how != "error", name,
                                ": no kernel of this program computes it, and SFUMATO_TORCH_FALLBACK=error "
                                "forbids the CPU's");
    static std::mutex mutex;
    static std::set<std::string> said;
    std::lock_guard lock(mutex);
    if (said.insert(name).second) std::fprintf(stderr, "torch_npu: %s runs on the CPU\n", name.c_str());
}

// Draws from the device's generator where the caller names none.
inline void ChooseGenerators(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
    const auto& arguments = op.schema().arguments();
    for (size_t i = 0; i < arguments.size(); ++i) {
        c10::IValue& value = (*stack)[stack->size() - arguments.size() + i];
        if (value.isGenerator()) {
            value = GeneratorOfDevice::Inside(value.toGenerator());
        } else if (value.isNone() && arguments[i].type()->str() == "Generator?") {
            value = GeneratorOfDevice::Inside(GeneratorOfDevice::Default(Devices::Current()));
        }
    }
}

inline void Fallback(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
    SayFallback(op);
    const auto compute = [op](torch::jit::Stack* values) {
        ChooseGenerators(op, values);
        at::native::cpu_fallback(op, values);
    };
    KeepsWork() ? KeepOperator(op, stack, compute) : compute(stack);
}

}  // namespace torch_npu
