// SPDX-License-Identifier: Apache-2.0
// `sfumato msopgen gen`: writes an operator project from templates (docs/toolkit.md).
#include "msopgen.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <set>

#include "findings.h"
#include "options.h"
#include "output.h"
#include "sfumato/letters.h"
#include "sfumato/op.h"
#include "sfumato/toolkit.h"
#include "template.h"

namespace sfumato::command {
namespace fs = std::filesystem;
namespace {

constexpr Template kMsopgenTemplates[] = {
#include "msopgen.inc"
};

constexpr OptionHelp kMsopgenOptions[] = {
    {"-i, --input", "FILE", "JSON that describes the operators"},
    {"-c, --compute_unit", "ai_core-SOC", "the chip: ai_core-Ascend910B1"},
    {"-lan, --language", "cpp", "Ascend C"},
    {"-out, --output", "DIR", "folder of the project; default: this one"},
    {"-f, --framework", "NAME", "accepted; plug-ins for frameworks are not written"},
    {"-op, --operator", "NAME", "which operator of the file"},
    {"-m, --mode", "MODE", "0: a new project; 1: add the operator to the one in DIR"},
    {"-h, --help", "", "this list"}};

std::string MsopgenHelp() {
    return "usage: msopgen gen -i FILE.json -c ai_core-SOC -lan cpp [-out DIR] [-f aclnn] [-op NAME] [-m 0|1]\n\n" +
           HelpLines(kMsopgenOptions);
}

struct Options {
    std::string input, unit, language = "py", output = ".", framework, op, mode = "0";
};

void Write(const fs::path& path, const char* name, const Values& values) {
    WriteFilled(path, kMsopgenTemplates, fmt::format("msopgen/{}.in", name), values);
}

std::string Chain(const char* what, const GenTensor& t) {
    const auto list = [](const std::vector<std::string>& words) {
        std::vector<std::string> named;
        for (const std::string& word : words) named.push_back("ge::" + word);
        return fmt::format("{{{}}}", fmt::join(named, ", "));
    };
    return fmt::format(
        "        this->{}(\"{}\")\n            .ParamType({})\n            .DataType({})\n            .Format({});",
        what, t.name, t.param_type, list(t.types), list(t.formats));
}

std::string Definition(const GenOperator& op) {
    std::vector<std::string> lines;
    for (const GenTensor& t : op.inputs) lines.push_back(Chain("Input", t));
    for (const GenTensor& t : op.outputs) lines.push_back(Chain("Output", t));
    for (const GenAttr& a : op.attrs) {
        lines.push_back(fmt::format("        this->Attr(\"{}\").AttrType({}).{}({});", a.name,
                                    a.required ? "REQUIRED" : "OPTIONAL", a.method, a.value));
    }
    return fmt::format("{}", fmt::join(lines, "\n"));
}

Values ValuesOf(const GenOperator& op, const std::string& unit) {
    const std::string file = op::SnakeName(op.name);
    const std::string guard = Upper(file + "_TILING_H");
    std::string first, shapes, types;
    const bool sized = !op.inputs.empty() && op.inputs[0].param_type == "REQUIRED";
    if (sized) first = "    tiling.set_size(context->GetInputShape(0)->GetOriginShape().GetShapeSize());\n";
    if (sized) {
        for (size_t i = 0; i < op.outputs.size(); ++i) {
            shapes += fmt::format("    *context->GetOutputShape({}) = *context->GetInputShape(0);\n", i);
            types += fmt::format("    context->SetOutputDataType({}, {});\n", i,
                                 op.outputs[i].types == op.inputs[0].types ? "context->GetInputDataType(0)"
                                                                           : "ge::" + op.outputs[i].types[0]);
        }
    }
    std::vector<std::string> parameters;
    for (const auto* list : {&op.inputs, &op.outputs}) {
        for (const GenTensor& t : *list) {
            std::string name = "GM_ADDR " + t.name;
            // An output that is an input, too.
            if (std::ranges::find(parameters, name) != parameters.end()) name += "_out";
            parameters.push_back(name);
        }
    }
    parameters.insert(parameters.end(), {"GM_ADDR workspace", "GM_ADDR tiling"});
    return {{"op", op.name},
            {"file", file},
            {"guard", guard},
            {"first", first},
            {"shapes", shapes},
            {"types", types},
            {"compute_unit", unit},
            {"definition", Definition(op)},
            {"parameters", fmt::format("{}", fmt::join(parameters, ", "))}};
}

bool IsProject(const fs::path& folder) {
    std::error_code ignored;
    return fs::is_directory(folder / "op_host", ignored) && fs::is_directory(folder / "op_kernel", ignored);
}

void WriteOperator(const fs::path& folder, const GenOperator& op, const std::string& unit) {
    const Values values = ValuesOf(op, unit);
    const std::string& file = values.at("file");
    Write(folder / "op_host" / (file + ".cpp"), "host.cpp", values);
    Write(folder / "op_host" / (file + "_tiling.h"), "tiling.h", values);
    Write(folder / "op_kernel" / (file + ".cpp"), "kernel.cpp", values);
}

Options Read(int count, char** arguments) {
    constexpr std::array<std::array<const char*, 2>, 7> kNames = {{{"-i", "--input"},
                                                                   {"-c", "--compute_unit"},
                                                                   {"-lan", "--language"},
                                                                   {"-out", "--output"},
                                                                   {"-f", "--framework"},
                                                                   {"-op", "--operator"},
                                                                   {"-m", "--mode"}}};
    Options o;
    std::string* const places[] = {&o.input, &o.unit, &o.language, &o.output, &o.framework, &o.op, &o.mode};
    if (count == 0 || std::strcmp(arguments[0], "gen") != 0)
        throw Error(fmt::format("the first word is '{}'; legal: gen", count ? arguments[0] : ""));
    for (int i = 1; i < count; ++i) {
        const std::string word = arguments[i], name = word.substr(0, word.find('='));
        const auto it = std::ranges::find_if(kNames, [&](auto& n) { return name == n[0] || name == n[1]; });
        if (it == kNames.end()) throw Error(fmt::format("'{}' is no option; `msopgen --help` lists them", word));
        std::string& place = *places[it - kNames.begin()];
        if (name.size() < word.size()) {
            place = word.substr(name.size() + 1);
        } else if (++i < count) {
            place = arguments[i];
        } else {
            throw Error(fmt::format("{} needs a value", word));
        }
    }
    if (o.input.empty()) throw Error("-i is missing: the JSON that describes the operators");
    if (o.unit.empty()) throw Error("-c is missing: ai_core-Ascend910B1, or another chip");
    if (o.language != "cpp") throw Error(fmt::format("-lan is '{}'; legal: cpp (Ascend C)", o.language));
    if (o.mode != "0" && o.mode != "1") throw Error(fmt::format("-m is '{}'; legal: 0, 1", o.mode));
    return o;
}

int Generate(const Options& o) {
    const size_t dash = o.unit.find('-');
    if (Lower(o.unit.substr(0, dash)) != "ai_core" || dash == std::string::npos)
        throw Error(fmt::format("-c is '{}'; legal: ai_core-SOC, e.g. ai_core-Ascend910B1", o.unit));
    const std::string unit = toolkit::ComputeUnit(o.unit.substr(dash + 1));
    std::vector<GenOperator> operators = ReadOperators(o.input);
    if (operators.size() > 1 || !o.op.empty()) {
        std::vector<std::string> names;
        for (const GenOperator& op : operators) names.push_back(op.name);
        std::erase_if(operators, [&](const GenOperator& op) { return op.name != o.op; });
        if (operators.empty()) {
            throw Error(fmt::format("{} describes {}; {}", o.input, fmt::join(names, ", "),
                                    o.op.empty() ? "name one with -op" : "none of them is " + o.op));
        }
    }
    const fs::path folder = o.output;
    const bool adds = o.mode == "1";
    if (IsProject(folder) != adds) {
        throw Error(adds ? fmt::format("-m 1: {} holds no operator project", o.output)
                         : fmt::format("{} holds an operator project; -m 1 adds to it", o.output));
    }
    WriteOperator(folder, operators[0], unit);
    if (!adds) {
        const Values values = {{"compute_unit", unit}, {"toolkit", toolkit::Folder()}};
        for (const char* name : {"build.sh", "CMakeLists.txt", "CMakePresets.json"}) Write(folder / name, name, values);
        fs::permissions(folder / "build.sh", fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                        fs::perm_options::add);
        Write(folder / "op_host/CMakeLists.txt", "op_host", {});
        Write(folder / "op_kernel/CMakeLists.txt", "op_kernel", {});
    }
    PrintOut(fmt::format("{} {} {} for {}\n", adds ? "added" : "wrote", operators[0].name,
                         adds ? "to " + o.output : "in " + o.output, unit));
    return kOk;
}

}  // namespace

std::span<const OptionHelp> MsopgenOptionHelp() { return kMsopgenOptions; }

int RunMsopgen(int count, char** arguments) {
    for (int i = 0; i < count; ++i) {
        if (std::strcmp(arguments[i], "-h") == 0 || std::strcmp(arguments[i], "--help") == 0) {
            PrintOut(MsopgenHelp());
            return kOk;
        }
    }
    try {
        return Generate(Read(count, arguments));
    } catch (const std::exception& error) {
        PrintError(fmt::format("msopgen: error: {}\n", error.what()));
        return 1;
    }
}

}  // namespace sfumato::command
