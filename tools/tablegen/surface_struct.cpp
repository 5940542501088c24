// SPDX-License-Identifier: Apache-2.0
// Structs of parameters: fields with their defaults, and constructors that take some of them in order.
#include <fmt/format.h>

#include <algorithm>

#include "surface.h"
#include "tablegen.h"

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
    std::string out, members;
    for (const std::string& line : call.comment) out += line + "\n";
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
    if (!call.head.empty()) out += "template <" + Join(call.head, ", ") + ">\n";
    out += fmt::format("struct {} {{\n    constexpr {}() = default;\n", call.name, call.name);
    for (const std::string& list : call.operands) {
        std::vector<std::string> parameters, taken, initial;
        for (const std::string& item : SplitList(list)) {
            const std::string name = item.substr(0, item.find(' '));
            const auto field = std::ranges::find(fields, name, &Field::name);
            if (field == fields.end()) throw SurfaceError(call.name + " has no field " + name);
            parameters.push_back(fmt::format("{} {}In{}", field->type, name, item.substr(name.size())));
            taken.push_back(name);
        }
        for (const Field& field : fields) {
            if (std::ranges::find(taken, field.name) != taken.end())
                initial.push_back(fmt::format("{}({}In)", field.name, field.name));
        }
        out += SurfaceLines(fmt::format("constexpr {}({})", call.name, Join(parameters, ", ")), 4);
        out += SurfaceLines(fmt::format("    : {} {{}}", Join(initial, ", ")), 4);
    }
    return out + members + "};\n";
}

}  // namespace sfumato::tablegen
