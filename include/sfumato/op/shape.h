// SPDX-License-Identifier: Apache-2.0
// gert::Shape and the pairs of shapes and formats that host code sees (docs/spec/clients.md 6.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <type_traits>

#include "sfumato/op/types.h"
#include "sfumato/where.h"
#include "sfumato/type_macros_off.inc"

namespace sfumato {
namespace op {

// op-dim-range: `call` asks for dimension `index` of a shape of `count`.
[[noreturn]] SFUMATO_API void NoDim(const char* call, size_t index, const int64_t* dims, size_t count, Where where);
// op-dim-range, warnings: `call` reads, or sets, a dimension behind those of a shape.
SFUMATO_API void PastDims(const char* call, size_t index, const int64_t* dims, size_t count, Where where);
SFUMATO_API void BehindDims(const char* call, size_t index, const int64_t* dims, size_t count, Where where);
// op-dim-range: `call` gives a shape more than 25 dimensions.
[[noreturn]] SFUMATO_API void TooManyDims(const char* call, size_t count, Where where);

// An index that knows where it stands: operators take no further arguments.
struct PlacedIndex {
    size_t value;
    Where where;
    template <class T, class = typename std::enable_if<std::is_integral<T>::value || std::is_enum<T>::value>::type>
    PlacedIndex(T index, Where its_where = Where::Here()) : value(static_cast<size_t>(index)), where(its_where) {}
};

}  // namespace op
}  // namespace sfumato

namespace gert {

using sfumato::Where;

// Constants of a template have their definition in a header, which constants of a class have from C++17 on only.
template <class>
struct ShapeLimits {
    static constexpr size_t kMaxDimNum = 25;
    static constexpr int64_t kInvalidDimValue = std::numeric_limits<int64_t>::min();
};
#if __cplusplus < 201703L
template <class Of>
constexpr size_t ShapeLimits<Of>::kMaxDimNum;
template <class Of>
constexpr int64_t ShapeLimits<Of>::kInvalidDimValue;
#endif

class Shape : public ShapeLimits<void> {
public:
    Shape() = default;
    Shape(std::initializer_list<int64_t> dims, Where where = Where::Here()) {
        if (dims.size() > kMaxDimNum) sfumato::op::TooManyDims("Shape", dims.size(), where);
        for (const int64_t dim : dims) dims_[count_++] = dim;
    }

    bool operator==(const Shape& other) const {
        if (count_ != other.count_) return false;
        for (size_t i = 0; i < count_; ++i) {
            if (dims_[i] != other.dims_[i]) return false;
        }
        return true;
    }
    bool operator!=(const Shape& other) const { return !(*this == other); }

    size_t GetDimNum() const { return count_; }
    bool IsScalar() const { return count_ == 0; }
    void SetScalar() { SetDimNum(0); }
    // Elements: 1 without dimensions, -1 when a dimension is negative (unknown).
    int64_t GetShapeSize() const {
        int64_t size = 1;
        for (size_t i = 0; i < count_; ++i) {
            if (dims_[i] < 0) return -1;
            size *= dims_[i];
        }
        return size;
    }
    // Dimensions that are new are 0, or what SetDim said of them before.
    void SetDimNum(size_t count, Where where = Where::Here()) {
        if (count > kMaxDimNum) sfumato::op::TooManyDims("SetDimNum", count, where);
        for (size_t i = count; i < count_; ++i) dims_[i] = 0;
        count_ = count;
    }
    int64_t GetDim(size_t index, Where where = Where::Here()) const {
        // Its page asks for less than 25 alone: behind the shape's own a dimension is 0 on boards.
        if (index >= kMaxDimNum) sfumato::op::NoDim("GetDim", index, dims_, count_, where);
        if (index >= count_) sfumato::op::PastDims("GetDim", index, dims_, count_, where);
        return dims_[index];
    }
    // As boards have it, a dimension may be set before the shape has it; until it has, it is none of the shape's.
    void SetDim(size_t index, int64_t value, Where where = Where::Here()) {
        if (index >= kMaxDimNum) sfumato::op::NoDim("SetDim", index, dims_, count_, where);
        if (index >= count_) sfumato::op::BehindDims("SetDim", index, dims_, count_, where);
        dims_[index] = value;
    }
    Shape& AppendDim(int64_t value, Where where = Where::Here()) {
        if (count_ == kMaxDimNum) sfumato::op::TooManyDims("AppendDim", count_ + 1, where);
        dims_[count_++] = value;
        return *this;
    }
    const int64_t& operator[](sfumato::op::PlacedIndex index) const {
        if (index.value >= count_) sfumato::op::NoDim("operator[]", index.value, dims_, count_, index.where);
        return dims_[index.value];
    }
    int64_t& operator[](sfumato::op::PlacedIndex index) {
        if (index.value >= count_) sfumato::op::NoDim("operator[]", index.value, dims_, count_, index.where);
        return dims_[index.value];
    }

private:
    size_t count_ = 0;
    int64_t dims_[kMaxDimNum] = {};
};

// Both shapes are the same except for formats that lay elements out anew.
class StorageShape {
public:
    StorageShape() = default;
    StorageShape(std::initializer_list<int64_t> origin, std::initializer_list<int64_t> storage,
                 Where where = Where::Here())
        : origin_(origin, where), storage_(storage, where) {}
    StorageShape(const Shape& origin, const Shape& storage) : origin_(origin), storage_(storage) {}

