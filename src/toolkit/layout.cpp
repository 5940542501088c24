// SPDX-License-Identifier: Apache-2.0
// The names of an installed toolkit, as links on the toolkit folder. A wheel holds no links, so they are made at run
// time, and once for each user: the operator packages among them are the user's own.
#include "toolkit/layout.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "jit/compiler.h"
#include "sfumato/report.h"
#include "sfumato/toolkit.h"
#include "soc/chip.h"

namespace sfumato::toolkit {
namespace fs = std::filesystem;
namespace {

using Targets = std::map<std::string, std::string>;

// A name, and where it leads: to another one, with @ to what the toolkit folder has under it. Words in braces stand for
// each of them, <1> for that of the first braces.
struct Alias {
    const char *name, *target;
};
// Both below ascend-toolkit/latest.
constexpr Alias kInside[] = {
    {"{x86_64-linux,aarch64-linux,arm64-linux}/{ascendc,ascendc_devkit,asc,bin,ccec_compiler,compiler,devlib}", "<2>"},
    {"{x86_64-linux,aarch64-linux,arm64-linux}/{include,lib64,pkg_inc,python,simulator,tikcpp,tools}", "<2>"},
    {"{x86_64-linux,aarch64-linux,acllib,atc,compiler,fwkacllib,runtime,toolkit}/version.info", "version.info"},
    {"share/info/{asc-devkit,asc-tools,bisheng-compiler,ge-compiler,ge-executor}/version.info", "version.info"},
    {"share/info/{hcomm,metadef,opbase,runtime}/version.info", "version.info"},
    {"{x86_64-linux,aarch64-linux}/ascend_toolkit_install.info", "ascend_toolkit_install.info"},
    {"{acllib,atc,compiler,fwkacllib,hccl,runtime,toolkit}/{bin,include,lib64}", "<2>"},
    {"{acllib,atc,compiler,fwkacllib,toolkit}/python", "python"},
    {"{.,runtime}/devlib", "lib64"},
    {"lib64/{stub,x86_64,aarch64,linux/x86_64,linux/aarch64}", "@lib64"},
    {"{ccec_compiler,compiler/ccec_compiler,tools/ccec_compiler}/bin", "bin"},
    {"tikcpp", "compiler/tikcpp"},
    {"{compiler,tools}/tikcpp/{include,tikcfw}", "include"},
    {"{asc,ascendc,pkg_inc,tools/tikicpulib/lib}/include", "include"},
    {"asc/impl", "include"},
    {"lib/cmake/tikicpulib", "tools/tikicpulib/lib/cmake"},
    {"lib64/cmake", "lib/cmake"},
    {"toolkit/tools", "tools"},
    {"tools/{ascendc_tools,profiler/bin,msopt/bin}", "bin"},
    {"tools/simulator", "simulator"},
};
constexpr const char* kOfProducts[] = {"simulator/{}/lib", "tools/tikicpulib/lib/{}"};  // to lib64

// Of the folder to a name below ascend-toolkit/latest.
constexpr Alias kOutside[] = {
    {"{latest,cann,nnae/latest}", "."},
    {"ascend-toolkit/{7.0.0,7.0.RC1,8.0.0,8.0.RC1,8.0.RC2,8.0.RC3,8.1.RC1,8.2.RC1,8.3.RC1}", "."},
    {"cann-{8.5.0,8.5.1,9.0.0}", "."},
    {"{.,ascend-toolkit,nnae}/set_env.sh", "set_env.sh"},
    {"{acllib,atc,compiler,fwkacllib,opp,runtime,toolkit,tools}", "<1>"},
    {"driver/{include,version.info}", "<1>"},
    {"driver/lib64/{common,driver,stub}", "lib64"},
};

std::vector<std::string> Split(std::string_view list) {
    std::vector<std::string> words(1);
    for (const char c : list) {
        if (c == ',')
            words.emplace_back();
        else
            words.back() += c;
    }
    return words;
}

void Expand(const std::string& name, const std::string& target, Targets* all, int group = 1) {
    const size_t open = name.find('{');
    if (open == name.npos) {
        all->emplace(fs::path(name).lexically_normal().string(), target);
        return;
    }
    const size_t close = name.find('}', open);
    for (const std::string& word : Split(std::string_view(name).substr(open + 1, close - open - 1))) {
        const std::string mark = fmt::format("<{}>", group);
        std::string to = target;
        if (const size_t at = to.find(mark); at != to.npos) to.replace(at, mark.size(), word);
        Expand(name.substr(0, open) + word + name.substr(close + 1), to, all, group + 1);
    }
}

Targets Inside() {
    Targets all;
    for (const Alias& alias : kInside) Expand(alias.name, alias.target, &all);
    for (const soc::Chip& chip : soc::Families()) {
        for (const soc::Product& product : chip.products) {
            for (const char* name : kOfProducts)
                if (chip.ascendc) all.emplace(fmt::format(fmt::runtime(name), product.name), "lib64");
        }
    }
    return all;
}

bool IsAbove(const std::string& folder, const std::string& path) {
    return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

// What stands in the toolkit folder, as a whole where no alias stands below it.
void AddOwn(const fs::path& toolkit, const std::string& below, const Targets& inside, Targets* links) {
    std::error_code error;
    for (fs::directory_iterator it(toolkit / below, error), end; !error && it != end; it.increment(error)) {
        const std::string name = (fs::path(below) / it->path().filename()).string();
        const bool divided =
            it->is_directory() && std::ranges::any_of(inside, [&](const auto& a) { return IsAbove(name, a.first); });
        if (divided)
            AddOwn(toolkit, name, inside, links);
        else
            links->emplace(fmt::format("{}/{}", kLatest, name), it->path().string());
    }
}

[[noreturn]] void Failed(const fs::path& path, const std::string& why) {
    throw Error(fmt::format("cannot make {}: {}", path.string(), why));
}

// In one step, for others that do the same now. False: something else is there.
bool MakeLink(const fs::path& path, const std::string& target) {
    std::error_code error;
    const bool link = fs::is_symlink(path, error);
    if (link && fs::read_symlink(path, error) == target) return true;
    if (!link && fs::exists(path, error)) return false;
    const fs::path fresh = fmt::format("{}.{}", path.string(), getpid());
    fs::create_symlink(target, fresh, error);
    if (!error) fs::rename(fresh, path, error);
    if (error) Failed(path, error.message());
    return true;
}

// Those that the folder's list has.
Targets Listed(const fs::path& root) {
    Targets links;
    std::ifstream lines(root / kLinkList);
    for (std::string line; std::getline(lines, line);) {
        if (const size_t arrow = line.find(" -> "); arrow != line.npos)
            links.emplace(line.substr(0, arrow), line.substr(arrow + 4));
    }
    return links;
}

void WriteList(const fs::path& root, const Targets& links) {
    const fs::path file = root / kLinkList, fresh = fmt::format("{}.{}", file.string(), getpid());
    std::ofstream out(fresh);
    for (const auto& [name, target] : links) out << name << " -> " << target << '\n';
    if (!(out << std::flush)) Failed(fresh, "it cannot be written");
    std::error_code error;
    fs::rename(fresh, file, error);
    if (error) Failed(file, error.message());
}

// Those links of ours that are as they were made, and the folders that are empty without them.
size_t Remove(const fs::path& root, const Targets& links) {
    std::error_code error;
    size_t removed = 0;
    for (const auto& [name, target] : links) {
        fs::path path = root / name;
        if (!fs::is_symlink(path, error) || fs::read_symlink(path, error) != target) continue;
        removed += fs::remove(path, error);
        if (error) throw Error(fmt::format("cannot remove {}: {}", path.string(), error.message()));
        while ((path = path.parent_path()) != root && fs::is_empty(path, error) && !error) fs::remove(path, error);
    }
    return removed;
}

// Below the folder, by a link that leads out of it.
bool IsElsewhere(const fs::path& root, fs::path path) {
    std::error_code error;
    for (; path != root; path = path.parent_path()) {
        if (fs::is_symlink(path, error)) return true;
    }
    return false;
}

// Build files read latest/compiler as a link, and take the folder above what it leads to for the toolkit of a version:
// that folder has the compiler, and the rest by links to latest.
void MoveCompiler(Targets* links) {
    const std::string latest = fmt::format("{}/", kLatest), version = "ascend-toolkit/8.5.0/";
    Targets moved;
    for (const auto& [name, target] : *links) {
        if (!name.starts_with(latest)) continue;
        const std::string below = name.substr(latest.size()), top = below.substr(0, below.find('/'));
        if (top == "compiler")
            moved.emplace(version + below, target);
        else
            moved.emplace(version + top, "../latest/" + top);
    }
    std::erase_if(*links, [&](const auto& link) { return IsAbove(latest + "compiler", link.first); });
    moved.emplace(latest + "compiler", "../8.5.0/compiler");
    links->merge(moved);
}

}  // namespace

Targets Links(const std::string& toolkit, const std::string& opp) {
    const Targets inside = Inside();
    Targets links;
    AddOwn(toolkit, "", inside, &links);
    const fs::path latest = kLatest;
    const auto add = [&](const fs::path& name, const std::string& target) {
        links.emplace(name, (latest / target).lexically_normal().lexically_relative(name.parent_path()));
    };
    for (const auto& [name, target] : inside) {
        if (target.starts_with('@'))
            links.emplace(latest / name, fs::path(toolkit) / target.substr(1));
        else
            add(latest / name, target);
    }
    // A loader that comes to our libraries by a link looks for what they need beside it.
    const fs::path library = jit::LocateLibrary().path;
    // Their name for it is that of its first number; a library of a wheel has none.
    const std::string file = library.filename();
    const size_t number = file.find(".so.");
    links.emplace(latest / "lib64" / file.substr(0, number == file.npos ? number : file.find('.', number + 4)),
                  library);
    links[latest / "opp"] = opp;
    Targets outside;
    for (const Alias& alias : kOutside) Expand(alias.name, alias.target, &outside);
    for (const auto& [name, target] : outside) add(name, target);
    MoveCompiler(&links);
    return links;
}

std::vector<std::string> MakeLinks(const std::string& root, Targets links) {
    const Targets had = Listed(root);
    Targets old = had;
    for (const auto& [name, target] : links) old.erase(name);
    Remove(root, old);  // of another version of the toolkit
    std::vector<std::string> left;
    for (const auto& [name, target] : links) {
        const fs::path path = fs::path(root) / name;
        std::error_code error;
        if (IsElsewhere(root, path.parent_path()) || (fs::is_symlink(path, error) && !had.contains(name))) {
            if (!fs::is_symlink(path, error) || fs::read_symlink(path, error) != target) left.push_back(name);
            continue;
        }
        fs::create_directories(path.parent_path(), error);
        if (error) Failed(path.parent_path(), error.message());
        if (!MakeLink(path, target)) left.push_back(name);
    }
    for (const std::string& name : left) links.erase(name);
    if (links != had) WriteList(root, links);
    return left;
}

Linked Link(const std::string& folder) {
    const fs::path root = folder, toolkit = root / "ascend-toolkit";
    std::error_code error;
    if (Listed(root).empty() && fs::exists(fs::symlink_status(toolkit, error))) {
        throw Error(
            fmt::format("{} is there and not ours, so it is left alone: move it away, or name another folder with "
                        "`sfumato toolkit link FOLDER`",
                        toolkit.string()));
    }
    MakeOpp(OppFolder());
    const Targets links = Links(Folder(), OppFolder());
    Linked linked;
    for (const std::string& name : MakeLinks(folder, links)) linked.left.push_back((root / name).string());
    linked.count = links.size() - linked.left.size();
    return linked;
}

size_t Unlink(const std::string& folder) {
    const Targets links = Listed(folder);
    if (links.empty()) return 0;
    const size_t removed = Remove(folder, links);
    std::error_code error;
    fs::remove(fs::path(folder) / kLinkList, error);
    if (error) throw Error(fmt::format("cannot remove {}/{}: {}", folder, kLinkList, error.message()));
    if (fs::is_empty(folder, error)) fs::remove(folder, error);
    return removed;
}

}  // namespace sfumato::toolkit
