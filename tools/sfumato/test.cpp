// SPDX-License-Identifier: Apache-2.0
// `sfumato test`: builds a repository and runs its tests as on a machine with a board.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "options.h"
#include "output.h"
#include "sfumato/jit.h"
#include "findings.h"

namespace sfumato::command {
namespace fs = std::filesystem;
namespace {

constexpr const char* kUsualBuild = "python3 -m pip install --quiet --no-build-isolation --no-deps .";
constexpr size_t kShownLines = 25, kShownErrors = 5;

// What pip installs while the repository is built, and by a script that builds and tests: a folder of its own, so that
// neither the Python in use nor what it has for a board changes.
fs::path InstallFolder() {
    std::string name = fs::current_path().string();
    std::ranges::replace(name, '/', '+');
    return fs::path(CacheDir()) / "repositories" / name.substr(name.size() - std::min<size_t>(name.size(), 200));
}

std::string DefaultBuild() { return fs::exists("setup.py") || fs::exists("pyproject.toml") ? kUsualBuild : ""; }

void Prepend(const char* variable, const std::string& folder) {
    const char* was = std::getenv(variable);
    setenv(variable, was && *was ? fmt::format("{}:{}", folder, was).c_str() : folder.c_str(), 1);
}

// What builds say that fail for a reason which has nothing to do with boards, and what helps.
struct Trouble {
    const char *says, *helps;
};
constexpr const char* kCpuTorch =
    "PyTorch of this Python is built for CUDA, and asks for a CUDA toolkit of its version; one without is installed by "
    "python3 -m pip install torch --index-url https://download.pytorch.org/whl/cpu";
constexpr Trouble kKnown[] = {
    {"Your installed Caffe2 version uses CUDA", kCpuTorch},
    {"The detected CUDA version", kCpuTorch},
    {".run: No such file or directory",
     "a package of operators has the system and the processor in its name: start it by a pattern, "
     "--build '... && ./build_out/custom_opp_*.run'"},
};

// The first errors of compilers, which other jobs of a build may have talked over, the end of all, and what helps.
void ShowFailure(const fs::path& log) {
    std::ifstream in(log);
    std::vector<std::string> errors;
    std::deque<std::string> end;
    const char* helps = nullptr;
    for (std::string line; std::getline(in, line);) {
        for (const Trouble& known : kKnown) {
            if (line.find(known.says) != std::string::npos) helps = known.helps;
        }
        end.push_back(line);
        if (end.size() <= kShownLines) continue;
        if (errors.size() < kShownErrors && end.front().find(": error: ") != std::string::npos)
            errors.push_back(end.front());
        end.pop_front();
    }
    for (const std::string& line : errors) PrintError(line + "\n");
    if (!errors.empty()) PrintError("...\n");
    for (const std::string& line : end) PrintError(line + "\n");
    if (helps) PrintError(fmt::format("note: {}\n", helps));
}

// A repository may take it that a compiler finds Python's headers, as those of torch_npu (EnterEnvironment).
constexpr const char* kPythonHeaders =
    "p=$(python3 -c 'import sysconfig; print(sysconfig.get_path(\"include\"))' 2>/dev/null) && "
    "export CPLUS_INCLUDE_PATH=\"${CPLUS_INCLUDE_PATH:+$CPLUS_INCLUDE_PATH:}$p\"\n";

// False where it fails, which is told.
bool Build(const std::string& command, const fs::path& folder) {
    const fs::path log = folder / "build.log";
    PrintError(fmt::format("sfumato test: building: {}\n", command));
    setenv("SFUMATO_BUILD_LOG", log.c_str(), 1);
    const int status =
        std::system(fmt::format("{}( {}\n) >\"$SFUMATO_BUILD_LOG\" 2>&1", kPythonHeaders, command).c_str());
    unsetenv("SFUMATO_BUILD_LOG");
    if (status == 0) return true;
    ShowFailure(log);
    SayError(fmt::format("the build failed; all that it said is in {}", log.string()));
    return false;
}

}  // namespace

void AddTestOptions(CLI::App& test, TestOptions& o) {
    test.add_option("--chip", o.env.environment.chip, "product that the kernels run on (default: as for sfumato env)")
        ->type_name("NAME");
    test.add_option("--build", o.build,
                    fmt::format("the shell command that builds the repository (default, where there is a setup.py or a "
                                "pyproject.toml: {})",
                                kUsualBuild))
        ->type_name("COMMAND");
    test.add_flag("--no-build", o.no_build, "do not build: that is done");
    test.add_flag("--plain", o.env.plain, "only set variables; show nothing at /usr/local/Ascend");
    test.footer(
        "In the folder of the repository: sfumato test, or sfumato test -- pytest tests -k softmax\n"
        "What follows -- runs the tests (default: pytest), with the Python of PATH. What pip installs meanwhile goes\n"
        "to a folder of the cache; the packages of that Python stay as they are. Exit codes: those of the tests;\n"
        "3 the build failed.");
}

int RunTest(TestOptions o, char** command) {
    o.env.environment.torch = true;
    if (const int code = EnterEnvironment(o.env); code != kOk) return code;
    const fs::path folder = InstallFolder();
    fs::create_directories(folder);
    setenv("PIP_TARGET", folder.c_str(), 1);
    setenv("PIP_UPGRADE", "1", 1);
    Prepend("PYTHONPATH", folder.string());
    const std::string build = !o.build.empty() ? o.build : DefaultBuild();
    if (!o.no_build && !build.empty() && !Build(build, folder)) return kCompile;
    // `python3 -m pytest` would import the package from the sources, where nothing is built.
    std::string pytest = "pytest";
    char* usual[] = {pytest.data(), nullptr};
    char** const tests = *command ? command : usual;
    execvp(tests[0], tests);
    SayError(fmt::format("cannot run {}: {}", tests[0], std::strerror(errno)));
    return 127;
}

}  // namespace sfumato::command
