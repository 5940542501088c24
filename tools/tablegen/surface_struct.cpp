// SPDX-License-Identifier: Apache-2.0
// Structs of parameters: fields with their defaults, and constructors that take some of them in order.
#include <fmt/format.h>

#include <algorithm>

#include "surface.h"

namespace sfumato::tablegen {
namespace {

struct Field {
    std::string type, name, value;
};

// What a field without a default is at first.
std::string Nothing(const std::string& type) {
    if (type == "bool") return "false";
    return type.ends_with("_t") || type == "int" || type == "float" ? "0" : type + "()";
}

// The fields of a line: type a, b = 1.
std::vector<Field> FieldsOf(const std::string& line) {
    const size_t space = line.find(' ');
    std::vector<Field> fields;
    for (const std::string& item : SplitList(std::string_view(line).substr(space + 1))) {
        const size_t equals = item.find(" = ");
        const std::string type = line.substr(0, space);
        fields.push_back(
            {type, item.substr(0, equals), equals == std::string::npos ? Nothing(type) : item.substr(equals + 3)});
    }
    return fields;
}

}  // namespace

std::string SurfaceStruct(const SurfaceCall& call) {
    std::string out, members, head;
    for (const std::string& line : call.comment) out += line + "\n";
    for (const std::string& item : call.head) head += (head.empty() ? "" : ", ") + item;
    std::vector<Field> fields;
    for (const std::string& line : call.body) {
        if (line.starts_with("//")) {
            members += "    " + line + "\n";
            continue;
        }
        for (Field& field : FieldsOf(line)) {
            members += fmt::format("    {} {} = {};\n", field.type, field.name, field.value);
            fields.push_back(std::move(field));
        }
    }
    if (!head.empty()) out += "template <" + head + ">\n";
    out += fmt::format("struct {} {{\n    constexpr {}() = default;\n", call.name, call.name);
    for (const std::string& list : call.operands) {
        std::string parameters, initial;
        std::vector<std::string> taken;
        for (const std::string& item : SplitList(list)) {
            const std::string name = item.substr(0, item.find(' '));
            const auto field = std::ranges::find(fields, name, &Field::name);
            if (field == fields.end()) throw SurfaceError(call.name + " has no field " + name);
            parameters +=
                fmt::format("{}{} {}In{}", parameters.empty() ? "" : ", ", field->type, name, item.substr(name.size()));
            taken.push_back(name);
        }
        for (const Field& field : fields) {
            if (std::ranges::find(taken, field.name) != taken.end())
                initial += fmt::format("{}{}({}In)", initial.empty() ? "" : ", ", field.name, field.name);
        }
        out += SurfaceLines(fmt::format("constexpr {}({})", call.name, parameters), 4);
        out += SurfaceLines(fmt::format("    : {} {{}}", initial), 4);
    }
    return out + members + "};\n";
}

}  // namespace sfumato::tablegen
