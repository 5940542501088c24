// SPDX-License-Identifier: Apache-2.0
// A call of one operator by its name (framework.md 5.6), from the arrays of the caller to the run.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <string>
#include <vector>

#include "aclnn/executor.h"
#include "aclnn/handles.h"

namespace sfumato::aclnn {

struct OpCall {
    const char* name;  // of the function
    const char* op;
    std::vector<const aclTensorDesc*> inputs, outputs;
    std::vector<const aclDataBuffer*> from, to;  // none where nothing runs
    const aclopAttr* attr = nullptr;

    [[noreturn]] void Refuse(Finding finding) const;
    // Every element of an array of pointers, when it is alive.
    template <class T>
    std::vector<const T*> Take(const char* operand, int count, const T* const* objects) const {
        if (count < 0 || (count && !objects)) {
            Refuse({Rule::kAclArgument, operand, "there are no objects",
                    count < 0 ? fmt::format("{}", count) : "nullptr", "an array of as many as the count says", ""});
        }
        for (int i = 0; i < count; ++i) {
            if (objects[i] && IsLive(objects[i])) continue;
            Refuse({Rule::kAclHandle, fmt::format("{}[{}]", operand, i), fmt::format("this is no {}", kTypeName<T>),
                    objects[i] ? WhatIs(objects[i]) : "nullptr", "one that was created and not destroyed", ""});
        }
        return {objects, objects + count};
    }
    const aclopAttr* Take(const aclopAttr* attr) const;
};

// Of opType. Throws KernelError: acl-argument, op-unknown.
const Package& PackageOf(const OpCall& call);
// Everything that is done before the kernel runs.
aclOpExecutor Prepared(const OpCall& call, const Package& package);
// `told`: outputs whose inferred shapes are written there, or null.
aclError RunOp(const OpCall& call, aclrtStream stream, aclTensorDesc* const* told);
// The shapes and types of all `count` outputs.
void InferOp(const OpCall& call, aclTensorDesc* const* outputs, int count);

// What an exception means to the caller, its report said.
aclError SayFailure(const char* name, const std::exception& error);
template <class Body>
aclError Guard(const char* name, const Body& body) {
    try {
        return body();
    } catch (const std::exception& error) {
        return SayFailure(name, error);
    }
}

}  // namespace sfumato::aclnn
