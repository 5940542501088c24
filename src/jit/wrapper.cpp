// SPDX-License-Identifier: Apache-2.0
// Generates the wrapper and takes its traces out of the compiler's messages.
#include "jit/wrapper.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "jit/build_defines.h"
#include "jit/source_file.h"
#include "jit/tokenizer.h"

namespace sfumato::jit {
namespace {

constexpr std::string_view kStdin = "<stdin>";

std::string Quote(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        switch (c) {
            case '"': out += "\\\""; break;
            case '\\': out += "\\\\"; break;
            case '\n': out += "\\n"; break;
            case '\t': out += "\\t"; break;
            case '?': out += "\\?"; break;
            default: out += c;
        }
    }
    return out + '"';
}

std::string Describe(const FoundKernel& kernel) {
    std::string text = std::to_string(kernel.line) + (kernel.qualifier.empty() ? "" : " " + kernel.qualifier);
    for (const FoundParam& p : kernel.params) text += '\t' + p.type + '\t' + p.name;
    return text + '\n';
}

// "name<3, true>" to "name"; blanks and a leading "::" do not matter.
std::string TemplateName(std::string_view expression) {
    std::string name(expression.substr(0, expression.find('<')));
    std::erase(name, ' ');
    return name.starts_with("::") ? name.substr(2) : name;
}

// What ASCENDC_TPL_* declare is found by name in the global namespace; where they declare nothing, entry::Absent is.
std::string DeclareInstance(const AskedInstance& asked) {
    const char* kind = !asked.words.empty() ? "kWords" : asked.key ? "kKey" : "kNothing";
    return fmt::format(
        "namespace sfumato_no_templates {{ inline constexpr ::sfumato::entry::Absent SfumatoTemplateDeclaration{{}}, "
        "SfumatoTemplateSelection{{}}; }}\nusing namespace sfumato_no_templates;\n"
        "using SfumatoInstance = ::sfumato::entry::Instance<::sfumato::entry::Asked::{}, {}ULL, {}, "
        "::SfumatoTemplateDeclaration, ::SfumatoTemplateSelection>;\n",
        kind, asked.key.value_or(0), Quote(asked.words));
}

// A function that gives the kernel of an instance, or Absent where the instance does not fit it.
std::string DefineInstance(const std::string& name, const FoundKernel& kernel, const TakenNames& taken) {
    std::string arguments;
    for (size_t i = 0; i < kernel.template_types.size(); ++i) {
        arguments +=
            fmt::format("{}{}<{}>", i ? ", " : "",
                        kernel.template_types[i] ? "typename Instance::template Type" : "Instance::template kValue", i);
    }
    return fmt::format(
        "template <class Instance> constexpr auto {}() {{ if constexpr (Instance::template Fits<{}>()) return "
        "&::{}<{}>; else return ::sfumato::entry::Absent{{}}; }}\n",
        name, kernel.template_types.size(), CodeName(taken, kernel), arguments);
}

// "ns::name<3>", where its name is taken.
std::string CodeExpression(const TakenNames& taken, const std::string& expression) {
    const size_t end = std::min(expression.find('<'), expression.size());
    size_t begin = end;
    while (begin > 0 && expression[begin - 1] != ':' && expression[begin - 1] != ' ') --begin;
    return expression.substr(0, begin) + CodeName(taken, expression.substr(begin, end - begin)) +
           expression.substr(end);
}

// The structs of tiling data in a header and in those that it includes, each by its name alone, as the vendor's build
// gives them to a kernel: what else their namespaces hold is of the host, and kernels have names of their own like it.
std::string NameTilingStructs(const std::string& header) {
    std::string text;
    for (const std::string& file : FindMentions(header, ReadText(header).value_or(""), {}).files) {
        const std::vector<Token> tokens = Tokenize(ReadText(file).value_or(""));
        std::vector<std::string> open;  // the name of each brace; "" of one that is no namespace
        std::string name;
        for (size_t i = 0; i + 2 < tokens.size(); ++i) {
            if (tokens[i].Is("namespace")) {
                while (++i + 2 < tokens.size() && !IsOneOf(tokens[i], {"{", ";"})) name += tokens[i].text;
                if (tokens[i].Is(";")) name.clear();
            }
            if (tokens[i].Is("{")) open.push_back(std::exchange(name, ""));
            if (tokens[i].Is("}") && !open.empty()) open.pop_back();
            if (!tokens[i].Is("BEGIN_TILING_DATA_DEF") || open.empty() || std::ranges::find(open, "") != open.end())
                continue;
            // Declared once more, for a branch of #if may have left it out.
            text += fmt::format("namespace {0} {{ struct {1}; }}\nusing {0}::{1};\n", fmt::join(open, "::"),
                                tokens[i + 2].text);
        }
    }
    return text;
}

}  // namespace

