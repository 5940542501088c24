// SPDX-License-Identifier: Apache-2.0
// Reads CMake files as words.
#include "op/cmake_files.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <utility>

#include "jit/source_file.h"

namespace sfumato::op {
namespace fs = std::filesystem;
namespace {

constexpr int kMostNested = 8;

// text with the variables' values; empty where one is unknown.
std::string Expand(const std::string& text, const std::map<std::string, std::string>& variables) {
    std::string all;
    for (size_t at = 0; at < text.size();) {
        const size_t name = text.find("${", at);
        all += text.substr(at, name - at);
        if (name == text.npos) return all;
        const size_t end = std::min(text.find('}', name), text.size());
        const auto known = variables.find(text.substr(name + 2, end - name - 2));
        if (known == variables.end()) return "";
        all += known->second;
        at = end + 1;
    }
    return all;
}

// The folders of a file and of those that it includes.
class Reader {
public:
    explicit Reader(const fs::path& file) : source_(fs::absolute(file.parent_path())) {
        variables_["CMAKE_CURRENT_SOURCE_DIR"] = source_;
        Read(source_ / file.filename(), 0);
    }
    std::vector<std::string> dirs;

private:
    void Read(const fs::path& file, int depth) {
        const auto text = jit::ReadText(file);
        if (!text || depth == kMostNested) return;
        const std::string outer = variables_["CMAKE_CURRENT_LIST_DIR"];
        variables_["CMAKE_CURRENT_LIST_DIR"] = file.parent_path();
        for (const CMakeCommand& command : ReadCMake(*text)) {
            const std::vector<std::string>& words = command.words;
            if (command.name == "set" && words.size() == 2) {
                const std::string value = Expand(words[1], variables_);
                if (!value.empty()) variables_[words[0]] = value;
            } else if (command.name == "include" && !words.empty()) {
                const std::string value = Expand(words[0], variables_);
                if (!value.empty()) Read(source_ / value, depth + 1);
            } else if (command.name == "include_directories" || command.name == "target_include_directories") {
                for (size_t i = command.name.starts_with("target_"); i < words.size(); ++i) Add(words[i]);
            }
        }
        variables_["CMAKE_CURRENT_LIST_DIR"] = outer;
    }

    void Add(const std::string& word) {
        std::error_code ignored;
        const std::string value = Expand(word, variables_);
        const fs::path folder = fs::weakly_canonical(source_ / value, ignored);
        const bool known = std::ranges::find(dirs, folder.string()) != dirs.end();
        if (!value.empty() && !known && fs::is_directory(folder, ignored)) dirs.push_back(folder);
    }

    fs::path source_;
    std::map<std::string, std::string> variables_;
};

}  // namespace

std::vector<CMakeCommand> ReadCMake(const std::string& text) {
    std::vector<CMakeCommand> commands;
    std::string word;
    bool inside = false, quoted = false, comment = false;
    const auto end_word = [&] {
        if (inside && !word.empty()) commands.back().words.push_back(std::exchange(word, ""));
    };
    for (const char c : text) {
        if (comment) {
            comment = c != '\n';
        } else if (quoted && c != '"') {
            word += c;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (c == '#') {
            comment = true;
        } else if (c == '(' && !inside) {
            commands.push_back({word, {}});
            word.clear();
            inside = true;
        } else if (c == ')' && inside) {
            end_word();
            inside = false;
        } else if (std::isspace(static_cast<unsigned char>(c)) || (inside && c == ';')) {
            end_word();
        } else {
            word += c;
        }
    }
    return commands;
}

std::vector<std::string> HostIncludeDirs(const std::string& file) { return Reader(file).dirs; }

}  // namespace sfumato::op
