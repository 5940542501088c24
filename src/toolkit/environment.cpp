// SPDX-License-Identifier: Apache-2.0
// The environment that leads to the toolkit folder (clients.md 2.1), and what is wrong with one.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "jit/compiler.h"
#include "jit/process.h"
#include "report/finding.h"
#include "sfumato/letters.h"
#include "sfumato/op.h"
#include "sfumato/toolkit.h"
#include "soc/chip.h"
#include "toolkit/layout.h"

namespace sfumato::toolkit {
namespace fs = std::filesystem;
namespace {

constexpr const char* kHomes[] = {"ASCEND_HOME_PATH", "ASCEND_HOME_DIR", "ASCEND_TOOLKIT_HOME", "ASCEND_INSTALL_PATH"};
constexpr const char* kDo = "run the program with `sfumato env -- COMMAND`, or eval \"$(sfumato env)\" again";
constexpr const char* kVendor = "customize";  // of packages that name none

Report Missing(const std::string& variable, const std::string& message, const std::string& found,
               const std::string& legal, const std::string& hint = kDo) {
    return ToReport({Rule::kToolkitMissing, variable, message, found, legal, hint}, "", {});
}

bool IsFolder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}
bool Same(const fs::path& a, const fs::path& b) {
    std::error_code ignored;
    return a == b || fs::equivalent(a, b, ignored);
}

// `first`, then what the list has besides.
std::string Before(const std::vector<std::string>& first, const std::string& list) {
    std::vector<std::string> all = first;
    for (const std::string& word : jit::Parts(list, ':')) {
        if (std::ranges::find(all, word) == all.end()) all.push_back(word);
    }
    return fmt::format("{}", fmt::join(all, ":"));
}

// Ours are marked, so that one of an installed toolkit is never written to.
fs::path Mark(const fs::path& opp) { return opp / ".sfumato"; }
bool IsOwn(const fs::path& opp) {
    std::error_code ignored;
    return fs::exists(Mark(opp), ignored);
}

// Where this user's folders are.
std::string UserData() {
    const std::string data = jit::Environment("XDG_DATA_HOME"), home = jit::Environment("HOME");
    if (!data.empty()) return data + "/sfumato";
    return home.empty() ? fmt::format("/tmp/sfumato-{}", getuid()) : home + "/.local/share/sfumato";
}
std::string UserOpp() { return UserData() + "/opp"; }

// The same in every process.
uint32_t Hash(const std::string& text) {
    uint32_t hash = 2166136261u;
    for (const unsigned char c : text) hash = (hash ^ c) * 16777619u;
    return hash;
}
std::string Root(const std::string& toolkit, const std::string& opp) {
    return fmt::format("{}/toolkits/{:08x}", UserData(), Hash(toolkit + '\n' + opp));
}

// The package's folder may be read by a loader before the package is there.
std::vector<std::string> LibraryFolders(const fs::path& opp, const std::string& toolkit) {
    std::vector<std::string> vendors = {kVendor};
    std::error_code error;
    for (fs::directory_iterator it(opp / "vendors", error), end; !error && it != end; it.increment(error)) {
        if (it->is_directory() && it->path().filename() != kVendor) vendors.push_back(it->path().filename());
    }
    std::sort(vendors.begin() + 1, vendors.end());
    std::vector<std::string> folders;
    for (const std::string& vendor : vendors) folders.push_back((opp / "vendors" / vendor / "op_api/lib").string());
    folders.push_back(toolkit + "/lib64");
    return folders;
}

}  // namespace

std::string Folder() {
    const std::string library = jit::LocateLibrary().path;
    fs::path above = fs::path(library).parent_path();
    // <prefix>/lib, <prefix>/lib/<architecture>, the package's lib, the build tree's src.
    for (int i = 0; i < 2 && above.has_parent_path(); ++i) {
        above = above.parent_path();
        if (IsFolder(above / "share/sfumato/ascend")) return (above / "share/sfumato/ascend").string();
    }
    throw KernelError(Missing("", "this installation has no toolkit folder", library,
                              "share/sfumato/ascend beside the folder of the library",
                              "install it whole, with `cmake --install` or pip"));
}

void MakeOpp(const std::string& folder) {
    const fs::path opp = folder;
    std::error_code error;
    for (const char* name : {"vendors", "built-in/op_impl/ai_core/tbe", "built-in/op_proto"})
        if (!error) fs::create_directories(opp / name, error);
    if (!error && !fs::exists(opp / "version.info"))
        std::ofstream(opp / "version.info") << "Version=" SFUMATO_TOOLKIT_VERSION "\n";
    const fs::path list = opp / "vendors/config.ini";
    if (!error && !fs::exists(list)) std::ofstream(list) << "load_priority=\n";
    if (!error && !fs::exists(Mark(opp))) std::ofstream(Mark(opp)) << "operator packages for Sfumato\n";
    if (error || !fs::exists(Mark(opp))) {
        throw KernelError(Missing("ASCEND_OPP_PATH", "the folder of operator packages cannot be made", opp.string(),
                                  "a folder that can be written to", "set XDG_DATA_HOME to one"));
    }
}

std::string OppFolder() {
    const std::string set = jit::Environment("ASCEND_OPP_PATH");
    return !set.empty() && IsOwn(set) ? set : UserOpp();
}

std::string LinkFolder() {
    const std::string toolkit = Folder(), opp = OppFolder(), root = Root(toolkit, opp);
    MakeOpp(opp);
    MakeLinks(root, Links(toolkit, opp));
    return root;
}

