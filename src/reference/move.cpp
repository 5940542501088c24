// SPDX-License-Identifier: Apache-2.0
// What moves elements: the bits stay, except where a result has another type or adds.
#include <algorithm>

#include "reference/functions.h"

namespace sfumato::reference {
namespace {

// The elements of the tensor, stretched to the shape, as those of a type.
std::vector<uint8_t> BytesAs(const View& v, const Shape& shape, int type) {
    std::vector<uint8_t> bytes(static_cast<size_t>(CountOf(shape)) * SizeOf(type));
    Convert(Stretched(v, shape), {type, bytes.data(), shape, Dense(shape)});
    return bytes;
}

// The parts of a tensor along a dimension, one for each result.
void Split(Call& c, const Shape& lengths, size_t dim) {
    const View& x = c.Tensor(0);
    const std::vector<View>& parts = c[3].tensors;
    if (parts.size() != lengths.size())
        c.Refuse(3, Rule::kOpOutputShape, "the list has another number of tensors than there are parts",
                 std::to_string(parts.size()), std::to_string(lengths.size()));
    int64_t first = 0;
    for (size_t i = 0; i < parts.size(); ++i) {
        const View part = Part(x, dim, first, lengths[i]);
        first += lengths[i];
        if (parts[i].shape != part.shape)
            c.Refuse(3, Rule::kOpOutputShape, "tensor " + std::to_string(i) + " of the list has another shape",
                     Words(parts[i].shape), Words(part.shape));
        if (parts[i].type != x.type)
            c.Refuse(3, Rule::kOpInput, "tensor " + std::to_string(i) + " of the list has another element type",
                     NameOf(parts[i].type), NameOf(x.type));
        if (c.computes()) Copy(part, parts[i]);
    }
}

// The elements of the index, each of a dimension of `length`; `from_end`: negative ones count from its end.
std::vector<int64_t> Indices(const Call& c, size_t i, const View& v, int64_t length, bool from_end = false) {
    std::vector<int64_t> indices = Read<int64_t>(v);
    for (int64_t& index : indices) {
        if (index < (from_end ? -length : 0) || index >= length)
            c.Refuse(i, Rule::kOpInput, "an index is outside the dimension", std::to_string(index),
                     std::to_string(from_end ? -length : 0) + " to " + std::to_string(length - 1));
        if (index < 0) index += length;
    }
    return indices;
}
// A tensor without dimensions as one of one dimension, as PyTorch takes it.
View AtLeastOne(const View& v) { return v.Rank() ? v : View{v.type, v.data, {1}, {1}}; }

// Of each element of `walked`, in its order, where it lies in a dense tensor of the shape when the index of `dim` is
// the value that belongs to it.
std::vector<size_t> Targets(const Shape& walked, const Shape& shape, size_t dim, const std::vector<int64_t>& indices) {
    const Shape strides = Dense(shape);
    Shape at(walked.size(), 0);
    std::vector<size_t> targets;
    for (const int64_t index : indices) {
        int64_t target = index * strides[dim];
        for (size_t d = 0; d < at.size(); ++d) target += d == dim ? 0 : at[d] * strides[d];
        targets.push_back(static_cast<size_t>(target));
        for (size_t d = at.size(); d-- > 0 && ++at[d] == walked[d];) at[d] = 0;
    }
    return targets;
}

// Every dimension of `least` but `dim` is at most that of the other.
void NeedWithin(const Call& c, size_t least, const View& a, const View& b, size_t dim, const char* name) {
    bool fits = a.Rank() == b.Rank();
    for (size_t d = 0; fits && d < a.Rank(); ++d) fits = d == dim || a.shape[d] <= b.shape[d];
    if (fits) return;
    c.Refuse(least, Rule::kOpInput, std::string("the shape does not lie in that of ") + name,
             Words(a.shape) + " in " + Words(b.shape), "as many dimensions, none longer but the one that is indexed");
}

}  // namespace

void SWhere(Call& c) {
    const int type = c.NeedPromoted(1, 2);
    const Shape values = c.NeedBroadcast(1, 2);
    const View &condition = c.Tensor(0), &out = c.Out();
    Shape shape;
    if (!Broadcast(condition.shape, values, shape))
        c.Refuse(0, Rule::kOpInput, "the shape does not go with that of the values",
                 Words(condition.shape) + " with " + Words(values),
                 "from the last dimension on the same lengths, or 1");
    c.NeedShape(3, shape);
    c.NeedCast(type, 3);
    if (!c.computes()) return;
    const std::vector<int64_t> choice = Read<int64_t>(Stretched(condition, shape));
    const std::vector<uint8_t> yes = BytesAs(c.Tensor(1), shape, out.type), no = BytesAs(c.Tensor(2), shape, out.type);
    std::vector<uint8_t> chosen;
    const auto size = static_cast<std::ptrdiff_t>(SizeOf(out.type));
    for (size_t i = 0; i < choice.size(); ++i) {
        const auto first = (choice[i] ? yes : no).begin() + static_cast<std::ptrdiff_t>(i) * size;
        chosen.insert(chosen.end(), first, first + size);
    }
    PutBytes(out, chosen);
}

void Cat(Call& c) {
    const View& out = c.Out();
    std::vector<View> parts;
    // An empty tensor of one dimension goes with every shape, as in PyTorch.
    for (const View& v : c[0].tensors) {
        if (v.shape != Shape{0}) parts.push_back(v);
    }
    if (parts.empty()) parts = c[0].tensors;
    if (parts.empty()) c.Refuse(0, Rule::kOpInput, "there are no tensors", "an empty list", "one tensor at least");
    const size_t dim = c.Dim(1, parts[0].Rank());
    int type = parts[0].type;
    int64_t length = 0;
    for (const View& v : parts) {
        Shape shape = v.shape;
        if (v.Rank() && v.Rank() == parts[0].Rank()) shape[dim] = parts[0].shape[dim];
        if (shape.empty() || shape != parts[0].shape)
            c.Refuse(0, Rule::kOpInput, "the tensors do not go together",
                     Words(v.shape) + " behind " + Words(parts[0].shape),
                     "as many dimensions, 1 at least, the same lengths but for the one that grows");
        length += v.shape[dim];
        type = c.NeedCommon(0, type, v.type);
    }
    Shape shape = parts[0].shape;
    shape[dim] = length;
    c.NeedShape(2, shape);
    c.NeedCast(type, 2);
    if (!c.computes()) return;
    // All is read before something is written.
    std::vector<std::vector<uint8_t>> bytes;
    for (const View& v : parts) bytes.push_back(Bytes(v));
    int64_t first = 0;
    for (size_t i = 0; i < parts.size(); ++i) {
        const View dense{parts[i].type, bytes[i].data(), parts[i].shape, Dense(parts[i].shape)};
        Convert(dense, Part(out, dim, first, parts[i].shape[dim]));
        first += parts[i].shape[dim];
    }
}

void SplitTensor(Call& c) {
    c.NeedRank(0, 1, 8);
    const size_t dim = c.Dim(2, c.Tensor(0).Rank());
    const int64_t length = c.Tensor(0).shape[dim], part = c[1].number;
    if (part < 0 || (part == 0) != (length == 0))
        c.Refuse(1, Rule::kOpAttr, "parts of this length do not make up the dimension", std::to_string(part),
                 length ? "1 or more" : "0");
    Shape lengths;
    for (int64_t first = 0; first < length; first += part) lengths.push_back(std::min(part, length - first));
    if (length == 0) lengths.push_back(0);
    Split(c, lengths, dim);
}
void SplitWithSize(Call& c) {
    c.NeedRank(0, 1, 8);
    const size_t dim = c.Dim(2, c.Tensor(0).Rank());
    int64_t sum = 0;
    bool negative = false;
    for (const int64_t length : c[1].integers) sum += length, negative |= length < 0;
    if (negative || sum != c.Tensor(0).shape[dim])
        c.Refuse(1, Rule::kOpAttr, "the parts do not make up the dimension",
                 Words(c[1].integers) + " of " + std::to_string(c.Tensor(0).shape[dim]),
                 "lengths of 0 or more, their sum the dimension's");
    Split(c, c[1].integers, dim);
}

void Permute(Call& c) {
    const View& x = c.Tensor(0);
    View moved{x.type, x.data, {}, {}};
    std::vector<bool> used(x.Rank(), false);
    bool whole = c[1].integers.size() == x.Rank();
    for (int64_t dim : c[1].integers) {
        if (dim < 0) dim += static_cast<int64_t>(x.Rank());
        whole = whole && dim >= 0 && dim < static_cast<int64_t>(x.Rank()) && !used[static_cast<size_t>(dim)];
        if (!whole) break;
        used[static_cast<size_t>(dim)] = true;
        moved.shape.push_back(x.shape[static_cast<size_t>(dim)]);
        moved.strides.push_back(x.strides[static_cast<size_t>(dim)]);
    }
    if (!whole)
        c.Refuse(1, Rule::kOpAttr, "this is no order of the dimensions",
                 Words(c[1].integers) + " of " + std::to_string(x.Rank()), "each dimension once");
    c.NeedSameType(2, 0);
    c.NeedShape(2, moved.shape);
    if (c.computes()) Copy(moved, c.Out());
}

void IndexSelect(Call& c) {
    const View x = AtLeastOne(c.Tensor(0)), index = AtLeastOne(c.Tensor(2));
    const size_t dim = c.Dim(1, x.Rank());
    c.NeedRank(2, 0, 1);
    Shape shape = x.shape;
    shape[dim] = index.shape[0];
    c.NeedSameType(3, 0);
    if (c.Tensor(0).Rank() || c.Out().Rank()) c.NeedShape(3, shape);
    if (!c.computes()) return;
    const std::vector<int64_t> indices = Indices(c, 2, index, x.shape[dim]);
    std::vector<uint8_t> bytes = Bytes(x);
    const View dense{x.type, bytes.data(), x.shape, Dense(x.shape)}, out = AtLeastOne(c.Out());
    for (size_t i = 0; i < indices.size(); ++i)
        Copy(Part(dense, dim, indices[i], 1), Part(out, dim, static_cast<int64_t>(i), 1));
}

void Gather(Call& c) {
    const View x = AtLeastOne(c.Tensor(0)), index = AtLeastOne(c.Tensor(2));
    const size_t dim = c.Dim(1, x.Rank());
    NeedWithin(c, 2, index, x, dim, "self");
    c.NeedSameType(3, 0);
    c.NeedShape(3, c.Tensor(2).shape);
    if (!c.computes()) return;
    const std::vector<uint8_t> from = Bytes(x);
    std::vector<uint8_t> to;
    const uint64_t size = SizeOf(x.type);
    for (const size_t target : Targets(index.shape, x.shape, dim, Indices(c, 2, index, x.shape[dim], true))) {
        const auto* element = from.data() + target * size;
        to.insert(to.end(), element, element + size);
    }
    PutBytes(c.Out(), to);
}

namespace {

// Puts (0), adds (1) or multiplies (2) the source's elements.
void ScatterBy(Call& c, int64_t reduce) {
    const View x = AtLeastOne(c.Tensor(0)), index = AtLeastOne(c.Tensor(2)), from = AtLeastOne(c.Tensor(3));
    const size_t dim = c.Dim(1, x.Rank()), result = c.Result();
    NeedWithin(c, 2, index, from, index.Rank(), "src");
    NeedWithin(c, 2, index, x, dim, "self");
    c.NeedSameType(3, 0);
    c.NeedSameType(result, 0);
    c.NeedShape(result, c.Tensor(0).shape);
    if (!c.computes()) return;
    const std::vector<size_t> targets = Targets(index.shape, x.shape, dim, Indices(c, 2, index, x.shape[dim]));
    View part = from;
    part.shape = index.shape;
    if (reduce == 0) {
        std::vector<uint8_t> bytes = Bytes(x);
        const std::vector<uint8_t> put = Bytes(part);
        const uint64_t size = SizeOf(x.type);
        for (size_t i = 0; i < targets.size(); ++i)
            std::copy_n(put.begin() + static_cast<std::ptrdiff_t>(i * size), size,
                        bytes.begin() + static_cast<std::ptrdiff_t>(targets[i] * size));
        return PutBytes(c.Out(), bytes);
    }
    const auto scatter = [&]<class T>(T) {
        std::vector<T> values = Read<T>(x);
        const std::vector<T> added = Read<T>(part);
        for (size_t i = 0; i < targets.size(); ++i) {
            T& value = values[targets[i]];
            value = reduce == 1 ? value + added[i] : value * added[i];
        }
        Write(c.Out(), values);
    };
    if (IsFloat(x.type))
        scatter(double());
    else
        scatter(uint64_t());
}

}  // namespace

void Scatter(Call& c) {
    c.NeedNumber(4, 0, 2);
    ScatterBy(c, c[4].number);
}
void ScatterAdd(Call& c) { ScatterBy(c, 1); }

void Index(Call& c) {
    const View& x = c.Tensor(0);
    const std::vector<View>& indices = c[1].tensors;
    const size_t count = indices.size();
    c.NeedRank(0, 1, 8);
    if (count == 0 || count > x.Rank())
        c.Refuse(1, Rule::kOpInput, "there is no index for each of the first dimensions", std::to_string(count),
                 "1 to " + std::to_string(x.Rank()));
    Shape shape = indices[0].shape;
    for (const View& v : indices) {
        Shape both;
        if (!Broadcast(shape, v.shape, both))
            c.Refuse(1, Rule::kOpInput, "the indices do not go together", Words(v.shape) + " with " + Words(shape),
                     "from the last dimension on the same lengths, or 1");
        shape = both;
    }
    Shape result = shape;
    result.insert(result.end(), x.shape.begin() + static_cast<std::ptrdiff_t>(count), x.shape.end());
    c.NeedSameType(2, 0);
    c.NeedShape(2, result);
    if (!c.computes()) return;
    const Shape strides = Dense(x.shape);
    std::vector<int64_t> targets(static_cast<size_t>(CountOf(shape)), 0);
    for (size_t d = 0; d < count; ++d) {
        const std::vector<int64_t> places = Indices(c, 1, Stretched(indices[d], shape), x.shape[d], true);
        for (size_t i = 0; i < targets.size(); ++i) targets[i] += places[i] * strides[d];
    }
    const std::vector<uint8_t> from = Bytes(x);
    std::vector<uint8_t> to;
    const uint64_t size = SizeOf(x.type), block = size * static_cast<uint64_t>(strides[count - 1]);
    for (const int64_t target : targets) {
        const auto* first = from.data() + static_cast<uint64_t>(target) * size;
        to.insert(to.end(), first, first + block);
    }
    PutBytes(c.Out(), to);
}

}  // namespace sfumato::reference
