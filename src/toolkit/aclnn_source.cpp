// SPDX-License-Identifier: Apache-2.0
// Names and types of the parameters, by the rules of clients.md 5.
#include "toolkit/aclnn_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "jit/cache.h"
#include "jit/source_file.h"

namespace sfumato::toolkit {
namespace fs = std::filesystem;
namespace {

using op::AttrType;
using op::ParamType;

struct Row {
    std::string type, name, role;
    size_t index = 0, output = 0;
};

bool All(const op::Param& p, std::initializer_list<int> types) {
    return std::ranges::all_of(p.types, [&](int t) { return std::ranges::find(types, t) != types.end(); });
}

bool IsArray(const op::Param& p) {
    return p.value_depend && !p.scalar && !p.scalar_list && p.type != ParamType::kDynamic;
}

// `tensors`: what host code would read is memory of the device, too.
std::string TypeOf(const op::Param& p, bool tensors) {
    constexpr int kFloat = 0, kBool = 12;
    if (p.scalar) return "aclScalar";
    if (p.scalar_list) return "aclScalarList";
    if (p.type == ParamType::kDynamic) return "aclTensorList";
    if (!IsArray(p) || tensors) return "aclTensor";
    if (All(p, {kFloat})) return "aclFloatArray";
    return All(p, {kBool}) ? "aclBoolArray" : "aclIntArray";
}

std::string TypeOf(const op::Attr& a) {
    switch (a.type) {
        case AttrType::kBool: return "bool ";
        case AttrType::kInt: return "int64_t ";
        case AttrType::kFloat: return "double ";
        case AttrType::kString: return "char* ";
        case AttrType::kListBool: return "const aclBoolArray* ";
        case AttrType::kListFloat: return "const aclFloatArray* ";
        default: return "const aclIntArray* ";
    }
}

// One of the operator's first phases: what it has of the definition.
struct Phase {
    uint32_t version;
    bool tensors;

    std::string Second(const std::string& op) const {
        return "aclnn" + op + (version ? fmt::format("V{}", version) : "");
    }
    std::string First(const std::string& op) const {
        return Second(op) + (tensors ? "Tensor" : "") + "GetWorkspaceSize";
    }
};

// The function of each version, and with tensors for arrays where it has some.
std::vector<Phase> Phases(const op::Definition& d) {
    std::vector<Phase> phases;
    for (uint32_t version = 0; version <= d.version; ++version) {
        phases.push_back({version, false});
        if (std::ranges::any_of(d.inputs, [&](const op::Param& p) { return IsArray(p) && p.version <= version; }))
            phases.push_back({version, true});
    }
    return phases;
}

std::vector<Row> Rows(const op::Definition& d, const Phase& phase) {
    std::vector<Row> rows, outputs;
    const auto same = [](const std::vector<op::Param>& params, const std::string& name) {
        return std::ranges::find_if(params, [&](const op::Param& p) { return p.name == name; });
    };
    for (size_t i = 0; i < d.inputs.size(); ++i) {
        const op::Param& p = d.inputs[i];
        if (p.version > phase.version) continue;
        const std::string type = TypeOf(p, phase.tensors) + "* ";
        const auto output = same(d.outputs, p.name);
        if (output != d.outputs.end()) {
            rows.push_back({type, p.name + "Ref", "kInOut", i, static_cast<size_t>(output - d.outputs.begin())});
        } else {
            rows.push_back({"const " + type, p.name + (p.type == ParamType::kOptional ? "Optional" : ""), "kInput", i});
        }
    }
    for (size_t i = 0; i < d.attrs.size(); ++i) {
        const op::Attr& a = d.attrs[i];
        if (a.version > phase.version) continue;
        rows.push_back({TypeOf(a), a.name, "kAttr", i});
        // decided: the documented types have no list of lists; all values, then how many each list has.
        if (a.type == AttrType::kListListInt) rows.push_back({TypeOf(a), a.name + "Lengths", "kLengths", i});
    }
    for (size_t i = 0; i < d.outputs.size(); ++i) {
        const op::Param& p = d.outputs[i];
        if (same(d.inputs, p.name) != d.inputs.end()) continue;
        outputs.push_back({"const " + TypeOf(p, phase.tensors) + "* ", p.name + "Out", "kOutput", i});
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
    return fmt::format("aclnnStatus {}({})", function, fmt::join(words, ", "));
}

// As a string literal has it, whatever the compiler takes for letters.
std::string Quoted(const std::string& text) {
    std::string quoted;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\' || c == '?') {
            quoted += std::string("\\") + c;
        } else if (byte < 0x20 || byte >= 0x7f) {
            quoted += fmt::format("\\{:03o}", byte);
        } else {
            quoted += c;
        }
    }
    return quoted;
}

constexpr const char* kSecond =
    "aclnnStatus {}(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream)";

std::string FirstPhase(const Phase& phase, const std::string& op, const std::vector<Row>& rows) {
    const std::string name = phase.First(op);
    std::vector<std::string> parameters, names;
    for (const Row& row : rows) {
        parameters.push_back(fmt::format("        {{\"{}\", sfumato::aclnn::Role::{}, {}, {}}},\n", row.name, row.role,
                                         row.index, row.output));
        names.push_back(row.name);
    }
    return fmt::format(
        "{0} {{\n    static const sfumato::aclnn::Parameter sfumato_parameters[] = {{\n{1}    }};\n"
        "    static const sfumato::aclnn::Function sfumato_function = {{kPackage, \"{2}\", \"{3}\", "
        "sfumato_parameters, {4}}};\n"
        "    const sfumato::aclnn::Value sfumato_values[] = {{{5}}};\n"
        "    return SfumatoAclnnPrepare(sfumato_function, sfumato_values, workspaceSize, executor);\n}}\n\n",
        Signature(name, rows), fmt::join(parameters, ""), phase.Second(op), name, rows.size(), fmt::join(names, ", "));
}

std::string SecondPhase(const std::string& name) {
    return fmt::format(kSecond, name) +
           fmt::format(
               " {{\n    return SfumatoAclnnRun(kPackage, \"{}\", workspace, workspaceSize, executor, "
               "stream);\n}}\n\n",
               name);
}

bool IsText(const fs::path& file) {
    static const std::set<std::string> kSuffixes = {".cpp", ".cc",  ".cxx", ".c",   ".cce", ".asc", ".h",   ".hh",
                                                    ".hpp", ".hxx", ".inc", ".inl", ".ipp", ".tpp", ".def", ".cuh"};
    return kSuffixes.contains(file.extension());
}
// Folders without sources of operators: what was built, callers, the vendor's scripts.
bool HasNone(const fs::path& folder) {
    static const std::set<std::string> kNames = {"build",     "build_out", "cmake", "scripts",
                                                 "framework", "tests",     "test"};
    const std::string name = folder.filename();
    std::error_code ignored;
    return name.starts_with(".") || kNames.contains(name) || fs::exists(folder / "CMakeCache.txt", ignored);
}

void AddFiles(const fs::path& folder, std::vector<fs::path>& files) {
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
    std::ranges::sort(entries);
    for (const fs::path& entry : entries) {
        std::error_code ignored;
        if (fs::is_directory(entry, ignored)) {
            if (!HasNone(entry)) AddFiles(entry, files);
        } else if (IsText(entry)) {
            files.push_back(entry);
        }
    }
}

}  // namespace

