// SPDX-License-Identifier: Apache-2.0
// Attributes as host code reads them, by their number in the definition (docs/spec/clients.md 6.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sfumato/op/tensor.h"

namespace sfumato {
namespace op {

struct AttrStore;  // the values of a call

// As what an attribute is read.
enum class AttrRead : uint8_t { kInteger, kBool, kFloat, kDouble, kString, kList, kListOfLists, kOther };

}  // namespace op
}  // namespace sfumato

namespace gert {

// A list of elements that lie behind each other.
class ContinuousVector {
public:
    ContinuousVector() = default;
    ContinuousVector(void* data, size_t size) : data_(data), size_(size), capacity_(size) {}
    size_t GetSize() const { return size_; }
    size_t GetCapacity() const { return capacity_; }
    const void* GetData() const { return data_; }
    void* MutableData() { return data_; }

protected:
    void* data_ = nullptr;
    size_t size_ = 0, capacity_ = 0;
};

template <class T>
class TypedContinuousVector : public ContinuousVector {
public:
    using ContinuousVector::ContinuousVector;
    const T* GetData() const { return static_cast<const T*>(data_); }
    T* MutableData() { return static_cast<T*>(data_); }
};

class ContinuousVectorVector {
public:
    ContinuousVectorVector() = default;
    ContinuousVectorVector(const ContinuousVector* lists, size_t size) : lists_(lists), size_(size) {}
    size_t GetSize() const { return size_; }
    // nullptr: there is no such list.
    const ContinuousVector* Get(size_t index) const { return index < size_ ? lists_ + index : nullptr; }

private:
    const ContinuousVector* lists_ = nullptr;
    size_t size_ = 0;
};

// An Int is read as any integer or enumeration of at most 8 bytes: the low bytes of the value. Another type than
// declared is refused: op-attr-type. A number that no attribute has gives nullptr, as on boards.
class RuntimeAttrs {
public:
    explicit RuntimeAttrs(const sfumato::op::AttrStore* store) : store_(store) {}
    RuntimeAttrs& operator=(RuntimeAttrs&&) = delete;

    template <class T>
    const T* GetAttrPointer(size_t index, Where where = Where::Here()) const {
        return Get<T>("GetAttrPointer", index, where);
    }
    const int64_t* GetInt(size_t index, Where where = Where::Here()) const {
        return Get<int64_t>("GetInt", index, where);
    }
    const float* GetFloat(size_t index, Where where = Where::Here()) const {
        return Get<float>("GetFloat", index, where);
    }
    const bool* GetBool(size_t index, Where where = Where::Here()) const { return Get<bool>("GetBool", index, where); }
    const char* GetStr(size_t index, Where where = Where::Here()) const { return Get<char>("GetStr", index, where); }
    const TypedContinuousVector<int64_t>* GetListInt(size_t index, Where where = Where::Here()) const {
        return Get<TypedContinuousVector<int64_t>>("GetListInt", index, where);
    }
    const TypedContinuousVector<float>* GetListFloat(size_t index, Where where = Where::Here()) const {
        return Get<TypedContinuousVector<float>>("GetListFloat", index, where);
    }
    const ContinuousVectorVector* GetListListInt(size_t index, Where where = Where::Here()) const {
        return Get<ContinuousVectorVector>("GetListListInt", index, where);
    }
    SFUMATO_API size_t GetAttrNum() const;

private:
    using AttrRead = sfumato::op::AttrRead;

    template <class T>
    static constexpr AttrRead ReadOf() {
        return std::is_same<T, bool>::value                           ? AttrRead::kBool
               : std::is_same<T, char>::value                         ? AttrRead::kString
               : std::is_integral<T>::value || std::is_enum<T>::value ? AttrRead::kInteger
               : std::is_same<T, float>::value                        ? AttrRead::kFloat
               : std::is_same<T, double>::value                       ? AttrRead::kDouble
               : std::is_base_of<ContinuousVector, T>::value          ? AttrRead::kList
               : std::is_same<T, ContinuousVectorVector>::value       ? AttrRead::kListOfLists
                                                                      : AttrRead::kOther;
    }
    // Of a typed list: what its elements are read as, and their bytes; else kOther and the bytes of the type.
    template <class T>
    struct ElementOf {
        static constexpr AttrRead Read() { return AttrRead::kOther; }
        static constexpr size_t kBytes = sizeof(T);
    };
    template <class T>
    struct ElementOf<TypedContinuousVector<T>> {
        static constexpr AttrRead Read() { return ReadOf<T>(); }
        static constexpr size_t kBytes = sizeof(T);
    };
    template <class T>
    const T* Get(const char* call, size_t index, Where where) const {
        return static_cast<const T*>(At(call, index, ReadOf<T>(), ElementOf<T>::Read(), ElementOf<T>::kBytes, where));
    }
    SFUMATO_API const void* At(const char* call, size_t index, AttrRead read, AttrRead element, size_t bytes,
                               Where where) const;

    const sfumato::op::AttrStore* store_;
};

}  // namespace gert
