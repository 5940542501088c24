// SPDX-License-Identifier: Apache-2.0
// Commands that are the Python package's: `sfumato tik` becomes `python3 -m sfumato.tik`.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <vector>

#include "findings.h"
#include "options.h"
#include "system/processes.h"

namespace sfumato::command {
namespace {

namespace fs = std::filesystem;

// $SFUMATO_PYTHON; the interpreter beside the command, as in a virtual environment; python3 of the path.
std::string Interpreter(const fs::path& folder) {
    if (const char* chosen = std::getenv("SFUMATO_PYTHON"); chosen && *chosen) return chosen;
    std::error_code failed;
    const fs::path beside = folder / "python3";
    return fs::exists(beside, failed) ? beside.string() : "python3";
}

// In a build tree, and in a prefix that is no environment of Python's, the package is not where Python looks. Empty
// elsewhere.
fs::path Packages(const fs::path& folder) {
    std::error_code failed;
    const auto holds = [&](const fs::path& packages) { return fs::exists(packages / "sfumato" / "tik", failed); };
    if (const fs::path built = folder.parent_path().parent_path() / "python"; holds(built)) return built;
    if (fs::exists(folder / "python3", failed)) return {};
    for (const auto& entry : fs::directory_iterator(folder.parent_path() / "lib", failed)) {
        const fs::path packages = entry.path() / "site-packages";
        if (entry.path().filename().string().starts_with("python3.") && holds(packages)) return packages;
    }
    return {};
}

void AddPackages(const fs::path& folder) {
    const fs::path packages = Packages(folder);
    if (packages.empty()) return;
    const char* already = std::getenv("PYTHONPATH");
    const std::string path = packages.string() + (already && *already ? std::string(":") + already : "");
    setenv("PYTHONPATH", path.c_str(), 1);
}

}  // namespace

fs::path Self() { return system::OwnProgram(); }

void Become(const std::vector<std::string>& words) {
    std::vector<const char*> raw;
    for (const std::string& word : words) raw.push_back(word.c_str());
    raw.push_back(nullptr);
    execvp(raw[0], const_cast<char* const*>(raw.data()));
}

const PythonVerb* FindPythonVerb(std::string_view name) {
    const auto* found =
        std::ranges::find_if(kPythonVerbs, [name](const PythonVerb& verb) { return verb.name == name; });
    return found == std::end(kPythonVerbs) ? nullptr : found;
}

std::string PythonProgram() {
    const fs::path folder = Self().parent_path();
    AddPackages(folder);
    return Interpreter(folder);
}

int RunPython(const PythonVerb& verb, const std::vector<std::string>& before, int count, char** arguments) {
    const std::string python = PythonProgram();
    std::vector<std::string> words = {python, "-m", verb.module};
    words.insert(words.end(), before.begin(), before.end());
    words.insert(words.end(), arguments, arguments + count);
    Become(words);
    SayError(std::string(verb.what) + " Python with the package sfumato; " + python + ": " + std::strerror(errno) +
             ". Name an interpreter with SFUMATO_PYTHON");
    return kUsage;
}

}  // namespace sfumato::command
