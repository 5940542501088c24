// SPDX-License-Identifier: Apache-2.0
// Writes the headers that the tables of calls are.
#include <fmt/format.h>

#include <regex>

#include "surface.h"
#include "tablegen.h"

namespace sfumato::tablegen {
namespace {

constexpr size_t kWidth = 118;

// Where a line of so many columns breaks: behind the last comma in it that stands in no quotes and in no list of a
// template, else before the first one behind it, or before an operator. npos: nowhere.
size_t Break(const std::string& text, size_t room) {
    constexpr std::string_view kBefore[] = {"= ", "&& ", "|| ", "? ", ": ", "\""};
    size_t comma = 0, other = 0;
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i + 1 < text.size(); ++i) {
        if (text[i] == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
        if (!quoted) depth += OpensList(text, i) - ClosesList(text, i);
        if (quoted || depth > 0 || text[i] != ' ') continue;
        size_t* found = text[i - (i > 0)] == ',' ? &comma : nullptr;
        for (const std::string_view word : kBefore)
            if (!found && text.compare(i + 1, word.size(), word) == 0) found = &other;
        if (found && (i <= room || (comma == 0 && other == 0))) *found = i;
    }
    return comma != 0 ? comma : other != 0 ? other : std::string::npos;
}

// A call as the overload it is: of a count, of repeats, with its strides in a word, as it stands.
enum class Shape { kPlain, kCount, kRepeat, kConfig };

class Writer {
public:
    // defines: the definitions of a call that the header declares, and no other's.
    Writer(const SurfaceCall& call, bool global, bool defines)
        : call_(call), library_(global ? "sfumato::ascendc::" : "sfumato_::"), defines_(defines) {}
    std::string Overloads() const {
        std::string out;
        if (defines_ && (!call_.declared || call_.body.empty())) return out;
        if (!defines_)
            for (const std::string& line : call_.comment) out += line + "\n";
        if (call_.form == "using") return out + call_.name + ";\n";
        if (call_.form == "count" || call_.form == "both") out += Overload(Shape::kCount, false);
        if (call_.form == "repeat" || call_.form == "both") return out + Overload(Shape::kRepeat, false);
        if (call_.form == "count") return out;
        if (Lends(call_.operands)) out += Overload(Shape::kPlain, true);
        out += Overload(Shape::kPlain, false);
        return call_.form == "config" ? out + Overload(Shape::kConfig, false) : out;
    }

private:
    static bool Lends(const std::vector<std::string>& list) {
        for (const std::string& item : list)
            if (item[0] == '~') return true;
        return false;
    }
    std::string Parameter(const std::string& item) const;
    std::vector<std::string> Parameters(Shape shape, bool lent) const;
    std::string Head(Shape shape) const;
    std::string Words(std::string text, bool lent) const;
    std::string Strides(Shape shape) const;
    std::string Issue(const std::string& line, Shape shape, bool lent) const;
    std::string Body(Shape shape, bool lent) const;
    std::string Overload(Shape shape, bool lent) const;
    bool IsTensor(const std::string& name) const;

