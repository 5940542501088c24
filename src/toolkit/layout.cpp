// SPDX-License-Identifier: Apache-2.0
// The names of an installed toolkit, as links on the toolkit folder. A wheel holds no links, so they are made at run
// time, and once for each user: the operator packages among them are the user's own.
#include "toolkit/layout.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "sfumato/report.h"
#include "soc/chip.h"

namespace sfumato::toolkit {
namespace fs = std::filesystem;
namespace {

// A name below ascend-toolkit/latest, and what of the toolkit folder it is. Words in braces stand for each of them.
struct Alias {
    const char *name, *target;
};
constexpr Alias kAliases[] = {
    {"{x86_64-linux,aarch64-linux,acllib,runtime,compiler,fwkacllib,atc,toolkit,hccl}/{include,lib64,bin}", "<2>"},
    {"{x86_64-linux,aarch64-linux,runtime,.}/devlib", "lib64"},
    {"{x86_64-linux,aarch64-linux}/{python,tools,compiler,ascendc_devkit}", "<2>"},
    {"{x86_64-linux,aarch64-linux,.}/tikcpp", "compiler/tikcpp"},
};

std::vector<std::string> Words(std::string_view list) {
    std::vector<std::string> words(1);
    for (const char c : list) {
        if (c == ',')
            words.emplace_back();
        else
            words.back() += c;
    }
    return words;
}

void Expand(std::string name, std::string target, std::map<std::string, std::string>* all, int group = 1) {
    const size_t open = name.find('{');
    if (open == name.npos) {
        all->emplace(fs::path(name).lexically_normal().string(), target);
        return;
    }
    const size_t close = name.find('}', open);
    for (const std::string& word : Words(std::string_view(name).substr(open + 1, close - open - 1))) {
        const std::string mark = fmt::format("<{}>", group);
        std::string to = target;
        if (const size_t at = to.find(mark); at != to.npos) to.replace(at, mark.size(), word);
        Expand(name.substr(0, open) + word + name.substr(close + 1), to, all, group + 1);
    }
}

std::map<std::string, std::string> Aliases() {
    std::map<std::string, std::string> all;
    for (const Alias& alias : kAliases) Expand(alias.name, alias.target, &all);
    for (const soc::Chip& chip : soc::Families()) {
        for (const soc::Product& product : chip.products) {
            if (chip.ascendc) Expand("{.,tools}/simulator/" + product.name + "/lib", "lib64", &all);
        }
    }
    return all;
}

bool IsAbove(const std::string& folder, const std::string& path) {
    return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

// What stands in the toolkit folder, as a whole where no alias stands below it.
void AddOwn(const fs::path& toolkit, const std::string& below, const std::map<std::string, std::string>& aliases,
            std::map<std::string, std::string>* links) {
    std::error_code error;
    for (fs::directory_iterator it(toolkit / below, error), end; !error && it != end; it.increment(error)) {
        const std::string name = (fs::path(below) / it->path().filename()).string();
        const bool divided =
            it->is_directory() && std::ranges::any_of(aliases, [&](const auto& a) { return IsAbove(name, a.first); });
        if (divided)
            AddOwn(toolkit, name, aliases, links);
        else
            links->emplace(fmt::format("{}/{}", kLatest, name), it->path().string());
    }
}

[[noreturn]] void Failed(const fs::path& path, const std::string& why) {
    throw Error(fmt::format("cannot make {}: {}", path.string(), why));
}

// In one step, for others that do the same now.
void MakeLink(const fs::path& path, const std::string& target) {
    std::error_code error;
    if (fs::is_symlink(path, error) ? fs::read_symlink(path, error) == target : fs::exists(path, error)) return;
    const fs::path fresh = fmt::format("{}.{}", path.string(), getpid());
    fs::create_symlink(target, fresh, error);
    if (!error) fs::rename(fresh, path, error);
    if (error) Failed(path, error.message());
}

}  // namespace

std::map<std::string, std::string> Links(const std::string& toolkit, const std::string& opp) {
    const std::map<std::string, std::string> aliases = Aliases();
    std::map<std::string, std::string> links;
    AddOwn(toolkit, "", aliases, &links);
    for (const auto& [name, target] : aliases)
        links.emplace(fmt::format("{}/{}", kLatest, name), (fs::path(toolkit) / target).string());
    links[fmt::format("{}/opp", kLatest)] = opp;
    const std::string version = SFUMATO_TOOLKIT_VERSION;
    links["ascend-toolkit/set_env.sh"] = "latest/set_env.sh";
    links["ascend-toolkit/" + version] = "latest";
    for (const std::string name : {"latest", "cann", "set_env.sh"})
        links[name] = name == "set_env.sh" ? "ascend-toolkit/set_env.sh" : kLatest;
    links["cann-" + version] = kLatest;
    for (const std::string name : {"latest", "set_env.sh"}) links["nnae/" + name] = "../ascend-toolkit/" + name;
    for (const std::string name : {"opp", "acllib", "fwkacllib", "atc", "runtime", "toolkit"})
        links[name] = fmt::format("{}/{}", kLatest, name);
    return links;
}

void MakeLinks(const std::string& root, const std::map<std::string, std::string>& links) {
    std::error_code error;
    std::string list;
    for (const auto& [name, target] : links) {
        const fs::path path = fs::path(root) / name;
        fs::create_directories(path.parent_path(), error);
        if (error) Failed(path.parent_path(), error.message());
        MakeLink(path, target);
        list += fmt::format("{} -> {}\n", name, target);
    }
    const fs::path file = fs::path(root) / kLinkList;
    std::ostringstream had;
    had << std::ifstream(file).rdbuf();
    if (had.str() == list) return;
    // Of another version of the toolkit.
    for (std::istringstream lines(had.str()); std::getline(lines, list);) {
        const std::string name = list.substr(0, list.find(" -> "));
        if (!links.contains(name) && fs::is_symlink(fs::path(root) / name, error))
            fs::remove(fs::path(root) / name, error);
    }
    list.clear();
    for (const auto& [name, target] : links) list += fmt::format("{} -> {}\n", name, target);
    const fs::path fresh = fmt::format("{}.{}", file.string(), getpid());
    if (!(std::ofstream(fresh) << list << std::flush)) Failed(fresh, "it cannot be written");
    fs::rename(fresh, file, error);
    if (error) Failed(file, error.message());
}

}  // namespace sfumato::toolkit
