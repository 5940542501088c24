// SPDX-License-Identifier: Apache-2.0
// Recording TIK programs in tests: numbers as expressions, lines by counting, arrays in and out.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "sfumato/half.h"
#include "sfumato/tik.h"
#include "support/raised.h"

namespace sfumato::tik {

class Script {
public:
    explicit Script(const char* chip = "Ascend910B1") : program(chip) {}

    // The line every call that follows stands in.
    Where At(uint32_t line) { return where = {"script.py", line}; }

    ExprId Imm(int64_t v) { return program.Immediate(v, where); }
    ExprId Imm(double v) { return program.Immediate(v, where); }
    ExprId Typed(Number v, const char* type) { return program.Immediate(v, type, where); }
    ExprId Var(ScalarId s) { return program.Variable(s, where); }
    ExprId Binary(const char* op, ExprId a, ExprId b) { return program.Binary(op, a, b, where); }
    ScalarId NewScalar(const char* type, const char* name = "s") { return program.Scalar(type, name, where); }
    // A scalar with a value.
    ScalarId NewScalar(const char* type, ExprId value);
    TensorId Gm(const char* type, int64_t elements, const char* name, TensorOptions options = {});
    TensorId Local(const char* type, int64_t elements, const char* name, const char* scope = "local.UB");
    RefId Ref(TensorId t, const char* type, int64_t offset = 0) { return program.Ref(t, Imm(offset), type, where); }
    RefId Ref(TensorId t, const char* type, ExprId offset) { return program.Ref(t, offset, type, where); }
    ScalarId For(ExprId begin, ExprId end, int64_t threads = 1, int64_t blocks = 1) {
        return program.BeginFor(begin, end, "i", "int32", threads, Imm(blocks), where);
    }
    void End() { program.End(where); }
    // data_move of `blocks` blocks of 32 bytes.
    void Move(RefId dst, RefId src, Value blocks);
    // Stores a value as element 0 and up of an output of the kernel, one after another.
    void Show(ExprId value, const char* type);

    void Build(const std::vector<TensorId>& inputs, const std::vector<TensorId>& outputs);
    // The outputs; a fault fails the test.
    std::vector<Output> Run(const std::vector<Feed>& feed = {}, const RunOptions& options = {});

    Program program;
    Where where{"script.py", 1};
};

template <class T>
Feed FeedOf(const char* name, const std::vector<T>& data) {
    Feed f;
    f.name = name;
    f.data = reinterpret_cast<const uint8_t*>(data.data());
    f.bytes = data.size() * sizeof(T);
    return f;
}

template <class T>
std::vector<T> As(const Output& output) {
    std::vector<T> values(output.bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), output.bytes.data(), output.bytes.size());
    return values;
}

// The value of one expression, computed by a running kernel from scalars (not folded).
template <class T>
T Evaluate(Script& s, ExprId value, const char* type) {
    const TensorId out = s.Gm(type, 32 / static_cast<int64_t>(sizeof(T)), "out");
    const TensorId ub = s.Local(type, 32 / static_cast<int64_t>(sizeof(T)), "ub");
    s.program.Store(s.Ref(ub, type), value, s.where);
    s.Move(s.Ref(out, type), s.Ref(ub, type), int64_t{1});
    s.Build({}, {out});
    return As<T>(s.Run().at(0)).at(0);
}

// The text of the Error `body` throws; "" when it throws none.
template <class Body>
std::string ErrorOf(const Body& body) {
    try {
        body();
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

// The report of the TikError `body` throws.
template <class Body>
Report RefusedBy(const Body& body) {
    try {
        body();
    } catch (const TikError& e) {
        Raised(e.report().rule);  // the caller says which it expects
        return e.report();
    }
    ADD_FAILURE() << "nothing was refused";
    return {};
}

}  // namespace sfumato::tik
