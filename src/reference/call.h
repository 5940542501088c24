// SPDX-License-Identifier: Apache-2.0
// Reference operators: what the vendor's library computes, in plain arithmetic. The result is reference, not the
// board's bits. operators.txt is the table of them; from it come the headers of aclnnop/, the exported functions, the
// checks of parameters and the lists of the docs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "reference/view.h"
#include "report/finding.h"

namespace sfumato::reference {

enum class Role : uint8_t { kInput, kOptional, kOutput, kOptionalOutput, kInOut, kAttr };

// A parameter of the first phase, before the two results.
struct Parameter {
    const char *name, *type;  // as the header has them, the type without const and *
    Role role;
    uint64_t types;  // a bit for each number of an element type; 0: there are none

    bool IsResult() const { return role == Role::kOutput || role == Role::kOptionalOutput || role == Role::kInOut; }
    bool IsOptional() const { return role == Role::kOptional || role == Role::kOptionalOutput; }
};

class Call;

struct Operator {
    const char* name;         // "aclnnAdd"
    void (*function)(Call&);  // checks, and computes where the call says so
    std::span<const Parameter> parameters;

    std::string Prepare() const { return std::string(name) + "GetWorkspaceSize"; }
};

// By function name, as the table has them.
extern const std::span<const Operator> kOperators;
// The bits of element types as words: "float32, float16".
std::string TypeWords(uint64_t types);

// What was passed for a parameter.
struct Argument {
    bool given = false;
    std::vector<View> tensors;   // of a tensor or a number of the host one
    std::vector<uint8_t> bytes;  // of a number of the host
    std::vector<int64_t> integers;
    int64_t number = 0;
    double real = 0;
    std::string text;
};

// What a check throws.
struct Refusal {
    Finding finding;
    bool null = false;  // what is missing is a pointer
};

// A call of an operator. Parameters are named by their place in the table. The checks throw Refusal.
class Call {
public:
    Call(const Operator& of, std::vector<Argument> given) : op(of), arguments(std::move(given)) {}

    // Only the checks, or all of it: the addresses in `arguments` are the tensors' then.
    void Check() { Run(false); }
    void Compute() { Run(true); }

    const Operator& op;
    std::vector<Argument> arguments;

    // For the functions of operators.
    bool computes() const { return computes_; }
    const Argument& operator[](size_t i) const { return arguments[i]; }
    bool Has(size_t i) const { return arguments[i].given; }
    const View& Tensor(size_t i) const { return arguments[i].tensors.front(); }
    // The place of the n-th result among the parameters.
    size_t Result(size_t n = 0) const;
    const View& Out(size_t n = 0) const { return Tensor(Result(n)); }

    [[noreturn]] void Refuse(size_t i, Rule rule, const std::string& message, const std::string& found,
                             const std::string& legal, const std::string& hint = "") const;
    // A pointer that the others ask for.
    [[noreturn]] void RefuseNull(size_t i, const std::string& message) const;
    // What the vendor's operator has and this one does not: the report says how to put another in its place.
    [[noreturn]] void RefuseAbsent(size_t i, Rule rule, const std::string& message, const std::string& found,
                                   const std::string& legal) const;
    void NeedShape(size_t i, const Shape& shape) const;
    void NeedRank(size_t i, size_t least, size_t most) const;
    void NeedType(size_t i, int type) const;
    void NeedSameType(size_t i, size_t other) const { NeedType(i, Tensor(other).type); }
    // A result is of the type that the number of a parameter says.
    void NeedTypeOfNumber(size_t result, size_t number) const;
    // A result that is computed in a type.
    void NeedCast(int from, size_t to) const;
    // The type that two tensors are computed in.
    int NeedPromoted(size_t a, size_t b) const { return NeedCommon(b, Tensor(a).type, Tensor(b).type); }
    // The type that values of another type and of parameter i, which is of `type`, have in common.
    int NeedCommon(size_t i, int other, int type) const;
    Shape NeedBroadcast(size_t a, size_t b) const;
    // A dimension of the shape, from the end where it is negative. A tensor without dimensions has 0 and -1.
    size_t Dim(size_t i, size_t rank) const;
    void NeedNumber(size_t i, int64_t least, int64_t most) const;

private:
    void Run(bool computes);

    bool computes_ = false;
};

}  // namespace sfumato::reference
