// SPDX-License-Identifier: Apache-2.0
// Fills templates.
#include "template.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "sfumato/report.h"

namespace sfumato::command {

const char* TemplateOf(std::span<const Template> templates, const std::string& name) {
    return std::ranges::find_if(templates, [&](const Template& t) { return name == t.name; })->text;
}

std::string Filled(std::string text, const Values& values) {
    for (const auto& [key, value] : values) {
        const std::string mark = "@" + key + "@";
        for (size_t at = 0; (at = text.find(mark, at)) != text.npos; at += value.size())
            text.replace(at, mark.size(), value);
    }
    return text;
}

void WriteFilled(const std::filesystem::path& path, std::span<const Template> templates, const std::string& name,
                 const Values& values) {
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    std::ofstream out(path, std::ios::binary);
    out << Filled(TemplateOf(templates, name), values);
    if (!out.flush()) throw Error(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
}

}  // namespace sfumato::command
