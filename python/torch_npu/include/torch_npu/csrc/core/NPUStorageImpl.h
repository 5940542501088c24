// SPDX-License-Identifier: Apache-2.0
// What storages of the device npu know of their layout. Extensions carry their own copy of this class and cast to it to
// read the format, so its members are where theirs are (docs/spec/clients.md 4.4).
#pragma once

#include <c10/core/StorageImpl.h>
#include <c10/util/SmallVector.h>
#include <c10/util/typeid.h>

#include "acl/acl_base.h"

namespace torch_npu {

struct NPUStorageDesc {
    struct use_byte_size_t {};

    c10::SmallVector<int64_t, 5> base_sizes_;
    c10::SmallVector<int64_t, 5> base_strides_;
    c10::SmallVector<int64_t, 5> storage_sizes_;
    int64_t base_offset_ = 0;
    use_byte_size_t base_dtype_ = {};
    aclFormat origin_format_ = ACL_FORMAT_ND;
    aclFormat npu_format_ = ACL_FORMAT_ND;
    caffe2::TypeMeta data_type_ = caffe2::TypeMeta::Make<uint8_t>();
};

struct NPUStorageImpl : c10::StorageImpl {
    using c10::StorageImpl::StorageImpl;
    NPUStorageDesc npu_desc_;
    NPUStorageDesc get_npu_desc() const { return npu_desc_; }
};

}  // namespace torch_npu
