// SPDX-License-Identifier: Apache-2.0
// Formats: ND, and FRACTAL_NZ, in which a matrix M x N lies as (N/N0, M/16, 16, N0) with N0 of 32 bytes and zeros
// behind its edges (docs/spec/cube.md 6). The sizes of a tensor are those of the matrix in both.
#pragma once

#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>

#include "memory.h"

namespace torch_npu {

inline NPUStorageDesc& DescOf(const at::Tensor& tensor) {
    return static_cast<NPUStorageImpl*>(tensor.storage().unsafeGetStorageImpl())->npu_desc_;
}
inline bool IsNz(const at::Tensor& tensor) {
    return tensor.device().is_privateuseone() && tensor.has_storage() &&
           DescOf(tensor).npu_format_ == ACL_FORMAT_FRACTAL_NZ;
}

inline void DescribeAs(const at::Tensor& tensor, aclFormat format, c10::IntArrayRef storage_sizes) {
    NPUStorageDesc& desc = DescOf(tensor);
    desc.base_sizes_.assign(tensor.sizes().begin(), tensor.sizes().end());
    desc.base_strides_.assign(tensor.strides().begin(), tensor.strides().end());
    desc.storage_sizes_.assign(storage_sizes.begin(), storage_sizes.end());
    desc.base_offset_ = tensor.storage_offset();
    desc.origin_format_ = ACL_FORMAT_ND;
    desc.npu_format_ = format;
    desc.data_type_ = tensor.dtype();
}
inline at::Tensor WithStorage(at::Tensor tensor) {
    c10::StorageImpl* plain = tensor.storage().unsafeGetStorageImpl();
    tensor.unsafeGetTensorImpl()->set_storage_keep_dtype(
        c10::Storage(NewStorage({}, plain->nbytes(), plain->set_data_ptr(c10::DataPtr()), plain->allocator(), true)));
    DescribeAs(tensor, ACL_FORMAT_ND, tensor.sizes());
    return tensor;
}

inline at::Tensor Empty(c10::IntArrayRef size, c10::optional<at::ScalarType> type, c10::optional<at::Layout> layout,
                        c10::optional<at::Device> device, c10::optional<bool> pin,
                        c10::optional<at::MemoryFormat> memory_format) {
    TORCH_CHECK(c10::layout_or_default(layout) == at::kStrided, "tensors of the device npu are strided, not ",
                c10::layout_or_default(layout));
    TORCH_CHECK(!c10::pinned_memory_or_default(pin), "only tensors of the CPU can be pinned");
    const c10::DeviceGuard guard(Devices::Npu(Devices::Resolve(c10::device_or_default(device))));
    return WithStorage(at::detail::empty_generic(size, &DeviceAllocator::The(),
                                                 c10::DispatchKeySet(c10::DispatchKey::PrivateUse1),
                                                 c10::dtype_or_default(type), memory_format));
}
inline at::Tensor EmptyStrided(c10::IntArrayRef size, c10::IntArrayRef stride, c10::optional<at::ScalarType> type,
                               c10::optional<at::Layout> layout, c10::optional<at::Device> device,
                               c10::optional<bool> pin) {
    TORCH_CHECK(c10::layout_or_default(layout) == at::kStrided, "tensors of the device npu are strided, not ",
                c10::layout_or_default(layout));
    TORCH_CHECK(!c10::pinned_memory_or_default(pin), "only tensors of the CPU can be pinned");
    const c10::DeviceGuard guard(Devices::Npu(Devices::Resolve(c10::device_or_default(device))));
    return WithStorage(at::detail::empty_strided_generic(size, stride, &DeviceAllocator::The(),
                                                         c10::DispatchKeySet(c10::DispatchKey::PrivateUse1),
                                                         c10::dtype_or_default(type)));
}

// The same bytes as a tensor of the CPU; of a tensor in ND.
inline at::Tensor AsCpu(const at::Tensor& tensor) {
    if (tensor.is_cpu()) return tensor;
    at::Tensor cpu = at::from_blob(tensor.data_ptr(), tensor.sizes(), tensor.strides(),
                                   tensor.options().device(at::kCPU).pinned_memory(c10::nullopt));
    if (tensor.is_conj()) cpu._set_conj(true);
    if (tensor.is_neg()) cpu._set_neg(true);
    return cpu;
}

struct Fractals {
    explicit Fractals(const at::Tensor& tensor)
        : m(tensor.size(-2)),
          n(tensor.size(-1)),
          n0(32 / tensor.element_size()),
          m1((m + 15) / 16),
          n1((n + n0 - 1) / n0) {}
    std::vector<int64_t> StorageSizes(const at::Tensor& tensor) const {
        std::vector<int64_t> sizes(tensor.sizes().begin(), tensor.sizes().end() - 2);
        sizes.insert(sizes.end(), {n1, m1, 16, n0});
        return sizes;
    }
    int64_t m, n, n0, m1, n1;
};

// From the CPU to the CPU. (..., M, N) to (..., N1, M1, 16, N0), and back.
inline at::Tensor ToNz(const at::Tensor& nd) {
    const Fractals f(nd);
    std::vector<int64_t> split(nd.sizes().begin(), nd.sizes().end() - 2);
    split.insert(split.end(), {f.m1, 16, f.n1, f.n0});
    const at::Tensor padded = at::constant_pad_nd(nd.contiguous(), {0, f.n1 * f.n0 - f.n, 0, f.m1 * 16 - f.m});
    return padded.view(split).transpose(-4, -2).transpose(-3, -2).contiguous();
}
inline at::Tensor FromNz(const at::Tensor& nz, c10::IntArrayRef sizes) {
    std::vector<int64_t> whole(sizes.begin(), sizes.end());
    const int64_t m = sizes.end()[-2], n = sizes.end()[-1];
    whole.end()[-2] = nz.size(-3) * 16;
    whole.end()[-1] = nz.size(-4) * nz.size(-1);
    return nz.transpose(-3, -2).transpose(-4, -2).reshape(whole).narrow(-2, 0, m).narrow(-1, 0, n).contiguous();
}
// What lies in memory, as a tensor of the CPU over the same bytes.
inline at::Tensor StoredNz(const at::Tensor& tensor) {
    const NPUStorageDesc& desc = DescOf(tensor);
    TORCH_CHECK(tensor.sizes() == c10::IntArrayRef(desc.base_sizes_) && tensor.is_contiguous(),
                "a tensor in FRACTAL_NZ is used whole, not as a view: cast it to ND (2) first");
    return at::from_blob(tensor.storage().mutable_data(), desc.storage_sizes_,
                         tensor.options().device(at::kCPU).pinned_memory(c10::nullopt));
}
// The values, for reading: the same bytes, or a copy where they lie in FRACTAL_NZ.
inline at::Tensor Values(const at::Tensor& tensor) {
    return IsNz(tensor) ? FromNz(StoredNz(tensor), tensor.sizes()) : AsCpu(tensor);
}

inline at::Tensor EmptyWithFormat(c10::IntArrayRef sizes, const c10::TensorOptions& options, int64_t format) {
    TORCH_CHECK(format == ACL_FORMAT_ND || format == ACL_FORMAT_FRACTAL_NZ, "npu_format_cast: format ", format,
                "; legal are 2 (ND) and 29 (FRACTAL_NZ)");
    at::Tensor tensor = Empty(sizes, c10::typeMetaToScalarType(options.dtype()), c10::nullopt,
                              Devices::Npu(Devices::Current()), c10::nullopt, c10::nullopt);
    if (format == ACL_FORMAT_ND) return tensor;
    TORCH_CHECK(sizes.size() >= 2 && tensor.element_size() <= 4,
                "npu_format_cast: FRACTAL_NZ (29) is of matrices with elements of 1, 2 or 4 bytes, found ", sizes,
                " of ", tensor.scalar_type());
    const std::vector<int64_t> stored = Fractals(tensor).StorageSizes(tensor);
    ResizeStorage(tensor.storage().unsafeGetStorageImpl(),
                  static_cast<size_t>(c10::multiply_integers(stored) * tensor.element_size()));
    DescribeAs(tensor, ACL_FORMAT_FRACTAL_NZ, stored);
    return tensor;
}
inline at::Tensor FormatCast(const at::Tensor& tensor, int64_t format) {
    TORCH_CHECK(tensor.device().is_privateuseone(),
                "npu_format_cast: expected a tensor of the device npu, found one of ", tensor.device());
    if (format == static_cast<int64_t>(DescOf(tensor).npu_format_)) return tensor;
    at::Tensor cast = EmptyWithFormat(tensor.sizes(), tensor.options(), format);
    (format == ACL_FORMAT_ND ? AsCpu(cast) : StoredNz(cast))
        .copy_(format == ACL_FORMAT_ND ? Values(tensor) : ToNz(Values(tensor)));
    return cast;
}

}  // namespace torch_npu