PackedProject Pack(const std::string& folder) {
    PackedProject project;
    project.folder = fs::weakly_canonical(folder);
    std::vector<fs::path> files;
    AddFiles(project.folder, files);
    for (const fs::path& file : files) {
        const std::string path = file.lexically_relative(project.folder);
        const std::string text = jit::ReadText(file).value_or("");
        if (text.find('\0') != text.npos) continue;
        project.rows += fmt::format("    {{\"{}\",", Quoted(path));
        for (size_t begin = 0; begin < text.size() || begin == 0;) {
            const size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
            project.rows += fmt::format("\n     \"{}\"", Quoted(text.substr(begin, end - begin)));
            begin = std::max<size_t>(end, 1);
        }
        project.rows += "},\n";
        ++project.count;
    }
    project.tag = jit::HashBytes(project.rows);
    return project;
}

AclnnText WriteAclnn(const op::Definition& d, const std::string& chip, const PackedProject& project,
                     const std::string& flags, bool auto_sync) {
    const std::string snake = op::SnakeName(d.name);
    std::string declared, defined;
    const auto declare = [&](const std::string& function) {
        declared += "__attribute__((visibility(\"default\"))) " + function + ";\n\n";
    };
    for (const Phase& phase : Phases(d)) {
        const std::vector<Row> rows = Rows(d, phase);
        declare(Signature(phase.First(d.name), rows));
        defined += FirstPhase(phase, d.name, rows);
        if (phase.tensors) continue;
        declare(fmt::format(kSecond, phase.Second(d.name)));
        defined += SecondPhase(phase.Second(d.name));
    }
    AclnnText text;
    text.header = fmt::format(
        "// Calls of the operator {0}: a function ...GetWorkspaceSize, then the one without with the executor it "
        "gave.\n"
        "#ifndef ACLNN_{1}_H_\n#define ACLNN_{1}_H_\n\n#include \"aclnn/acl_meta.h\"\n\n"
        "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n{2}"
        "#ifdef __cplusplus\n}}\n#endif\n#endif\n",
        d.name, snake, declared);
    // Of a template, so that a library of several operators has the files once.
    text.source = fmt::format(
        "#include \"aclnn_{0}.h\"\n#include \"sfumato/host/aclnn.h\"\n\nnamespace sfumato_{1} {{\n"
        "template <class T>\nstruct Project {{\n    static const sfumato::aclnn::SourceFile files[];\n}};\n"
        "template <class T>\nconst sfumato::aclnn::SourceFile Project<T>::files[] = {{\n{2}}};\n}}\n\n"
        "static const sfumato::aclnn::Package kPackage = {{\"{3}\", \"{4}\", \"{5}\", "
        "sfumato_{1}::Project<void>::files, "
        "{6}, \"{7}\", {8}}};\nstatic const sfumato::aclnn::Registration kRegistration(kPackage);\n\n{9}",
        snake, project.tag, project.rows, d.name, chip, Quoted(project.folder), project.count, Quoted(flags), auto_sync,
        defined);
    return text;
}

}  // namespace sfumato::toolkit
