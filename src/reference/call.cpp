// SPDX-License-Identifier: Apache-2.0
#include "reference/call.h"

#include <fmt/format.h>

#include "reference/functions.h"

namespace sfumato::reference {
namespace {

#include "reference/operators.inc"

}  // namespace

const std::span<const Operator> kOperators = kTable;

std::string TypeWords(uint64_t types) {
    std::string words;
    for (int type = 0; type < 64; ++type) {
        if (types >> type & 1) words += (words.empty() ? "" : ", ") + NameOf(type);
    }
    return words;
}

void Call::Run(bool computes) {
    computes_ = computes;
    op.function(*this);
}

size_t Call::Result(size_t n) const {
    size_t i = 0;
    while (!op.parameters[i].IsResult() || n-- > 0) ++i;
    return i;
}

void Call::Refuse(size_t i, Rule rule, const std::string& message, const std::string& found, const std::string& legal,
                  const std::string& hint) const {
    throw Refusal{{rule, op.parameters[i].name, message, found, legal, hint}};
}

void Call::RefuseNull(size_t i, const std::string& message) const {
    const Parameter& p = op.parameters[i];
    throw Refusal{{Rule::kOpInput, p.name, message, "nullptr", std::string("an ") + p.type, ""}, true};
}
void Call::RefuseAbsent(size_t i, Rule rule, const std::string& message, const std::string& found,
                        const std::string& legal) const {
    Refuse(i, rule, message, found, legal,
           "register an operator of your own with this name, which takes the place of the reference operator");
}

void Call::NeedShape(size_t i, const Shape& shape) const {
    if (Tensor(i).shape == shape) return;
    const bool result = op.parameters[i].IsResult();
    Refuse(i, result ? Rule::kOpOutputShape : Rule::kOpInput,
           result ? "the result has another shape" : "the tensor has another shape than the others ask for",
           Words(Tensor(i).shape), Words(shape));
}
void Call::NeedRank(size_t i, size_t least, size_t most) const {
    const size_t rank = Tensor(i).Rank();
    if (rank >= least && rank <= most) return;
    Refuse(i, Rule::kOpInput, "a tensor of this many dimensions is not taken",
           fmt::format("{}, {} dimensions", Words(Tensor(i).shape), rank),
           least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most));
}
void Call::NeedType(size_t i, int type) const {
    if (Tensor(i).type == type) return;
    Refuse(i, Rule::kOpInput, "the element type is another one than the others ask for", NameOf(Tensor(i).type),
           NameOf(type));
}
void Call::NeedTypeOfNumber(size_t result, size_t number) const {
    const int64_t type = arguments[number].number;
    const uint64_t types = op.parameters[result].types;
    if (type < 0 || type > 63 || !(types >> type & 1))
        Refuse(number, Rule::kOpAttr, "the result has no such type", NameOf(static_cast<int>(type)), TypeWords(types));
    NeedType(result, static_cast<int>(type));
}
void Call::NeedCast(int from, size_t to) const {
    if (CanCast(from, Tensor(to).type)) return;
    Refuse(to, Rule::kOpInput, "what is computed does not become this element type",
           fmt::format("{} of {}", NameOf(Tensor(to).type), NameOf(from)),
           IsFloat(from) ? "a floating-point type" : "an integer or floating-point type");
}
int Call::NeedCommon(size_t i, int other, int type) const {
    const int common = Promoted(other, type);
    if (common >= 0) return common;
    Refuse(i, Rule::kOpInput, "the two element types have none in common", NameOf(type) + " with " + NameOf(other),
           "types of which one holds the other's values");
}
Shape Call::NeedBroadcast(size_t a, size_t b) const {
    Shape shape;
    if (Broadcast(Tensor(a).shape, Tensor(b).shape, shape)) return shape;
    Refuse(b, Rule::kOpInput, fmt::format("the shape does not go with that of {}", op.parameters[a].name),
           fmt::format("{} with {}", Words(Tensor(b).shape), Words(Tensor(a).shape)),
           "from the last dimension on the same lengths, or 1");
}
size_t Call::Dim(size_t i, size_t rank) const {
    const auto count = static_cast<int64_t>(rank ? rank : 1);
    const int64_t dim = arguments[i].number;
    NeedNumber(i, -count, count - 1);
    return static_cast<size_t>(dim < 0 ? dim + count : dim);
}
void Call::NeedNumber(size_t i, int64_t least, int64_t most) const {
    const int64_t number = arguments[i].number;
    if (number >= least && number <= most) return;
    Refuse(i, Rule::kOpAttr, "the number is outside its range", fmt::format("{}", number),
           least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most));
}

}  // namespace sfumato::reference