std::string WriteWrapper(const std::string& source, const std::vector<FoundKernel>& kernels,
                         const std::vector<std::string>& instantiations, const AskedInstance& asked,
                         const std::vector<std::string>& tiling_headers, const TakenNames& taken) {
    std::string text = tiling_headers.empty() ? "" : "#define SFUMATO_NAMED_TILING_STRUCTS\n";
    // The source comes second: its macros must not reach into our header.
    text += "#include \"sfumato/kernel_entry.h\"\n";
    for (const std::string& header : tiling_headers)
        text += fmt::format("#include \"{}\"\n{}", header, NameTilingStructs(header));
    text += fmt::format("#include \"{}\"\n", source);
    std::vector<const FoundKernel*> first, templates;
    struct Declared {
        std::string description;
        int workspace = -1;
    };
    std::map<std::string, Declared> declared;  // by all declarations of a name
    for (const FoundKernel& k : kernels) {
        const auto [it, is_new] = declared.try_emplace(k.QualifiedName());
        it->second.description += Describe(k);
        it->second.workspace = std::max(it->second.workspace, k.workspace);
        if (is_new) (k.is_template ? templates : first).push_back(&k);
    }
    text += RefuseMacros(taken, kernels);
    // A declaration may stand in a branch of #if the compiler skips: entry::Absent catches its name there.
    std::string entries;
    const auto add = [&](const std::string& function, const std::string& name, const Declared& of) {
        entries += fmt::format("    SFUMATO_EXPORT_KERNEL({}, {}, {}, {}),\n", function, Quote(name),
                               Quote(of.description), of.workspace);
    };
    int n = 0;
    for (const FoundKernel* k : first) {
        std::string open, close;
        for (const std::string& name : k->namespaces) {
            open += fmt::format("namespace {}{{ ", name.empty() ? "" : name + " ");
            close += "}";
        }
        if (!k->InAnonymousNamespace()) {
            text += fmt::format("namespace sfumato_absent_{} {{ inline constexpr ::sfumato::entry::Absent {}{{}}; }}\n",
                                n, CodeName(taken, k->name));
            text += fmt::format("{}using namespace ::sfumato_absent_{};{}\n", open, n, close);
        }
        add("::" + CodeName(taken, *k), k->QualifiedName(), declared[k->QualifiedName()]);
        ++n;
    }
    const bool by_key = !templates.empty();
    if (by_key) text += DeclareInstance(asked);
    for (const FoundKernel* k : templates) {
        if (asked.words.empty() && !asked.key) break;
        const std::string name = fmt::format("sfumato_instance_{}", n++);
        text += DefineInstance(name, *k, taken);
        add(name + "<SfumatoInstance>()", k->QualifiedName(), declared[k->QualifiedName()]);
        text += fmt::format(
            "static const ::sfumato::ascendc::TaskTypeNote {}_type{{{}, SfumatoInstance::KernelType(), true, 0, "
            "::sfumato::Where::Here()}};\n",
            name, Quote(k->QualifiedName()));
    }
    for (const std::string& expression : instantiations) {
        const std::string name = TemplateName(expression);
        auto it = declared.find(name);
        if (it == declared.end()) {  // named for short, through a using-directive
            it = std::ranges::find_if(declared, [&](const auto& d) { return d.first.ends_with("::" + name); });
        }
        add(fmt::format("({})", CodeExpression(taken, expression)), expression,
            it == declared.end() ? Declared{} : it->second);
        ++n;
    }
    // The last is none: there may be no kernel, of a source of templates alone.
    text += fmt::format("static constexpr ::sfumato::entry::Kernel sfumato_kernels[] = {{\n{}    {{}}}};\n", entries);
    text += fmt::format(
        "extern \"C\" __attribute__((visibility(\"default\"))) const ::sfumato::entry::Table {0};\n"
        "const ::sfumato::entry::Table {0} = {{::sfumato::entry::kTableVersion, {1}, sfumato_kernels, {2}}};\n",
        kTableSymbol, n, by_key ? "SfumatoInstance::Describe()" : "{}");
    return text;
}

std::string FilterMessages(std::string_view messages, const std::string& source) {
    std::string out;
    while (!messages.empty()) {
        const size_t end = std::min(messages.find('\n'), messages.size() - 1);
        std::string line(messages.substr(0, end + 1));
        messages.remove_prefix(end + 1);
        if (line.starts_with("In file included from <stdin>")) continue;
        if (line.find("   from <stdin>") != std::string::npos) {  // the last line of an include stack ends in ':'
            if (out.ends_with(",\n")) out.replace(out.size() - 2, 1, ":");
            continue;
        }
        // clang puts "./" before what it found beside its standard input.
        if (!source.starts_with("/") && line.find("./" + source) != std::string::npos) {
            for (size_t p; (p = line.find("./" + source)) != std::string::npos && (p == 0 || line[p - 1] != '.');) {
                line.erase(p, 2);
            }
        }
        for (size_t p; (p = line.find(kStdin)) != std::string::npos;)
            line.replace(p, kStdin.size(), "(export of the kernels)");
        out += line;
    }
    while (out.ends_with('\n')) out.pop_back();
    return out;
}

}  // namespace sfumato::jit
