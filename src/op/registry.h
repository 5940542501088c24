// SPDX-License-Identifier: Apache-2.0
// What a library of host code registers while it is loaded.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sfumato/op/definition.h"

namespace sfumato::op {

struct Registry {
    struct Definition {
        std::string name;
        std::shared_ptr<ops::OpDef> (*make)(const char* name);
        InfoMaker info;
        Where where;
    };
    struct TilingClass {
        std::string op, name;  // as REGISTER_TILING_DATA_CLASS has them
        size_t bytes;
    };
    std::vector<Definition> definitions;
    std::map<std::string, HostFunctions> functions;  // by operator
    std::vector<TilingClass> classes;
};

// The one that registrations of this thread go to: that of LoadInto, else the program's own.
Registry& CurrentRegistry();

// Registrations of this thread go to `registry` while it lives.
class LoadInto {
public:
    explicit LoadInto(Registry& registry);
    ~LoadInto();
    LoadInto& operator=(LoadInto&&) = delete;

private:
    Registry* before_;
};

}  // namespace sfumato::op
