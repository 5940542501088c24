// SPDX-License-Identifier: Apache-2.0
// Keys and words are those of the public documentation of the operator information library.
#include "toolkit/operator_texts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sfumato::toolkit {
namespace {

std::string TypeWord(int type) {
    const std::string name = op::TypeName(type);
    return name == "float32" ? "float" : name == "float64" ? "double" : name;
}

const char* ParamWord(op::ParamType type) {
    constexpr const char* kWords[] = {"required", "optional", "dynamic"};
    return kWords[static_cast<int>(type)];
}

std::string Parameters(const char* kind, const std::vector<op::Param>& params) {
    std::string text;
    for (size_t i = 0; i < params.size(); ++i) {
        const op::Param& p = params[i];
        std::vector<std::string> types, formats;
        for (const int type : p.types) types.push_back(TypeWord(type));
        for (const int format : p.formats) formats.push_back(op::FormatName(format));
        text += fmt::format(
            "{0}{1}.name={2}\n{0}{1}.dtype={3}\n{0}{1}.format={4}\n{0}{1}.unknownshape_format={4}\n{0}{1}.paramType={5}"
            "\n",
            kind, i, p.name, fmt::join(types, ","), fmt::join(formats, ","), ParamWord(p.type));
        if (p.value_depend)
            text += fmt::format("{}{}.valueDepend={}\n", kind, i, p.value_required ? "required" : "optional");
    }
    return text;
}

constexpr const char* kAttrWords[] = {"bool", "int", "float", "str", "listBool", "listInt", "listFloat", "listListInt"};

// Without blanks: "[1,2]", "true", "sum".
std::string DefaultWord(const op::AttrValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
    std::string word;
    for (const char c : op::Describe(value)) {
        if (c != ' ') word += c;
    }
    return word;
}

std::string Attributes(const std::vector<op::Attr>& attrs) {
    if (attrs.empty()) return "";
    std::vector<std::string> names;
    std::string text;
    for (const op::Attr& a : attrs) {
        names.push_back(a.name);
        text += fmt::format("attr_{0}.type={1}\nattr_{0}.value=all\nattr_{0}.paramType={2}\n", a.name,
                            kAttrWords[static_cast<int>(a.type)], a.required ? "required" : "optional");
        if (!a.required) text += fmt::format("attr_{}.defaultValue={}\n", a.name, DefaultWord(a.value));
    }
    return fmt::format("attr.list={}\n{}", fmt::join(names, ","), text);
}

// As the macros of graph/operator_reg.h have them.
std::string Prototype(const op::Definition& d) {
    constexpr const char* kPrefixes[] = {"", "OPTIONAL_", "DYNAMIC_"};
    constexpr const char* kTypes[] = {"Bool",     "Int",     "Float",     "String",
                                      "ListBool", "ListInt", "ListFloat", "ListListInt"};
    std::string text = fmt::format("REG_OP({})\n", d.name);
    for (const op::Param& p : d.inputs)
        text += fmt::format("    .{}INPUT({}, ge::TensorType::ALL())\n", kPrefixes[static_cast<int>(p.type)], p.name);
    for (const op::Param& p : d.outputs)
        text += fmt::format("    .{}OUTPUT({}, ge::TensorType::ALL())\n",
                            p.type == op::ParamType::kDynamic ? "DYNAMIC_" : "", p.name);
    for (const op::Attr& a : d.attrs)
        text += fmt::format("    .REQUIRED_ATTR({}, {})\n", a.name, kTypes[static_cast<int>(a.type)]);
    return text + fmt::format("    .OP_END_FACTORY_REG({})\n\n", d.name);
}

}  // namespace

std::string InfoText(const op::Definition& d) {
    const std::string snake = op::SnakeName(d.name);
    const std::string file = d.file.empty() ? snake : d.file, kernel = d.kernel.empty() ? snake : d.kernel;
    return fmt::format(
        "[{}]\n{}{}{}dynamicCompileStatic.flag=true\ndynamicFormat.flag=true\ndynamicRankSupport.flag=true\n"
        "dynamicShapeSupport.flag=true\nneedCheckSupport.flag=false\nprecision_reduce.flag=true\n"
        "opFile.value={}\nopInterface.value={}\n",
        d.name, Parameters("input", d.inputs), Parameters("output", d.outputs), Attributes(d.attrs), file, kernel);
}

std::string PrototypeHeader(const std::vector<op::Definition>& definitions) {
    std::string text =
        "// Prototypes of the operators, for graphs. Nothing here runs graphs.\n#ifndef OP_PROTO_H_\n"
        "#define OP_PROTO_H_\n\n#include \"graph/operator_reg.h\"\n\nnamespace ge {\n\n";
    for (const op::Definition& d : definitions) text += Prototype(d);
    return text + "}  // namespace ge\n#endif\n";
}

std::string PrototypeSource() { return "#include \"op_proto.h\"\n"; }

}  // namespace sfumato::toolkit
