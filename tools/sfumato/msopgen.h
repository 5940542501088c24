// SPDX-License-Identifier: Apache-2.0
// Operators as the JSON of msopgen describes them (docs/spec/clients.md 6.1).
#pragma once

#include <string>
#include <vector>

namespace sfumato::command {

struct GenTensor {
    std::string name, param_type;             // "REQUIRED"
    std::vector<std::string> types, formats;  // "DT_FLOAT16", "FORMAT_ND", one for each column
};
struct GenAttr {
    std::string name, method;  // "Float"
    bool required = true;
    std::string value;  // C++ of the default; empty: none
};
struct GenOperator {
    std::string name;
    std::vector<GenTensor> inputs, outputs;
    std::vector<GenAttr> attrs;
};

// Throws Error that names the place in the file: "add.json: [0].input_desc[1].type[2]: ...".
std::vector<GenOperator> ReadOperators(const std::string& path);

}  // namespace sfumato::command