    bool operator==(const StorageShape& other) const { return origin_ == other.origin_ && storage_ == other.storage_; }
    bool operator!=(const StorageShape& other) const { return !(*this == other); }
    const Shape& GetOriginShape() const { return origin_; }
    const Shape& GetStorageShape() const { return storage_; }
    Shape& MutableOriginShape() { return origin_; }
    Shape& MutableStorageShape() { return storage_; }

private:
    Shape origin_, storage_;
};

// From smallest to largest, of shapes or values.
template <class T>
class Range {
public:
    Range() = default;
    Range(T* min, T* max) : min_(min), max_(max) {}
    explicit Range(T* both) : min_(both), max_(both) {}
    bool operator==(const Range& other) const { return min_ == other.min_ && max_ == other.max_; }
    const T* GetMin() const { return min_; }
    const T* GetMax() const { return max_; }
    T* GetMin() { return min_; }
    T* GetMax() { return max_; }
    void SetMin(T* min) { min_ = min; }
    void SetMax(T* max) { max_ = max; }

private:
    T *min_ = nullptr, *max_ = nullptr;
};

// Which dimensions of a storage shape stand for none of the origin: "1000" of four.
class ExpandDimsType {
public:
    ExpandDimsType() = default;
    explicit ExpandDimsType(const char* mask) {
        for (; mask && *mask; ++mask, ++size_) mask_ |= uint64_t{*mask == '1'} << (size_ & 63);
    }
    bool operator==(const ExpandDimsType& other) const { return size_ == other.size_ && mask_ == other.mask_; }
    bool operator!=(const ExpandDimsType& other) const { return !(*this == other); }
    size_t GetFullSize() const { return size_; }
    bool IsExpandIndex(size_t index) const { return index < size_ && index < 64 && (mask_ >> index & 1) != 0; }
    void SetExpandIndex(size_t index) {
        if (index >= size_) size_ = index + 1;
        mask_ |= uint64_t{1} << (index & 63);
    }

private:
    size_t size_ = 0;
    uint64_t mask_ = 0;
};

class StorageFormat {
public:
    StorageFormat() = default;
    StorageFormat(ge::Format origin, ge::Format storage, const ExpandDimsType& expand)
        : origin_(origin), storage_(storage), expand_(expand) {}
    bool operator==(const StorageFormat& other) const {
        return origin_ == other.origin_ && storage_ == other.storage_ && expand_ == other.expand_;
    }
    bool operator!=(const StorageFormat& other) const { return !(*this == other); }
    ge::Format GetOriginFormat() const { return origin_; }
    ge::Format GetStorageFormat() const { return storage_; }
    ExpandDimsType GetExpandDimsType() const { return expand_; }
    ExpandDimsType& MutableExpandDimsType() { return expand_; }
    void SetOriginFormat(ge::Format format) { origin_ = format; }
    void SetStorageFormat(ge::Format format) { storage_ = format; }
    void SetExpandDimsType(ExpandDimsType expand) { expand_ = expand; }

private:
    ge::Format origin_ = ge::FORMAT_ND, storage_ = ge::FORMAT_ND;
    ExpandDimsType expand_;
};

}  // namespace gert

#ifdef SFUMATO_TYPE_MACROS
#include "sfumato/type_macros.h"
#endif
