// SPDX-License-Identifier: Apache-2.0
// Finds the __global__ functions of a source and their parameters as written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato::jit {

struct FoundParam {
    std::string type;  // "const GM_ADDR", "__gm__ half*"
    std::string name;  // empty when unnamed
};

struct FoundKernel {
    std::string name;                     // last component
    std::vector<std::string> namespaces;  // outermost first; "" for an anonymous one
    std::vector<FoundParam> params;
    std::string qualifier;       // __vector__ and its relatives (ReadQualifiers); empty without
    int workspace = -1;          // the parameter that __kfc_workspace__ marks
    bool may_be_of_core = true;  // __aicore__ stands there, or a word that may be a macro for it
    bool is_template = false;
    bool is_definition = false;
    std::vector<bool> template_types;     // of each template parameter: a type, not a value
    uint32_t line = 0;                    // 0: in a file that the preprocessor took in
    size_t name_begin = 0, name_end = 0;  // in the source; equal where a macro wrote it

    std::string QualifiedName() const;  // anonymous namespaces left out
    bool InAnonymousNamespace() const;
};

// The same of a preprocessor's output, where macros have become what they stand for; `file` is its main file, whose
// kernels keep their lines.
std::vector<FoundKernel> FindKernelsPreprocessed(std::string_view output, std::string_view file);

// The names of constant arrays that the source declares with __gm__ and gives their elements, in any scope.
std::vector<std::string> ConstantTables(std::string_view source);

// Every declaration with __global__ at namespace scope, in the order of the source, in every branch of #if: the caller
// finds out which the compiler saw. Repeated declarations are all listed.
std::vector<FoundKernel> FindKernels(std::string_view source);

}  // namespace sfumato::jit