std::string ComputeUnit(const std::string& name) {
    const soc::Chip chip = soc::FindChip(name);
    if (!chip.ascendc) throw Error(fmt::format("{} has no Ascend C: it is programmed in TIK only", chip.name));
    const std::string set = jit::Environment("SFUMATO_CHIP");
    if (!set.empty() && soc::FindChip(set).npu_arch != chip.npu_arch) {
        throw KernelError(ToReport(
            {Rule::kChipMismatch, "SFUMATO_CHIP", "the project is for another family of chips than it is to run on",
             fmt::format("{}, of {}", set, soc::FindChip(set).name), fmt::format("a chip of {}", chip.name),
             fmt::format("sfumato env --chip {}", name)},
            "", {}));
    }
    return op::ConfigWord(name);
}

std::vector<Setting> Environment(const EnvironmentOptions& options) {
    const std::string root = LinkFolder(), toolkit = fmt::format("{}/{}", root, kLatest), opp = OppFolder();
    const std::string asked = !options.chip.empty() ? options.chip : jit::Environment("SFUMATO_CHIP");
    const soc::Chip& chip = soc::FindChip(asked.empty() ? soc::kDefaultChip : asked);
    if (!chip.ascendc) throw Error(fmt::format("{} has no Ascend C: it is programmed in TIK only", chip.name));
    std::vector<Setting> settings;
    for (const char* home : kHomes) settings.emplace_back(home, toolkit);
    settings.emplace_back("ASCEND_OPP_PATH", opp);
    settings.emplace_back("ASCEND_AICPU_PATH", toolkit);
    settings.emplace_back("TOOLCHAIN_HOME", toolkit + "/toolkit");
    std::string path = Before({toolkit + "/bin"}, jit::Environment("PATH"));
    if (!options.command_dir.empty()) path = Before(jit::Parts(path, ':'), options.command_dir);
    settings.emplace_back("PATH", path);
    settings.emplace_back("LD_LIBRARY_PATH", Before(LibraryFolders(opp, toolkit), jit::Environment("LD_LIBRARY_PATH")));
    settings.emplace_back("CMAKE_PREFIX_PATH", Before({toolkit}, jit::Environment("CMAKE_PREFIX_PATH")));
    std::vector<std::string> modules = {toolkit + "/python/site-packages", opp + "/built-in/op_impl/ai_core/tbe"};
    if (options.torch) {
        const fs::path torch = fs::path(Folder()) / "python";
        if (!IsFolder(torch / "torch_npu")) {
            throw KernelError(Missing("PYTHONPATH", "this installation has no torch_npu", torch.string(),
                                      "a folder that holds torch_npu", "leave --torch out"));
        }
        modules.insert(modules.begin(), torch.string());
        // Build files look for these below the folder of Python's packages, too, where pip would have installed them.
        for (const auto& [name, part] : {std::pair("CPLUS_INCLUDE_PATH", "include"), {"LIBRARY_PATH", "lib"}})
            settings.emplace_back(name, Before({torch / "torch_npu" / part}, jit::Environment(name)));
    }
    settings.emplace_back("PYTHONPATH", Before(modules, jit::Environment("PYTHONPATH")));
    // Nobody asked: a program then runs on the chip it was built for.
    if (!asked.empty()) settings.emplace_back("SFUMATO_CHIP", chip.product);
    return settings;
}

std::vector<Report> CheckEnvironment() {
    const fs::path own = Folder();
    const std::string toolkit = fmt::format("{}/{}", Root(own, OppFolder()), kLatest);
    // Whatever link leads there.
    const auto leads = [&](const fs::path& folder, const char* file) { return Same(folder / file, own / file); };
    std::vector<Report> findings;
    for (const char* home : kHomes) {
        const std::string value = jit::Environment(home);
        if (value.empty() || leads(value, "set_env.sh")) continue;
        findings.push_back(
            Missing(home, IsFolder(value) ? "the variable leads to another toolkit" : "the variable leads nowhere",
                    value, toolkit));
    }
    const std::string opp = jit::Environment("ASCEND_OPP_PATH");
    if (!opp.empty() && !IsOwn(opp)) {
        findings.push_back(Missing(
            "ASCEND_OPP_PATH",
            IsFolder(opp) ? "the variable leads to the packages of another toolkit" : "the variable leads nowhere", opp,
            UserOpp()));
    }
    for (const std::string& entry : jit::Parts(jit::Environment("ASCEND_CUSTOM_OPP_PATH"), ':')) {
        if (IsFolder(entry)) continue;
        findings.push_back(Missing("ASCEND_CUSTOM_OPP_PATH", "an entry of the variable is no folder", entry,
                                   "folders <path>/vendors/<vendor> of installed packages",
                                   "install the package there, or unset the variable"));
    }
    const std::string compiler = jit::FindProgram("bisheng");
    if (!jit::Environment("ASCEND_HOME_PATH").empty() && (compiler.empty() || !Same(compiler, own / "bin/bisheng"))) {
        findings.push_back(Missing("PATH", "bisheng is not the one of the toolkit folder",
                                   compiler.empty() ? "none" : compiler, toolkit + "/bin before the others"));
    }
    const std::vector<std::string> libraries = jit::Parts(jit::Environment("LD_LIBRARY_PATH"), ':');
    const auto has = [&](const fs::path& folder) { return leads(folder.parent_path(), "lib64/libascendcl.so"); };
    if (!jit::Environment("ASCEND_HOME_PATH").empty() && std::ranges::none_of(libraries, has)) {
        findings.push_back(Missing("LD_LIBRARY_PATH", "the libraries of the toolkit folder are not in the variable",
                                   jit::Environment("LD_LIBRARY_PATH"), toolkit + "/lib64"));
    }
    return findings;
}

}  // namespace sfumato::toolkit
