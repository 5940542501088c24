// SPDX-License-Identifier: Apache-2.0
// Files written from templates: @name@ stands for a value.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>

namespace sfumato::command {

struct Template {
    const char *name, *text;  // "msopgen/host.cpp.in"
};
using Values = std::map<std::string, std::string>;

// The text of one of the templates.
const char* TemplateOf(std::span<const Template> templates, const std::string& name);
// The text with @name@ replaced.
std::string Filled(std::string text, const Values& values);
// The file and the folders above it, from one of the templates. Throws Error.
void WriteFilled(const std::filesystem::path& path, std::span<const Template> templates, const std::string& name,
                 const Values& values);

}  // namespace sfumato::command
