// SPDX-License-Identifier: Apache-2.0
// Reads CMakePresets.json and the calls of op_kernel/CMakeLists.txt.
#include "toolkit/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "jit/source_file.h"
#include "jit/toolkit_options.h"
#include "op/cmake_files.h"
#include "sfumato/report.h"

namespace sfumato::toolkit {
namespace {

std::vector<std::string> Words(const std::string& list) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : list + ";") {
        if (c != ';' && c != ',' && !std::isspace(static_cast<unsigned char>(c))) {
            word += c;
        } else if (!word.empty()) {
            words.push_back(std::exchange(word, ""));
        }
    }
    return words;
}

void Set(ProjectSettings& settings, const std::string& name, const std::string& value) {
    if (name == "ASCEND_COMPUTE_UNIT") settings.units = Words(value);
    if (name == "vendor_name" && !value.empty()) settings.vendor = value;
}

KernelOptions OptionsOf(const std::string& file, const op::CMakeCommand& command, size_t first) {
    KernelOptions options;
    const std::vector<std::string>& words = command.words;
    if (words.size() <= first)
        throw Error(fmt::format("{}: {}() names no operator; legal: ALL, or an operator's type", file, command.name));
    options.op = words[first] == "ALL" ? "" : words[first];
    std::vector<std::string>* list = nullptr;
    for (size_t i = first + 1; i < words.size(); ++i) {
        if (words[i] == "COMPUTE_UNIT") {
            list = &options.units;
        } else if (words[i] == "OPTIONS") {
            list = &options.options;
        } else if (list) {
            list->push_back(words[i]);
        } else {
            throw Error(
                fmt::format("{}: {}: '{}' stands before OPTIONS and COMPUTE_UNIT", file, command.name, words[i]));
        }
    }
    return options;
}

}  // namespace

ProjectSettings ReadSettings(const std::string& folder, const std::vector<std::string>& defines) {
    ProjectSettings settings;
    const std::string file = folder + "/CMakePresets.json";
    if (const auto text = jit::ReadText(file)) {
        try {
            const nlohmann::ordered_json presets = nlohmann::ordered_json::parse(*text);
            for (const auto& preset : presets.value("configurePresets", nlohmann::ordered_json::array())) {
                const auto variables = preset.value("cacheVariables", nlohmann::ordered_json::object());
                for (const auto& [name, value] : variables.items()) {
                    const nlohmann::ordered_json& words =
                        value.is_object() ? value.value("value", nlohmann::ordered_json()) : value;
                    if (words.is_string()) Set(settings, name, words);
                }
            }
        } catch (const nlohmann::ordered_json::exception& error) {
            const std::string words = error.what();
            throw Error(
                fmt::format("{}: {}", file, words.substr(words.find("] ") == words.npos ? 0 : words.find("] ") + 2)));
        }
    }
    for (const std::string& define : defines) {
        const size_t equals = std::min(define.find('='), define.size());
        const size_t type = std::min(define.find(':'), equals);
        Set(settings, define.substr(0, type), equals < define.size() ? define.substr(equals + 1) : "");
    }
    return settings;
}

std::vector<KernelOptions> ReadKernelOptions(const std::string& folder) {
    const std::string file = folder + "/op_kernel/CMakeLists.txt";
    const auto text = jit::ReadText(file);
    std::vector<KernelOptions> all;
    if (!text) return all;
    // A project may have functions of its own that compile: what calls nothing but these options forgot one.
    bool compiles = false, old = false;
    for (const op::CMakeCommand& command : op::ReadCMake(*text)) {
        const bool options = command.name == "add_ops_compile_options", newer = command.name == "npu_op_kernel_options";
        if (options || newer) all.push_back(OptionsOf(file, command, newer ? 1 : 0));
        old |= options;
        compiles |= !options && (command.name.starts_with("add_") || command.name.starts_with("npu_op_"));
    }
    if (!compiles && old) throw Error(fmt::format("{}: add_kernels_compile() is missing", file));
    return all;
}

ChosenOptions Choose(const std::vector<KernelOptions>& all, const std::string& op, const std::string& unit) {
    ChosenOptions chosen;
    for (const KernelOptions& options : all) {
        const bool any_unit = options.units.empty();
        if (!any_unit && std::ranges::find(options.units, unit) == options.units.end()) continue;
        if (!options.op.empty() && options.op != op) continue;
        for (size_t i = 0; i < options.options.size(); ++i) {
            const std::string& word = options.options[i];
            const jit::ToolkitOption option = jit::ReadToolkitOption(options.options, i);
            if (option.words > 0) {
                if (!option.launch.empty()) chosen.auto_sync = option.launch != "auto_sync=off";
                if (option.launch.empty()) chosen.ignored.push_back(word);
                i += option.words - 1;
            } else if (word.starts_with("-D") || word.starts_with("-I") || word.starts_with("-U") ||
                       word.starts_with("-W")) {
                chosen.flags += (chosen.flags.empty() ? "" : " ") + word;
            } else {
                chosen.ignored.push_back(word);
            }
        }
    }
    return chosen;
}

}  // namespace sfumato::toolkit
