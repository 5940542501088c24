// SPDX-License-Identifier: Apache-2.0
// Graphs of operators: a program may name them; making one is an error of the compiler.
#pragma once

#include <map>
#include <string>

#include "sfumato/api.h"
#include "sfumato/op/graph_operator.h"

#define SFUMATO_GRAPHS \
    SFUMATO_NO_CALL("graphs are not supported: call each operator by aclnn<Op>GetWorkspaceSize and aclnn<Op>")

namespace ge {

class Graph {
public:
    SFUMATO_GRAPHS explicit Graph(const char* name = nullptr);
    SFUMATO_GRAPHS explicit Graph(const std::string& name);
};
class Session {
public:
    SFUMATO_GRAPHS explicit Session(const std::map<AscendString, AscendString>& options);
    SFUMATO_GRAPHS explicit Session(const std::map<std::string, std::string>& options);
};
SFUMATO_GRAPHS Status GEInitialize(const std::map<AscendString, AscendString>& options);
SFUMATO_GRAPHS Status GEInitialize(const std::map<std::string, std::string>& options);

}  // namespace ge

#undef SFUMATO_GRAPHS
