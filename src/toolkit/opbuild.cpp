// SPDX-License-Identifier: Apache-2.0
// What op_build and opc of the toolkit folder do for the build files of a project (clients.md 2.4).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "jit/source_file.h"
#include "op/host_compile.h"
#include "sfumato/environment.h"
#include "sfumato/jit.h"
#include "sfumato/toolkit.h"
#include "soc/chip.h"
#include "toolkit/generate.h"

namespace sfumato::toolkit {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
namespace {

// The folder with op_host and op_kernel that a source of op_host is in.
fs::path ProjectOf(const op::Registered& registered) {
    for (fs::path folder = fs::path(registered.file).parent_path(); folder.has_relative_path();
         folder = folder.parent_path()) {
        if (fs::is_directory(folder / "op_host") && fs::is_directory(folder / "op_kernel")) return folder;
    }
    throw Error(fmt::format("op_build: {} of {}: no folder above the source has op_host and op_kernel", registered.op,
                            registered.file));
}

// Projects with the operators that the library registers from each.
std::vector<std::pair<fs::path, std::vector<std::string>>> ProjectsOf(const std::vector<op::Registered>& all) {
    std::vector<std::pair<fs::path, std::vector<std::string>>> projects;
    for (const op::Registered& one : all) {
        const fs::path folder = ProjectOf(one);
        auto found = std::ranges::find_if(projects, [&](const auto& p) { return p.first == folder; });
        if (found == projects.end()) found = projects.insert(found, {folder, {}});
        found->second.push_back(one.op);
    }
    return projects;
}

// The host code is compiled again: that of the library has the flags, and the standard library, of somebody else.
void AddProject(const fs::path& folder, const std::vector<std::string>& names, Generator& generator,
                std::string& messages) {
    const std::vector<KernelOptions> options = ReadKernelOptions(folder);
    const auto add = [&](const std::vector<std::string>& some, const std::string& op) {
        const op::Project project = op::FindProject(folder, op);
        op::LoadOptions load;
        load.op = op;
        const auto object = op::CompileHost(project, load);
        for (const std::string& warning : object->warnings) messages += warning;
        generator.Add(project, op::HostLibrary(object->path), some, options);
    };
    if (names.size() == 1) return add(names, names[0]);
    try {
        add(names, "");
    } catch (const CompileError&) {
        // One of them keeps the others from nothing: each by itself, without what does not mention it.
        for (const std::string& name : names) add({name}, name);
    }
}

// The value of a variable of the CMake cache in a folder above the file.
std::optional<std::string> CachedAbove(const std::string& file, const std::string& name) {
    std::error_code ignored;
    for (fs::path folder = fs::absolute(file, ignored).parent_path(); folder.has_relative_path();
         folder = folder.parent_path()) {
        std::ifstream cache(folder / "CMakeCache.txt");
        for (std::string line; std::getline(cache, line);) {
            if (line.starts_with(name + ":")) return line.substr(line.find('=') + 1);
        }
        if (cache.eof()) break;
    }
    return {};
}

// Of a word of aic-<unit>-ops-info.ini.
int TypeOf(const Json& word) {
    const std::string name = word;
    return op::TypeNumber(name == "float" ? "float32" : name == "double" ? "float64" : name);
}

// The column of the definition with the types and formats of the description.
size_t ColumnOf(const op::Definition& d, const Json& described, const std::string& file) {
    const auto fits = [&](const std::vector<op::Param>& params, const Json& list, size_t column) {
        for (size_t i = 0; i < params.size() && i < list.size(); ++i) {
            // Dynamic parameters are lists of one, absent ones null.
            const Json& one = list[i].is_array() && !list[i].empty() ? list[i][0] : list[i];
            if (!one.is_object()) continue;
            if (one.contains("dtype") && TypeOf(one["dtype"]) != params[i].types[column]) return false;
            if (one.contains("format") &&
                op::FormatNumber(one["format"].get<std::string>()) != params[i].formats[column])
                return false;
        }
        return true;
    };
    for (size_t column = 0; column < d.columns; ++column) {
        if (fits(d.inputs, described.value("inputs", Json::array()), column) &&
            fits(d.outputs, described.value("outputs", Json::array()), column))
            return column;
    }
    throw Error(fmt::format("opc: {}: no combination of {} in {} has these types and formats", file, d.name, d.source));
}

// What packing scripts read about a binary.
void WriteBinary(const OpcOptions& o, const Json& description, const std::string& kernel) {
    for (const Json& one : description.at("op_list")) {
        const std::string name = one.at("bin_filename");
        Json support = one;
        support.erase("bin_filename");
        support["opMode"] = "dynamic";
        support["optionalInputMode"] = "gen_placeholder";
        support["deterministic"] = "ignore";
        support["simplifiedKey"] = Json::array();
        Json binary = {{"binFileName", name}, {"binFileSuffix", ".o"}, {"kernelName", kernel}};
        binary["kernelList"] = Json::array({{{"kernelName", kernel}}});
        binary["coreType"] = "AiCore";
        binary["compileInfo"] = Json::object();
        binary["supportInfo"] = support;
        jit::WriteText(fs::path(o.output) / (name + ".json"), binary.dump(2) + "\n");
        jit::WriteText(fs::path(o.output) / (name + ".o"),
                       fmt::format("{} for {}: the library of the package has the sources.\n", kernel, o.soc_version));
    }
}

std::string CompileAll(const OpcOptions& o) {
    const auto text = jit::ReadText(o.input_param);
    if (!text) throw Error(fmt::format("opc: {} cannot be read", o.input_param));
    const Json description = Json::parse(*text);
    const std::string name = description.at("op_type");
    const auto home = CachedAbove(o.input_param, "CMAKE_HOME_DIRECTORY");
    if (!home) throw Error(fmt::format("opc: no CMakeCache.txt above {} names the project", o.input_param));
    const std::string kernel = op::SnakeName(name);
    const soc::Chip* chip = nullptr;
    std::string messages;
    try {
        chip = &soc::FindChip(o.soc_version);
    } catch (const Error&) {
        messages = fmt::format("note: {}: nothing is compiled for {}, which is no chip here\n", name, o.soc_version);
    }
    if (chip) {
        const op::Project project = op::FindProject(*home, name, chip->vector_registers);
        const ChosenOptions chosen = Choose(ReadKernelOptions(project.folder), name, op::ConfigWord(chip->product));
        op::LoadOptions load;
        load.op = name;
        const auto object = op::CompileHost(project, load);
        const op::Definition d = op::HostLibrary(object->path).DefinitionFor(name, chip->product, false);
        for (const Json& one : description.at("op_list"))
            CompileKernels(project.folder, name, chip->product, chosen, ColumnOf(d, one, o.input_param));
    }
    WriteBinary(o, description, kernel);
    return messages;
}

template <class F>
BuildResult Guarded(const F& run) {
    try {
        return {0, run()};
    } catch (const std::exception& error) {
        return {1, fmt::format("{}\n", error.what())};
    }
}

}  // namespace

BuildResult BuildTexts(const std::string& library, const std::string& out) {
    return Guarded([&] {
        if (!fs::is_directory(out)) throw Error(fmt::format("op_build: there is no folder {}", out));
        if (!fs::is_regular_file(library)) throw Error(fmt::format("op_build: there is no library {}", library));
        const std::vector<op::Registered> all = op::RegisteredIn(fs::absolute(library));
        if (all.empty()) throw Error(fmt::format("op_build: {} registers no operator (OP_ADD)", library));
        std::string messages;
        Generator generator(out);
        for (const auto& [folder, names] : ProjectsOf(all)) AddProject(folder, names, generator, messages);
        generator.Finish();
        return messages + generator.notes();
    });
}

BuildResult CompileCombination(const OpcOptions& options) {
    return Guarded([&] { return CompileAll(options); });
}

}  // namespace sfumato::toolkit