    const SurfaceCall& call_;
    std::string library_;
    bool defines_;
};

std::string Writer::Parameter(const std::string& item) const {
    const size_t space = item.find(' ');
    const std::string first = item.substr(0, space), rest = space == std::string::npos ? "" : item.substr(space + 1);
    if (first.ends_with("[]")) return fmt::format("const LocalTensor<{}>& {}", first.substr(0, first.size() - 2), rest);
    if (first.ends_with("{}"))
        return fmt::format("const GlobalTensor<{}>& {}", first.substr(0, first.size() - 2), rest);
    const size_t next = rest.find(' ');
    const std::string type = rest.substr(0, next), name = next == std::string::npos ? "" : rest.substr(next + 1);
    if (first == "scalar") return fmt::format("const std::type_identity_t<{}>& {}", type, name);
    if (first == "value") return fmt::format("const std::type_identity_t<{}> {}", type, name);
    if (first == "raw") return Words("@RawPointer " + rest, false);
    return Words(item, false);
}

bool Writer::IsTensor(const std::string& name) const {
    for (const std::string& item : call_.operands)
        if (item.find("[] " + name) != std::string::npos && item.ends_with("] " + name)) return true;
    return false;
}

std::vector<std::string> Writer::Parameters(Shape shape, bool lent) const {
    std::vector<std::string> all;
    for (const std::string& item : call_.operands) {
        if (item[0] != '~') {
            all.push_back(Parameter(item));
        } else if (lent) {
            all.push_back(item == "~" ? "const " + library_ + "Lent& sharedTmpBuffer"
                                      : "const LocalTensor<uint8_t>& sharedTmpBuffer");
        }
    }
    if (shape == Shape::kPlain)
        for (const std::string& item : call_.strides) all.push_back(Parameter(item));
    if (shape == Shape::kConfig) all.emplace_back("uint64_t config");
    if (shape == Shape::kCount) all.emplace_back("int64_t count");
    if (shape == Shape::kRepeat) {
        all.push_back("const " + library_ + "Mask& mask");
        all.emplace_back("uint32_t repeatTimes");
        for (const std::string& item : call_.strides)
            all.push_back(call_.form == "both" ? "const " + item.substr(0, item.find(' ')) + "& params" : item);
    }
    for (const std::string& item : call_.last)
        if (shape != Shape::kConfig) all.push_back(Parameter(item));
    if (call_.where) all.emplace_back("SFUMATO_AT");
    return all;
}

// The name of a parameter; empty: it has none.
std::string NameOf(const std::string& parameter) {
    const std::string text = parameter.substr(0, parameter.find(" = "));
    const size_t space = text.find_last_of(" *&");
    return space == std::string::npos ? "" : text.substr(space + 1);
}

// As a definition has them: without defaults, and without the names that its body does not use.
std::vector<std::string> Defined(std::vector<std::string> parameters, const std::string& body) {
    for (std::string& parameter : parameters) {
        if (parameter == "SFUMATO_AT") parameter = "sfumato::CallSite where";
        parameter.resize(std::min(parameter.size(), parameter.find(" = ")));
        const std::string name = NameOf(parameter);
        if (std::regex_search(body, std::regex("\\b" + name + "\\b"))) continue;
        parameter.resize(parameter.size() - name.size());
        if (parameter.ends_with(' ')) parameter.pop_back();
    }
    return parameters;
}

// {strides} in a body: the names of the parameters, or the word that has them.
std::string Writer::Strides(Shape shape) const {
    if (shape == Shape::kConfig) return "config, \"" + call_.name + "\", where";
    std::vector<std::string> names;
    for (const std::string& item : call_.strides) names.push_back(NameOf(item));
    return Join(names, ", ");
}

std::string Writer::Head(Shape shape) const {
    std::vector<std::string> all;
    for (const std::string& item : call_.head) {
        const bool one = item[0] == '+' || item[0] == '-';
        if (!one) {
            all.push_back(item);
        } else if ((item[0] == '+') == (shape == Shape::kRepeat)) {
            all.push_back(item.substr(1));
        }
    }
    return Join(all, ", ");
}

// @Name is a name of the library's side, %name a tensor as the operand it is there, tmp the buffer that is lent.
std::string Writer::Words(std::string text, bool lent) const {
    static const std::regex kOperand("%(\\w+)"), kName("@(\\w)"), kOwn("@([A-Z])"), kTmp("(^|[^.\\w])tmp\\b");
    text = std::regex_replace(text, kOperand, library_ + "Operand($1)");
    // Definitions stand in the library, whose types and functions they name; a call may have the name of an opcode.
    if (defines_) text = std::regex_replace(text, kOwn, "$1");
    text = std::regex_replace(text, kName, library_ + "$1");
    if (!Lends(call_.operands)) return text;
    const bool typed = Join(call_.operands, ", ").find("~ ") != std::string::npos;
    return std::regex_replace(text, kTmp,
                              std::string("$1") + (lent    ? "sharedTmpBuffer"
                                                   : typed ? "{}"
                                                           : library_ + "Lent()"));
}

// -> Function: Make(...) .field=value ...   -> Function(a): Make(...), which calls Function(a, call)
std::string Writer::Issue(const std::string& line, Shape shape, bool lent) const {
    const size_t colon = line.find(": ");
    std::string function = Words(library_ + line.substr(3, colon - 3), lent);
    const bool more = function.ends_with(')');
    function.replace(function.size() - more, more, more ? ", " : "(");
    std::vector<std::string> items = SplitList(line.substr(colon + 2), ' ');
    std::vector<std::string> fields;
    std::string make;
    for (const std::string& item : items) {
        if (item[0] == '.' && item.find('=') != std::string::npos) {
            fields.push_back(item);
        } else if (!fields.empty()) {
            fields.back() += " " + item;
        } else {
            make += (make.empty() ? "" : " ") + item;
        }
    }
    make = (make[0] == '{' ? "" : library_) + Words(make, lent);
    if (fields.empty() && shape == Shape::kPlain) return SurfaceLines(fmt::format("{}{});", function, make), 4);
    const bool made = make.ends_with(')') || make.ends_with('}');
    std::string out = SurfaceLines(made ? "auto call = " + make + ";" : make + " call;", 4);
    for (const std::string& field : fields) {
        const size_t equals = field.find('=');
        const std::string value = field.substr(equals + 1);
        out += SurfaceLines(
            fmt::format("call{} = {};", field.substr(0, equals), Words(IsTensor(value) ? "%" + value : value, lent)),
            4);
    }
    if (!made) out += "    call.where = where;\n";
    if (shape == Shape::kCount) out += "    SetCount(&call, count);\n";
    if (shape == Shape::kRepeat) {
        const bool chosen = Join(call_.head, ", ").find("isSetMask") != std::string::npos;
        out += fmt::format("    SetMask(&call, {}, mask, repeatTimes);\n", chosen ? "isSetMask" : "true");
    }
    return out + fmt::format("    {}call);\n", function);
}

std::string Writer::Body(Shape shape, bool lent) const {
    std::string out;
    for (const std::string& item : call_.last)
        if (shape == Shape::kConfig) out += "    constexpr " + item + ";\n";
    for (std::string text : call_.body) {
        text = std::regex_replace(text, std::regex("\\{strides\\}"), Strides(shape));
        text = std::regex_replace(text, std::regex("\\{call\\}"), call_.name);
        if (text.starts_with("types ")) {
            out += SurfaceLines(library_ + "RequireType" + text.substr(6) + "();", 4);
        } else if (text.starts_with("-> ")) {
            if (shape == Shape::kCount && call_.form == "both") out += "    constexpr " + call_.strides.at(0) + ";\n";
            out += Issue(text, shape, lent);
        } else {
            out += SurfaceLines(Words(text, lent), 4);
        }
    }
    return out;
}

std::string Writer::Overload(Shape shape, bool lent) const {
    const std::string head = Head(shape);
    std::string out = head.empty() ? "" : SurfaceLines("template <" + head + ">", 0);
    if (!call_.condition.empty()) out += SurfaceLines("requires(" + call_.condition + ")", 0);
    const std::string result = call_.result.empty() ? "void" : call_.result;
    const char* before = defines_                          ? ""
                         : call_.declared                  ? "SFUMATO_API "
                         : !head.empty()                   ? ""
                         : result.starts_with("constexpr") ? ""
                                                           : "inline ";
    const std::string body = Body(shape, lent);
    const std::vector<std::string> parameters = Parameters(shape, lent);
    const std::string line = fmt::format("{}{} {}({})", before, result, call_.name,
                                         Join(defines_ ? Defined(parameters, body) : parameters, ", "));
    if (call_.declared && !defines_) return out + SurfaceLines(line + ";", 0);
    return out + SurfaceLines(line + " {", 0) + body + "}\n";
}

std::string Written(std::string_view text, std::string_view file, bool defines) {
    const SurfaceTable table = ReadSurface(text, file);
    std::string out = fmt::format(
        "// SPDX-License-Identifier: Apache-2.0\n{}\n// Generated from src/frontends/ascendc/calls/{}. Do not edit.\n",
        table.title, file);
    if (!defines) out += "#pragma once\n\n";
    for (const std::string& header : table.includes)
        if (!defines) out += fmt::format("#include \"{}\"\n", header);
    for (const SurfaceTable::Part& part : table.parts) {
        if (!part.space.empty()) out += fmt::format("\nnamespace {} {{\n", part.space);
        for (const SurfaceCall& call : part.calls) {
            try {
                const bool is_struct = call.form == "struct" && !defines;
                const std::string overloads =
                    is_struct ? SurfaceStruct(call) : Writer(call, part.space.empty(), defines).Overloads();
                if (!overloads.empty()) out += "\n" + overloads;
            } catch (const std::exception& error) {
                throw SurfaceError(fmt::format("{}:{}: {}", file, call.line, error.what()));
            }
        }
        if (!part.space.empty()) out += fmt::format("\n}}  // namespace {}\n", part.space);
    }
    return out;
}

}  // namespace

std::string SurfaceLines(std::string text, size_t indent) {
    const size_t deeper = text.find_first_not_of(' ');
    text.erase(0, deeper);
    indent += deeper;
    std::string out, margin(indent, ' ');
    while (margin.size() + text.size() > kWidth) {
        const size_t at = Break(text, kWidth - margin.size());
        if (at == std::string::npos) break;
        out += margin + text.substr(0, at) + "\n";
        text.erase(0, at + 1);
        margin.assign(indent + 8, ' ');
    }
    return out + margin + text + "\n";
}

std::string SurfaceHeader(std::string_view text, std::string_view file) { return Written(text, file, false); }
std::string SurfaceDefinitions(std::string_view text, std::string_view file) { return Written(text, file, true); }

}  // namespace sfumato::tablegen
