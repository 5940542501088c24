// SPDX-License-Identifier: Apache-2.0
// Tensors as host code sees them (docs/spec/clients.md 6.3).
#pragma once

#include <cstddef>

#include "sfumato/op/shape.h"
#include "sfumato/type_macros_off.inc"

namespace sfumato {
namespace op {

// A tensor without values is asked for them: kept for the report of a null pointer.
SFUMATO_API void SayNoData(Where where);

}  // namespace op
}  // namespace sfumato

namespace gert {

using TensorAddress = void*;
using ConstTensorAddressPtr = const void*;

enum TensorPlacement { kOnDeviceHbm, kOnHost, kFollowing, kOnDeviceP2p, kTensorPlacementEnd };

class TensorPlacementUtils {
public:
    static bool IsOnDevice(TensorPlacement place) { return place == kOnDeviceHbm || place == kOnDeviceP2p; }
    static bool IsOnHost(TensorPlacement place) { return place == kOnHost || place == kFollowing; }
};

// Type and formats of a tensor; no shape.
class CompileTimeTensorDesc {
public:
    CompileTimeTensorDesc() = default;
    CompileTimeTensorDesc(ge::DataType type, const StorageFormat& format) : type_(type), format_(format) {}
    ge::DataType GetDataType() const { return type_; }
    const StorageFormat& GetFormat() const { return format_; }
    ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }
    ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }
    ExpandDimsType GetExpandDimsType() const { return format_.GetExpandDimsType(); }
    void SetDataType(ge::DataType type) { type_ = type; }
    void SetOriginFormat(ge::Format format) { format_.SetOriginFormat(format); }
    void SetStorageFormat(ge::Format format) { format_.SetStorageFormat(format); }
    void SetExpandDimsType(const ExpandDimsType& expand) { format_.SetExpandDimsType(expand); }

private:
    ge::DataType type_ = ge::DT_UNDEFINED;
    StorageFormat format_;
};

// An address with its size; owns nothing.
class TensorData {
public:
    explicit TensorData(TensorAddress address = nullptr, size_t bytes = 0, TensorPlacement place = kOnHost)
        : address_(address), bytes_(bytes), place_(place) {}
    TensorAddress GetAddr() const { return address_; }
    size_t GetSize() const { return bytes_; }
    void SetSize(size_t bytes) { bytes_ = bytes; }
    TensorPlacement GetPlacement() const { return place_; }
    void SetPlacement(TensorPlacement place) { place_ = place; }

private:
    TensorAddress address_;
    size_t bytes_;
    TensorPlacement place_;
};

// Its data are null unless the operator says that host code reads them: ValueDepend, InputsDataDependency,
// TilingInputsDataDependency.
class Tensor {
public:
    Tensor() = default;
    Tensor(const StorageShape& shape, const StorageFormat& format, ge::DataType type)
        : shape_(shape), format_(format), type_(type) {}
    Tensor(const StorageShape& shape, const StorageFormat& format, TensorPlacement place, ge::DataType type,
           TensorAddress address)
        : shape_(shape), format_(format), type_(type), data_(address, 0, place) {
        data_.SetSize(Bytes());
    }

    const StorageShape& GetShape() const { return shape_; }
    StorageShape& GetShape() { return shape_; }
    const Shape& GetStorageShape() const { return shape_.GetStorageShape(); }
    const Shape& GetOriginShape() const { return shape_.GetOriginShape(); }
    Shape& MutableStorageShape() { return shape_.MutableStorageShape(); }
    Shape& MutableOriginShape() { return shape_.MutableOriginShape(); }
    // Elements of the storage shape.
    int64_t GetShapeSize() const { return shape_.GetStorageShape().GetShapeSize(); }

    const StorageFormat& GetFormat() const { return format_; }
    StorageFormat& MutableFormat() { return format_; }
    ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }
    ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }
    ExpandDimsType GetExpandDimsType() const { return format_.GetExpandDimsType(); }
    void SetOriginFormat(ge::Format format) { format_.SetOriginFormat(format); }
    void SetStorageFormat(ge::Format format) { format_.SetStorageFormat(format); }
    ge::DataType GetDataType() const { return type_; }
    void SetDataType(ge::DataType type) { type_ = type; }

    template <class T>
    const T* GetData(Where where = Where::Here()) const {
        if (data_.GetAddr() == nullptr) sfumato::op::SayNoData(where);
        return static_cast<const T*>(data_.GetAddr());
    }
    template <class T>
    T* GetData(Where where = Where::Here()) {
        return const_cast<T*>(const_cast<const Tensor*>(this)->template GetData<T>(where));
    }
    const void* GetAddr() const { return data_.GetAddr(); }
    void* GetAddr() { return data_.GetAddr(); }
    // Bytes.
    size_t GetSize() const { return data_.GetSize(); }
    void SetSize(size_t bytes) { data_.SetSize(bytes); }
    TensorPlacement GetPlacement() const { return data_.GetPlacement(); }
    void SetPlacement(TensorPlacement place) { data_.SetPlacement(place); }
    void SetData(TensorData&& data) { data_ = data; }
    const TensorData& GetTensorData() const { return data_; }
    TensorData& MutableTensorData() { return data_; }

private:
    size_t Bytes() const {
        const int64_t bytes = ge::GetSizeInBytes(GetShapeSize(), type_);
        return bytes < 0 ? 0 : static_cast<size_t>(bytes);
    }

    StorageShape shape_;
    StorageFormat format_;
    ge::DataType type_ = ge::DT_UNDEFINED;
    TensorData data_;
};

}  // namespace gert

#ifdef SFUMATO_TYPE_MACROS
#include "sfumato/type_macros.h"
#endif
