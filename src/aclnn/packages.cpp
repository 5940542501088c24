// SPDX-License-Identifier: Apache-2.0
// Which operators there are by name: those of packages that the program is linked with, and of installed ones, whose
// libraries are opened when a call asks (framework.md 5.6).
#include <dlfcn.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>

#include "aclnn/executor.h"
#include "host/device.h"
#include "jit/compiler.h"

namespace sfumato::aclnn {
namespace fs = std::filesystem;
namespace {

struct Packages {
    std::mutex mutex;
    std::vector<const Package*> loaded;  // as they came
};
Packages& ThePackages() {
    static auto* packages = new Packages;  // libraries go away after static objects
    return *packages;
}

// Folders of vendors, the first one wins: ASCEND_CUSTOM_OPP_PATH, then the user's packages by load_priority.
std::vector<fs::path> VendorFolders() {
    std::vector<fs::path> folders;
    for (const std::string& folder : jit::Parts(jit::Environment("ASCEND_CUSTOM_OPP_PATH"), ':'))
        folders.emplace_back(folder);
    const fs::path vendors = fs::path(jit::Environment("ASCEND_OPP_PATH")) / "vendors";
    std::ifstream list(vendors / "config.ini");
    const std::string key = "load_priority=";
    for (std::string line; std::getline(list, line);) {
        if (!line.starts_with(key)) continue;
        for (const std::string& vendor : jit::Parts(line.substr(key.size()), ',')) folders.push_back(vendors / vendor);
    }
    return folders;
}

// Whether the package's description lies in the library.
bool IsOf(const Package* package, const fs::path& library) {
    Dl_info info{};
    std::error_code ignored;
    return dladdr(package, &info) != 0 && info.dli_fname && fs::equivalent(info.dli_fname, library, ignored);
}

}  // namespace

void SfumatoAclnnRegister(const Package& package) {
    host::OfferChip(package.chip);
    std::lock_guard lock(ThePackages().mutex);
    ThePackages().loaded.push_back(&package);
}
void SfumatoAclnnForget(const Package& package) {
    std::lock_guard lock(ThePackages().mutex);
    std::erase(ThePackages().loaded, &package);
}

const Package* FindPackage(const std::string& op) {
    std::vector<fs::path> libraries;
    for (const fs::path& folder : VendorFolders()) {
        libraries.push_back(folder / "op_api/lib/libcust_opapi.so");
        dlopen(libraries.back().c_str(), RTLD_LAZY | RTLD_LOCAL);  // registers; one that is open stays as it is
    }
    std::lock_guard lock(ThePackages().mutex);
    std::vector<const Package*> named;
    for (const Package* p : ThePackages().loaded) {
        if (op == p->op) named.push_back(p);
    }
    for (const fs::path& library : libraries) {
        for (const Package* p : named) {
            if (IsOf(p, library)) return p;
        }
    }
    return named.empty() ? nullptr : named.front();
}

std::string RegisteredOperators() {
    std::lock_guard lock(ThePackages().mutex);
    std::set<std::string> names;
    for (const Package* p : ThePackages().loaded) names.insert(p->op);
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace sfumato::aclnn
