// SPDX-License-Identifier: Apache-2.0
#include "reference/view.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "sfumato/half.h"
#include "sfumato/tiling/type_words.h"

namespace sfumato::reference {
namespace {

// Calls visit with a value of the type. False: there is no arithmetic of it.
template <class Visit>
bool VisitType(int type, const Visit& visit) {
    const auto of = [&]<class T>(T) {
        constexpr bool has = !std::is_same_v<T, int4b_t>;
        if constexpr (has) visit(T());
        return has;
    };
    switch (type) {
#define SFUMATO_X(word, number, type, ...) \
    case number: return of(type());
        SFUMATO_TYPE_NUMBERS(SFUMATO_X)
#undef SFUMATO_X
        default: return false;
    }
}

// Calls each with the distance in elements of every element, in the view's order.
template <class Each>
void ForEach(const View& v, const Each& each) {
    const int64_t count = v.Count();
    Shape index(v.Rank(), 0);
    int64_t at = 0;
    for (int64_t i = 0; i < count; ++i) {
        each(at);
        for (size_t d = v.Rank(); d-- > 0;) {
            at += v.strides[d];
            if (++index[d] < v.shape[d]) break;
            at -= v.strides[d] * v.shape[d];
            index[d] = 0;
        }
    }
}

template <class T, class E>
T Loaded(E value) {
    if constexpr (std::is_arithmetic_v<E>) {
        return static_cast<T>(value);
    } else {
        return static_cast<T>(static_cast<float>(value));
    }
}

// The nearest integer of the type towards zero.
template <class E>
E Truncated(double value) {
    if (std::isnan(value)) return 0;
    if (value <= static_cast<double>(std::numeric_limits<E>::min())) return std::numeric_limits<E>::min();
    if (value >= static_cast<double>(std::numeric_limits<E>::max())) return std::numeric_limits<E>::max();
    return static_cast<E>(value);
}

template <class E, class T>
E Stored(T value) {
    if constexpr (std::is_same_v<E, bool>) {
        return value != 0;
    } else if constexpr (std::is_same_v<T, uint64_t> && !std::is_integral_v<E>) {
        return E(static_cast<int64_t>(value));
    } else if constexpr (std::is_integral_v<E> && std::is_floating_point_v<T>) {
        return Truncated<E>(value);
    } else {
        return static_cast<E>(value);
    }
}

// Numbers of aclDataType that no tensor here is of, for reports.
constexpr std::pair<int, const char*> kOthers[] = {
    {13, "string"},      {16, "complex64"},   {17, "complex128"},    {30, "uint1"},       {33, "complex32"},
    {34, "hifloat8"},    {35, "float8_e5m2"}, {36, "float8_e4m3fn"}, {37, "float8_e8m0"}, {38, "float6_e3m2"},
    {39, "float6_e2m3"}, {40, "float4_e2m1"}, {41, "float4_e1m2"},
};

int Kind(int type) { return type == kBool ? 0 : IsFloat(type) ? 2 : 1; }
bool IsUnsigned(int type) {
    bool is = false;
    VisitType(type, [&]<class E>(E) { is = std::is_unsigned_v<E> && !std::is_same_v<E, bool>; });
    return is;
}

}  // namespace

int64_t View::Count() const { return CountOf(shape); }

bool IsFloat(int type) { return type == kFloat || type == kHalf || type == kBfloat16 || type == kDouble; }
uint64_t SizeOf(int type) {
    uint64_t size = 0;
    VisitType(type, [&]<class E>(E) { size = sizeof(E); });
    return size;
}
std::string NameOf(int type) {
    const char* name = type < 0 ? nullptr : tiling::NameOfType(static_cast<uint64_t>(type));
    for (const auto& [number, other] : kOthers) {
        if (number == type) name = other;
    }
    return name ? name : fmt::format("type {}", type);
}

int Promoted(int a, int b) {
    if (a == b) return a;
    if (Kind(a) != Kind(b)) return Kind(a) > Kind(b) ? a : b;
    if (Kind(a) == 2) return SizeOf(a) == SizeOf(b) ? kFloat : SizeOf(a) > SizeOf(b) ? a : b;
    if (IsUnsigned(a) == IsUnsigned(b)) return SizeOf(a) > SizeOf(b) ? a : b;
    // One is unsigned: a signed type that holds both.
    const int other = IsUnsigned(a) ? b : a;
    const uint64_t size = SizeOf(IsUnsigned(a) ? a : b);
    if (SizeOf(other) > size) return other;
    constexpr int kSigned[] = {6, kInt32, kInt64};
    return size < 8 ? kSigned[size / 2] : -1;
}
int PromotedByScalar(int tensor, int scalar) {
    if (Kind(scalar) <= Kind(tensor)) return tensor;
    return Kind(scalar) == 2 ? kFloat : scalar;
}
bool CanCast(int from, int to) { return Kind(to) >= Kind(from); }

std::string Words(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }
int64_t CountOf(const Shape& shape) {
    int64_t count = 1;
    for (const int64_t d : shape) count *= d;
    return count;
}
Shape Dense(const Shape& shape) {
    Shape strides(shape.size(), 1);
    for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
    return strides;
}
bool Broadcast(const Shape& a, const Shape& b, Shape& result) {
    result.assign(std::max(a.size(), b.size()), 1);
    for (size_t i = 0; i < result.size(); ++i) {
        const int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1, y = i < b.size() ? b[b.size() - 1 - i] : 1;
        if (x != y && x != 1 && y != 1) return false;
        result[result.size() - 1 - i] = x == 1 ? y : x;
    }
    return true;
}

View Stretched(const View& v, const Shape& shape) {
    View result{v.type, v.data, shape, Shape(shape.size(), 0)};
    for (size_t i = 0; i < v.Rank(); ++i) {
        const size_t from = v.Rank() - 1 - i, to = shape.size() - 1 - i;
        if (v.shape[from] == shape[to]) result.strides[to] = v.strides[from];
    }
    return result;
}
View Moved(const View& v, size_t from, size_t to) {
    View result = v;
    for (Shape* of : {&result.shape, &result.strides}) {
        const int64_t value = (*of)[from];
        of->erase(of->begin() + static_cast<std::ptrdiff_t>(from));
        of->insert(of->begin() + static_cast<std::ptrdiff_t>(to), value);
    }
    return result;
}
View Part(const View& v, size_t dim, int64_t first, int64_t count) {
    View result = v;
    result.shape[dim] = count;
    if (v.data) result.data += first * v.strides[dim] * static_cast<int64_t>(SizeOf(v.type));
    return result;
}

template <class T>
std::vector<T> Read(const View& v) {
    std::vector<T> values;
    values.reserve(static_cast<size_t>(v.Count()));
    VisitType(v.type, [&]<class E>(E element) {
        ForEach(v, [&](int64_t at) {
            std::memcpy(&element, v.data + at * static_cast<int64_t>(sizeof element), sizeof element);
            values.push_back(Loaded<T>(element));
        });
    });
    return values;
}
template <class T>
void Write(const View& v, const std::vector<T>& values) {
    VisitType(v.type, [&]<class E>(E) {
        const T* value = values.data();
        ForEach(v, [&](int64_t at) {
            const E element = Stored<E>(*value++);
            std::memcpy(v.data + at * static_cast<int64_t>(sizeof element), &element, sizeof element);
        });
    });
}
template <class T>
T Narrowed(int type, T value) {
    VisitType(type, [&]<class E>(E) { value = Loaded<T>(Stored<E>(value)); });
    return value;
}
template std::vector<double> Read<double>(const View&);
template std::vector<int64_t> Read<int64_t>(const View&);
template std::vector<uint64_t> Read<uint64_t>(const View&);
template void Write<double>(const View&, const std::vector<double>&);
template void Write<int64_t>(const View&, const std::vector<int64_t>&);
template void Write<uint64_t>(const View&, const std::vector<uint64_t>&);
template double Narrowed<double>(int, double);
template uint64_t Narrowed<uint64_t>(int, uint64_t);

std::vector<uint8_t> Bytes(const View& v) {
    const uint64_t size = SizeOf(v.type);
    std::vector<uint8_t> bytes(static_cast<size_t>(v.Count()) * size);
    uint8_t* to = bytes.data();
    ForEach(v, [&](int64_t at) {
        std::memcpy(to, v.data + at * static_cast<int64_t>(size), size);
        to += size;
    });
    return bytes;
}
void PutBytes(const View& v, const std::vector<uint8_t>& bytes) {
    const uint64_t size = SizeOf(v.type);
    const uint8_t* from = bytes.data();
    ForEach(v, [&](int64_t at) {
        std::memcpy(v.data + at * static_cast<int64_t>(size), from, size);
        from += size;
    });
}
void Copy(const View& from, const View& to) { PutBytes(to, Bytes(from)); }
void Convert(const View& from, const View& to) {
    if (from.type == to.type) return Copy(from, to);
    // The upper half of uint64 is negative in int64, which wraps right for integers alone.
    if (IsFloat(from.type) || (from.type == kUint64 && IsFloat(to.type)))
        Write(to, Read<double>(from));
    else
        Write(to, Read<int64_t>(from));
}

}  // namespace sfumato::reference
