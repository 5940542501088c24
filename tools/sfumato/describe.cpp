// SPDX-License-Identifier: Apache-2.0
// Describe: walks what CLI11 was told, and the tables of the verbs that CLI11 does not read.
#include <CLI/CLI.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "options.h"
#include "sfumato/environment.h"

namespace sfumato::command {
namespace {

using Json = nlohmann::ordered_json;

// "TEXT:{a,b}": what CLI11 says of IsMember.
Json Choices(const std::string& type) {
    const size_t begin = type.find('{'), end = type.rfind('}');
    Json choices = Json::array();
    if (begin == std::string::npos || end == std::string::npos) return choices;
    for (const std::string& word : CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',')) {
        choices.push_back(word);
    }
    return choices;
}

Json OptionOf(const CLI::Option& option) {
    Json names = Json::array();
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
    if (names.empty()) names.push_back(option.get_name(true));
    const Json choices = Choices(option.get_type_name());
    // A flag with a default takes a value if it likes: --json, --json=FILE.
    const std::vector<std::string>& words = option.get_lnames();
    const bool likes =
        option.get_expected_max() == 0 && !words.empty() && option.get_flag_value(words[0], "") != "true";
    const bool takes = option.get_expected_max() > 0;
    Json json = {{"names", names}, {"text", option.get_description()}};
    if (takes) json["value"] = choices.empty() ? option.get_type_name() : "WORD";
    if (likes) json["optional"] = "FILE";
    if (!choices.empty()) json["choices"] = choices;
    if (!option.get_default_str().empty()) json["default"] = option.get_default_str();
    if (option.get_required()) json["required"] = true;
    return json;
}

Json OptionOf(const OptionHelp& option) {
    Json json = {{"names", CLI::detail::split(std::string(option.names), ',')}, {"text", option.text}};
    for (Json& name : json["names"]) name = CLI::detail::trim_copy(name.get<std::string>());
    if (!option.value.empty()) json["value"] = option.value;
    return json;
}

// `outer`: the footer that CLI11 hands down.
Json VerbOf(const CLI::App& app, const std::string& outer = {}) {
    // Verbs that CLI11 does not read.
    static const std::map<std::string, std::span<const OptionHelp>> kTables = {
        {"build", BuildOptionHelp()}, {"build-op", BuildOpOptionHelp()}, {"op_build", OpBuildOptionHelp()},
        {"opc", OpcOptionHelp()},     {"msopgen", MsopgenOptionHelp()},  {"msprof", MsprofOptionHelp()}};
    Json verb = {{"name", app.get_name()}, {"text", app.get_description()}};
    const auto table = kTables.find(app.get_name());
    if (const PythonVerb* python = FindPythonVerb(app.get_name())) {
        verb["python"] = python->module;
        return verb;
    }
    for (const char* kind : {"positionals", "options"}) verb[kind] = Json::array();
    if (table != kTables.end()) {
        for (const OptionHelp& option : table->second) verb["options"].push_back(OptionOf(option));
    } else {
        for (const CLI::Option* option : app.get_options()) {
            if (option->get_group().empty()) continue;  // hidden
            verb[option->get_positional() ? "positionals" : "options"].push_back(OptionOf(*option));
        }
    }
    if (app.get_footer() != outer) verb["footer"] = app.get_footer();
    for (const CLI::App* inner : app.get_subcommands([](const CLI::App*) { return true; })) {
        verb["verbs"].push_back(VerbOf(*inner, app.get_footer()));
    }
    return verb;
}

}  // namespace

std::string Describe(const CLI::App& app) {
    Json json = VerbOf(app);
    for (const ChipInfo& chip : Chips()) {
        json["chips"].push_back(chip.name);
        for (const ProductInfo& product : chip.products) json["chips"].push_back(product.name);
    }
    return json.dump(1) + "\n";
}

}  // namespace sfumato::command
