// SPDX-License-Identifier: Apache-2.0
// Tensors of reference operators: elements at a distance from each other, read as doubles or integers and written back
// rounded once. Numbers of element types are aclDataType's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sfumato::reference {

using Shape = std::vector<int64_t>;

// Elements of a type in memory; `data` is the first one's address, null where nothing is computed yet or none is there.
struct View {
    int type = -1;
    uint8_t* data = nullptr;
    Shape shape, strides;  // strides in elements

    int64_t Count() const;
    size_t Rank() const { return shape.size(); }
};

constexpr int kFloat = 0, kHalf = 1, kInt8 = 2, kInt32 = 3, kUint8 = 4, kInt64 = 9, kUint64 = 10, kDouble = 11,
              kBool = 12, kBfloat16 = 27;

bool IsFloat(int type);
// Bytes of an element; 0: no reference operator has the type.
uint64_t SizeOf(int type);
// As NumPy writes it.
std::string NameOf(int type);
// The type two tensors are computed in: the wider of one kind, floating point before integers before bool; -1: none
// (uint64 with a signed type).
int Promoted(int a, int b);
// The type that a tensor and a number of the host are computed in: the tensor's, unless the number is of a higher kind.
int PromotedByScalar(int tensor, int scalar);
// Whether values may become such: floating point never integers, integers never bool.
bool CanCast(int from, int to);

// "[2, 3]".
std::string Words(const Shape& shape);
int64_t CountOf(const Shape& shape);
// Strides without gaps.
Shape Dense(const Shape& shape);
// The shape that both stretch to; false where there is none.
bool Broadcast(const Shape& a, const Shape& b, Shape& result);

// Other views of the same memory.
View Stretched(const View& v, const Shape& shape);  // broadcast to it
View Moved(const View& v, size_t from, size_t to);  // a dimension elsewhere
View Part(const View& v, size_t dim, int64_t first, int64_t count);

// Elements in the view's order. Of double, int64_t or uint64_t.
template <class T>
std::vector<T> Read(const View& v);
// Doubles are rounded to the nearest (integers: towards zero, and to the nearest end of their range; NaN is 0),
// integers wrap, and bool is whether a value is not 0.
template <class T>
void Write(const View& v, const std::vector<T>& values);
// A value as it is behind a store to the type.
template <class T>
T Narrowed(int type, T value);
// Bits as they are, of one type and shape; the two may overlap.
void Copy(const View& from, const View& to);
// Values as they are, of the result's type where it is another.
void Convert(const View& from, const View& to);

// The bytes of elements one after another.
std::vector<uint8_t> Bytes(const View& v);
void PutBytes(const View& v, const std::vector<uint8_t>& bytes);

}  // namespace sfumato::reference
