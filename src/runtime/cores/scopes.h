// SPDX-License-Identifier: Apache-2.0
// Calls of the program that issue several records: reports and logs name the outermost before the instruction.
#pragma once

#include <array>

#include "isa/record.h"

namespace sfumato::runtime {

class Core;

class Scopes {
public:
    // The outermost call that issues records now, or nullptr.
    const char* outermost() const { return outermost_; }
    // A call begins: what is to be given back when it ends. name: kept for good.
    const char* Begin(const char* name) {
        const char* const outer = outermost_;
        if (!outer) outermost_ = name;
        return outer;
    }
    void End(const char* outer) { outermost_ = outer; }
    // "Gelu: Mul", of a record that a call issues. Kept for good: findings and logs of later hold the pointer.
    const char* NameOf(const isa::Record& record);

private:
    struct Name {
        const char *outermost = nullptr, *call = nullptr, *name = nullptr;
    };
    const char* outermost_ = nullptr;
    std::array<Name, 64> names_;  // the latest, by opcode
};

// Such a call, while it lasts: listeners hear of it.
class CallScope {
public:
    CallScope(Core& core, const char* name, Where where);
    ~CallScope();
    CallScope& operator=(CallScope&&) = delete;

private:
    Core& core_;
    const char* outer_;
};

}  // namespace sfumato::runtime
