// SPDX-License-Identifier: Apache-2.0
// Mounts, seen by nobody else. What a process becomes by exec keeps its namespaces, and without an owner's rights in
// them: a command has the rights it would have had.
#include "shown.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "system/mounts.h"

namespace sfumato::command {
namespace fs = std::filesystem;
namespace {

constexpr const char* kAbove = "/usr/local";
constexpr const char* kHomes = "/home";

// A folder in memory over another one, with all that is there and the places besides. It cannot be written to: what
// would be made beside the real entries would be lost. They themselves can.
void CoverAbove(const fs::path& above, const std::vector<fs::path>& places, const fs::path& folder) {
    const system::OpenedFolder real(above);
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(real.path())) entries.push_back(entry.path().filename());
    system::CoverByMemory(above);
    for (const fs::path& name : entries) {
        const fs::path from = real.path() / name, to = above / name;
        if (to == kPlace) continue;  // a link: a folder would have been covered itself
        if (fs::is_symlink(from)) {
            fs::copy_symlink(from, to);
            continue;
        }
        if (fs::is_directory(from))
            fs::create_directory(to);
        else
            system::Must(mknod(to.c_str(), S_IFREG | 0644, 0) == 0, to.string());
        system::ShowAt(from, to);
    }
    for (const fs::path& place : places) {
        fs::create_directories(place);
        system::ShowAt(folder, place);
    }
    system::MakeReadOnly(above);
}

// Users of the vendor's images, in whose homes presets look for a toolkit: those that this machine does not have. Where
// homes are mounted as they are asked for, or this user's is one of them, nothing is laid over them.
std::vector<fs::path> OthersHomes() {
    std::vector<fs::path> places;
    const char* home = std::getenv("HOME");
    if ((home && fs::path(home).lexically_normal().string().starts_with(kHomes)) || system::MountsWhenAsked(kHomes))
        return places;
    for (const char* user : {"HwHiAiUser", "ma-user"}) {
        const fs::path user_home = fs::path(kHomes) / user;
        if (fs::exists(fs::symlink_status(user_home))) continue;
        for (const char* folder : {"Ascend", "work/Ascend"}) places.push_back(user_home / folder);
    }
    return places;
}

void ShowHere(const std::string& folder) {
    char* cwd = getcwd(nullptr, 0);
    const std::string here = cwd ? cwd : "";
    std::free(cwd);
    system::SeparateMounts();
    const system::OpenedFolder shown(folder);  // as this process sees it
    if (fs::symlink_status(kPlace).type() == fs::file_type::directory)
        system::ShowAt(shown.path(), kPlace);
    else
        CoverAbove(kAbove, {kPlace}, shown.path());
    if (const auto homes = OthersHomes(); !homes.empty()) CoverAbove(kHomes, homes, shown.path());
    // The folder this process is in may have another over it now.
    if (!here.empty() && chdir(here.c_str()) != 0) system::Must(false, here);
}

}  // namespace

std::string Show(const std::string& folder) {
    const char* home = std::getenv("HOME");
    if (home && (home == std::string_view(kAbove) || std::string_view(home).starts_with(kPlace)))
        return fmt::format("HOME is {}", home);
    try {
        // Tried first by another: of namespaces that are half made there is no way back.
        system::RunInChild([&] { ShowHere(folder); });
        ShowHere(folder);
        return "";
    } catch (const std::exception& error) {
        const std::string setting = system::SettingAgainst();
        return setting.empty() ? error.what() : setting;
    }
}

}  // namespace sfumato::command
