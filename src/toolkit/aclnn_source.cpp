// SPDX-License-Identifier: Apache-2.0
// Names and types of the parameters, by the rules of clients.md 5.
#include "toolkit/aclnn_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sfumato::toolkit {
namespace {

using op::AttrType;
using op::ParamType;

struct Row {
    std::string type, name, role;
    size_t index = 0, output = 0;
};

bool All(const op::Param& p, std::initializer_list<int> types) {
    return std::all_of(p.types.begin(), p.types.end(),
                       [&](int t) { return std::find(types.begin(), types.end(), t) != types.end(); });
}

std::string TypeOf(const op::Param& p) {
    constexpr int kFloat = 0, kBool = 12;
    if (p.scalar) return "aclScalar";
    if (p.scalar_list) return "aclScalarList";
    if (p.type == ParamType::kDynamic) return "aclTensorList";
    if (!p.value_depend) return "aclTensor";
    if (All(p, {kFloat})) return "aclFloatArray";
    return All(p, {kBool}) ? "aclBoolArray" : "aclIntArray";
}

std::string TypeOf(const op::Definition& d, const op::Attr& a) {
    switch (a.type) {
        case AttrType::kBool: return "bool ";
        case AttrType::kInt: return "int64_t ";
        case AttrType::kFloat: return "double ";
        case AttrType::kString: return "char* ";
        case AttrType::kListBool: return "const aclBoolArray* ";
        case AttrType::kListInt: return "const aclIntArray* ";
        case AttrType::kListFloat: return "const aclFloatArray* ";
        default: break;
    }
    throw Error(fmt::format("{}: attribute {} is a {}, for which aclnn functions have no type", d.name, a.name,
                            op::AttrTypeName(a.type)));
}

std::vector<Row> Rows(const op::Definition& d) {
    std::vector<Row> rows, outputs;
    const auto same = [](const std::vector<op::Param>& params, const std::string& name) {
        return std::find_if(params.begin(), params.end(), [&](const op::Param& p) { return p.name == name; });
    };
    for (size_t i = 0; i < d.inputs.size(); ++i) {
        const op::Param& p = d.inputs[i];
        const auto output = same(d.outputs, p.name);
        if (output != d.outputs.end()) {
            rows.push_back(
                {TypeOf(p) + "* ", p.name + "Ref", "kInOut", i, static_cast<size_t>(output - d.outputs.begin())});
        } else {
            rows.push_back({"const " + TypeOf(p) + "* ", p.name + (p.type == ParamType::kOptional ? "Optional" : ""),
                            "kInput", i});
        }
    }
    for (size_t i = 0; i < d.attrs.size(); ++i) rows.push_back({TypeOf(d, d.attrs[i]), d.attrs[i].name, "kAttr", i});
    for (size_t i = 0; i < d.outputs.size(); ++i) {
        const op::Param& p = d.outputs[i];
        if (same(d.inputs, p.name) != d.inputs.end()) continue;
        outputs.push_back({"const " + TypeOf(p) + "* ", p.name + "Out", "kOutput", i});
    }
    if (d.outputs.size() == 1 && outputs.size() == 1) outputs[0].name = "out";
    rows.insert(rows.end(), outputs.begin(), outputs.end());
    return rows;
}

// The results of the first phase are parameters, too.
std::string Signature(const std::string& function, const std::vector<Row>& rows) {
    std::vector<std::string> words;
    for (const Row& row : rows) words.push_back(row.type + row.name);
    words.insert(words.end(), {"uint64_t* workspaceSize", "aclOpExecutor** executor"});
    return fmt::format("aclnnStatus {}GetWorkspaceSize({})", function, fmt::join(words, ", "));
}

constexpr const char* kSecond =
    "aclnnStatus {}(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream)";

}  // namespace

AclnnText WriteAclnn(const op::Definition& d, const std::string& project, const std::string& flags, bool auto_sync) {
    const std::string function = "aclnn" + d.name, snake = op::SnakeName(d.name);
    const std::vector<Row> rows = Rows(d);
    const std::string first = Signature(function, rows), second = fmt::format(kSecond, function);
    AclnnText text;
    text.header = fmt::format(
        "// Calls of the operator {}: {}GetWorkspaceSize, then {} with the executor it gave.\n"
        "#ifndef ACLNN_{}_H_\n#define ACLNN_{}_H_\n\n#include \"aclnn/acl_meta.h\"\n\n"
        "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n"
        "__attribute__((visibility(\"default\"))) {};\n\n__attribute__((visibility(\"default\"))) {};\n\n"
        "#ifdef __cplusplus\n}}\n#endif\n#endif\n",
        d.name, function, function, snake, snake, first, second);
    std::vector<std::string> parameters, names;
    for (const Row& row : rows) {
        parameters.push_back(fmt::format("    {{\"{}\", sfumato::aclnn::Role::{}, {}, {}}},\n", row.name, row.role,
                                         row.index, row.output));
        names.push_back(row.name);
    }
    text.source = fmt::format(
        "#include \"aclnn_{0}.h\"\n#include \"sfumato/host/aclnn.h\"\n\n"
        "static const sfumato::aclnn::Parameter kParameters[] = {{\n{1}}};\n"
        "static const sfumato::aclnn::Function kFunction = {{\n"
        "    \"{2}\", \"{3}\", \"{4}\", \"{5}\", {6}, kParameters, {7}}};\n\n"
        "{8} {{\n    const sfumato::aclnn::Value values[] = {{{9}}};\n"
        "    return SfumatoAclnnPrepare(kFunction, values, workspaceSize, executor);\n}}\n\n"
        "{10} {{\n    return SfumatoAclnnRun(kFunction, workspace, workspaceSize, executor, stream);\n}}\n",
        snake, fmt::join(parameters, ""), function, d.name, project, flags, auto_sync, rows.size(), first,
        fmt::join(names, ", "), second);
    return text;
}

}  // namespace sfumato::toolkit
