// SPDX-License-Identifier: Apache-2.0
// Graphs of operators: a program may name them; making one is an error of the compiler.
#pragma once

#include <map>
#include <string>

#include "sfumato/op/graph_operator.h"

// noexcept: clang does not see the attribute of a call that may throw beside something to destroy.
#define SFUMATO_GRAPHS \
    __attribute__((error("graphs are not supported: call each operator by aclnn<Op>GetWorkspaceSize and aclnn<Op>")))

namespace ge {

class Graph {
public:
    SFUMATO_GRAPHS explicit Graph(const char* name = nullptr) noexcept;
    SFUMATO_GRAPHS explicit Graph(const std::string& name) noexcept;
};
class Session {
public:
    SFUMATO_GRAPHS explicit Session(const std::map<AscendString, AscendString>& options) noexcept;
    SFUMATO_GRAPHS explicit Session(const std::map<std::string, std::string>& options) noexcept;
};
SFUMATO_GRAPHS Status GEInitialize(const std::map<AscendString, AscendString>& options) noexcept;
SFUMATO_GRAPHS Status GEInitialize(const std::map<std::string, std::string>& options) noexcept;

}  // namespace ge

#undef SFUMATO_GRAPHS
