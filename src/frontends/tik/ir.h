// SPDX-License-Identifier: Apache-2.0
// The representation of a TIK program: plain arrays of expressions, declarations and statements that refer to each
// other by number. It keeps names, loops and script lines, because it is also printed, not only run.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "isa/record.h"
#include "sfumato/tik.h"
#include "soc/chip.h"

namespace sfumato::tik {

// What an expression computes. The values of all types travel in 64 bits: integers sign- or zero-extended, floats as
// the bits of a float (a half's value is one of the floats a half can hold).
enum class Op : uint8_t {
    kImmediate,   // bits
    kVariable,    // scalar a
    kElement,     // element b of scalar array a
    kLoad,        // ref a
    kRsvdCount,   // what the last vreduce counted
    kRegister,    // control register a
    kMergeCount,  // records the last merge took from queue b
    kNegate,
    kInvert,      // ~
    kLogicalNot,  // of a condition
    kAbs,
    kSqrt,
    kCountZeros,
    kCountOnes,
    kLeadingZeros,
    kConvert,      // to `type`, as C does
    kRound,        // to `type`, rounding b (scalar_conv)
    kReinterpret,  // the bits as `type`
    kAdd,          // from here on two operands
    kSub,
    kMul,
    kDiv,
    kMod,
    kShiftLeft,
    kShiftRight,
    kAnd,
    kOr,
    kXor,
    kMin,
    kMax,
    kEqual,  // comparisons, in the type of operand a; from here on the result is a condition
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kLogicalAnd,
    kLogicalOr
};

struct Expr {
    Op op = Op::kImmediate;
    DataType type = DataType::kInt32;  // of the result
    bool literal = false;              // a Python number: takes the type of what it meets
    bool condition = false;            // the result is 1 or 0
    int32_t a = -1, b = -1;
    int32_t scope = 0;  // the innermost scope whose scalars or tensors it reads
    uint64_t bits = 0;
    Number number;  // of a literal
    bool constant() const { return op == Op::kImmediate; }
};

// What calls write and read beside atomic mode (tik.md 1.10). kAtomicAdd and kOverflowStatus live in the core.
enum class ControlRegister : uint8_t {
    kAtomicAdd,
    kFp2Int,
    kFp2Fp,
    kSmallChannel,
    kSystemCache,
    kOverflowStatus,
    kCount
};

enum class ScalarKind : uint8_t { kScalar, kArray, kInput, kLoop };

struct ScalarNode {
    ScalarKind kind = ScalarKind::kScalar;
    DataType type = DataType::kInt64;
    std::string name;
    uint32_t slot = 0, length = 1;  // places in the frame
    int32_t scope = 0;
    Where where;
};

struct TensorNode {
    DataType type = DataType::kHalf;
    std::string name, scope_name;
    std::vector<int64_t> shape;
    isa::Memory memory = isa::Memory::kGm;
    uint64_t elements = 0, bytes = 0;
    uint64_t offset = 0;  // bytes from the start of an on-chip memory
    uint32_t copies = 1;  // double buffering: how often it exists
    uint64_t pitch = 0;   // between the copies
    int32_t loop = -1;    // the loop whose trip chooses the copy
    int32_t scope = 0;
    int32_t gm = -1;  // place among the GM tensors
    TensorOptions options;
    Where where;

    // A size of 2^31 - 1 and more stands for "given at run time".
    bool dynamic() const { return memory == isa::Memory::kGm && elements >= 0x7FFFFFFF; }
};

struct RefNode {
    int32_t tensor = -1;
    int32_t offset = -1;  // expression, elements of `type`
    DataType type = DataType::kHalf;
};

struct Scope {
    enum class Kind : uint8_t { kProgram, kFor, kIf, kElif, kElse, kStatements };
    Kind kind = Kind::kProgram;
    int32_t parent = -1, depth = 0;
    int32_t statement = -1;  // that opened it
    bool open = true;
    bool disable_sync = false;
};

struct ForNode {
    int32_t begin = -1, end = -1;  // expressions
    int32_t variable = -1;         // scalar
    int32_t block_num = -1;        // expression of the multi-core loop; -1 = an ordinary loop
    int64_t thread_num = 1;
    DataType type = DataType::kInt32;
};

struct PrintfNode {
    std::string format;
    std::vector<int32_t> values;
};

// The number of set_atomic_add's mode for the type.
int64_t AtomicNumber(DataType type);

// The parameters that builders read, by name.
enum class Param : uint8_t {
#define SFUMATO_TIK_PARAM(name) name,
#include "frontends/tik/params.inc"
#undef SFUMATO_TIK_PARAM
    kCount
};

// One parameter of one call. Lists are runs of `items`.
struct CallArgument {
    enum class Kind : uint8_t { kExpr, kRef, kText, kList };
    Param param = Param::kCount;
    Kind kind = Kind::kExpr;
    bool literal = false;
    int32_t value = -1;  // expression, ref, place in `texts`, or the first of `count` items
    int32_t count = 0;
};

struct CallInfo;

struct CallNode {
    const CallInfo* info = nullptr;
    std::vector<int32_t> refs;  // by the row's operand names; -1 = absent
    std::vector<CallArgument> arguments, items;
    std::vector<std::string> texts;
    int32_t fixed = -1;           // place of the finished record, when nothing in it changes from run to run
    std::vector<uint64_t> taken;  // calls of several records: bytes of each memory that tensors have taken
};

// Statements in program order; loops and conditions end with a kEnd of their own.
enum class StatementKind : uint8_t {
    kSetScalar,   // a scalar, b value
    kSetElement,  // a array, b index, c value
    kStore,       // a ref, b value
    kFor,         // a loop
    kIf,          // a condition; next: the elif, else or end that follows
    kElif,
    kElse,
    kScope,  // a: synchronisation is off
    kEnd,    // a: the statement it ends
    kBreak,  // a: the loop
    kContinue,
    kReturn,
    kCall,         // a call
    kSetAtomic,    // a on, b the type
    kSetRegister,  // a control register, b its value
    kBarrier,      // a ref
    kPrintf,       // a printf
    kMark          // nothing; a the name of a call that is made of the statements behind it, or -1
};

struct Statement {
    StatementKind kind = StatementKind::kEnd;
    int32_t a = -1, b = -1, c = -1;
    int32_t next = -1;  // where a condition that fails goes on
    int32_t end = -1;   // the matching kEnd (of the whole chain, for conditions)
    bool sync = true;   // false inside new_stmt_scope(disable_sync=True)
    Where where;
};

// Item i of a list whose items numbers and enumerators name.
template <class List, class Index>
decltype(auto) Nth(List& list, Index i) {
    return list[static_cast<size_t>(i)];
}

struct Ir {
    std::vector<Expr> exprs;
    std::vector<ScalarNode> scalars;
    std::vector<TensorNode> tensors;
    std::vector<RefNode> refs;
    std::vector<Scope> scopes;
    std::vector<ForNode> loops;
    std::vector<CallNode> calls;
    std::vector<PrintfNode> printfs;
    std::vector<Statement> statements;
    std::vector<isa::Record> fixed;
    std::vector<std::string> marks;
    std::vector<int32_t> gm;                   // tensors in GM, in order
    uint32_t slots = 0;                        // places of all scalars
    int32_t block_loop = -1;                   // loop
    std::set<std::string, std::less<>> texts;  // files and names that reports point to

    std::string kernel;
    std::vector<Program::Argument> inputs;  // flowtable included
    std::vector<TensorId> outputs;
    bool frozen = false;
};

}  // namespace sfumato::tik
