// SPDX-License-Identifier: Apache-2.0
// ListTensorDesc and TensorDesc: an argument that is a list of tensors (framework.md 1.12).
#pragma once

#include "sfumato/ascendc/tensor.h"

namespace AscendC {

class ListTensorDesc;

// One tensor of a list. T is the element, e.g. half.
template <class T>
class TensorDesc {
public:
    // Where GetDesc puts the shape: as many words as the tensor has dimensions.
    void SetShapeAddr(uint64_t* shape) { shape_ = shape; }
    uint64_t GetDim() const { return dimensions_; }
    uint64_t GetIndex() const { return index_; }
    uint64_t GetShape(uint32_t dimension, SFUMATO_AT) const {
        if (shape_ == nullptr || dimension >= dimensions_) {
            sfumato_::ReportShapeAddress("GetShape",
                                         shape_ == nullptr ? "no SetShapeAddr" : "a dimension past the last", where);
            return 0;
        }
        return shape_[dimension];
    }
    T* GetDataPtr() const { return data_; }
    GlobalTensor<T> GetDataObj(SFUMATO_AT) const {
        GlobalTensor<T> tensor;
        uint64_t count = dimensions_ != 0 ? 1 : 0;
        for (uint64_t i = 0; shape_ != nullptr && i < dimensions_; ++i) count *= shape_[i];
        tensor.SetGlobalBuffer(data_, shape_ != nullptr ? count : 0, where);
        return tensor;
    }

private:
    friend class ListTensorDesc;
    T* data_ = nullptr;
    uint64_t* shape_ = nullptr;
    uint64_t dimensions_ = 0, index_ = 0;
};

class ListTensorDesc {
public:
    ListTensorDesc() = default;
    // length: bytes of the list, shapeSize: words of all shapes; both are checked where given.
    explicit ListTensorDesc(void* list, uint32_t length = 0xFFFFFFFF, uint32_t shapeSize = 0xFFFFFFFF, SFUMATO_AT) {
        Init(list, length, shapeSize, where);
    }
    void Init(void* list, uint32_t length = 0xFFFFFFFF, uint32_t shapeSize = 0xFFFFFFFF, SFUMATO_AT) {
        list_ = sfumato_::OpenTensorList(list, length, shapeSize, where);
    }
    uint32_t GetSize() const { return list_.count; }
    template <class T>
    T* GetDataPtr(uint32_t index, SFUMATO_AT) const {
        if (!sfumato_::TensorOfList(list_, index, "GetDataPtr", where)) return nullptr;
        return reinterpret_cast<T*>(list_.pointers[index]);
    }
    template <class T>
    void GetDesc(TensorDesc<T>& desc, uint32_t index, SFUMATO_AT) const {
        const uint64_t* words = sfumato_::TensorOfList(list_, index, "GetDesc", where);
        if (words == nullptr) return;
        if (desc.shape_ == nullptr) {
            sfumato_::ReportShapeAddress("GetDesc", "no SetShapeAddr", where);
            return;
        }
        desc.dimensions_ = words[0] & 0xFFFFFFFF;
        desc.index_ = words[0] >> 32;
        for (uint64_t i = 0; i < desc.dimensions_; ++i) desc.shape_[i] = words[1 + i];
        desc.data_ = reinterpret_cast<T*>(list_.pointers[index]);
    }

private:
    sfumato_::TensorListView list_;
};

}  // namespace AscendC
