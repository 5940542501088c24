// SPDX-License-Identifier: Apache-2.0
// A prefix is a header, what the compiler made of it, and a manifest: the hash of that, and the files it rests on. A
// process in the background leaves a list of those files in place of a manifest, which the next who looks makes of it;
// an empty list says that the compiler failed. Every file appears by rename.
#include "jit/prefix_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>

#include "jit/dependencies.h"
#include "jit/process.h"
#include "jit/source_file.h"

namespace sfumato::jit {
namespace fs = std::filesystem;
namespace {

constexpr uint64_t kMegabyte = 1 << 20;
constexpr uint64_t kDefaultMegabytes = 256;
constexpr uint64_t kRoomFor = 100 * kMegabyte;  // one, with debug information of everything
constexpr uint64_t kFree = 512 * kMegabyte;     // of the disk, that the background leaves alone
constexpr time_t kDay = 24 * 60 * 60;

struct Paths {
    std::string header, compiled, manifest, list;
    Paths(const std::string& folder, const std::string& key)
        : header(fmt::format("{}/{}{}.h", folder, kPrefixName, key)),
          compiled(header + ".gch"),
          manifest(fmt::format("{}/{}{}.deps", folder, kPrefixName, key)),
          list(fmt::format("{}/{}{}.d", folder, kPrefixName, key)) {}
    std::array<const std::string*, 4> All() const { return {&header, &compiled, &manifest, &list}; }
};

// As #include writes the name of a file: behind a folder of Sfumato's, and else its last word or last two.
std::vector<std::string> IncludedAs(const fs::path& file, const std::vector<std::string>& own) {
    for (const std::string& dir : own) {
        if (file.string().starts_with(dir + "/")) return {file.string().substr(dir.size() + 1)};
    }
    return {file.filename().string(), (file.parent_path().filename() / file.filename()).string()};
}

// Whether a header of the prefix is found first in one of the folders.
bool IsHidden(const std::vector<std::string>& files, const std::vector<std::string>& nearer) {
    if (nearer.empty()) return false;
    const std::vector<std::string> own = LocateIncludeDirs();
    std::error_code ignored;
    for (const std::string& file : files) {
        for (const std::string& name : IncludedAs(file, own)) {
            for (const std::string& dir : nearer) {
                const fs::path found = fs::path(dir) / name;
                if (fs::exists(found, ignored) && !fs::equivalent(found, file, ignored)) return true;
            }
        }
    }
    return false;
}

std::optional<FoundPrefix> FindIn(const std::string& folder, const PrefixFor& made, const std::string& key) {
    const Paths paths(folder, key);
    std::ifstream manifest(paths.manifest);
    std::string hash, name;
    if (!(manifest >> hash >> name)) return std::nullopt;
    const std::optional<Dependencies> files = Dependencies::Read(manifest);
    if (!files || files->Name(key) != name || IsHidden(files->Files(), made.nearer)) return std::nullopt;
    // One that was cut or changed could make any code: 15 ms for its 60 MB.
    if (HashFile(paths.compiled) != hash || !ReadText(paths.header)) return std::nullopt;
    // The time of use. Not the header's: clang wants that as it was.
    for (const std::string* path : {&paths.compiled, &paths.manifest}) utimensat(AT_FDCWD, path->c_str(), nullptr, 0);
    return FoundPrefix{paths.header, files->Files()};
}

// Whatever is nearer to who asks.
bool IsMade(const PrefixFor& made, const std::string& folder, const std::string& key) {
    return FindIn(folder, {made.compiler, made.flags, {}, made.is_shared}, key).has_value();
}

// Writes the manifest of what the compiler made when it was started then, ns since the epoch.
bool Accept(const Cache& cache, const Paths& paths, const std::string& key, const std::string& list, int64_t started) {
    std::vector<std::string> files = ParseDependencies(list);
    std::erase(files, paths.header);
    const std::optional<Dependencies> dependencies = Dependencies::Of(files, started);
    const std::optional<std::string> hash = HashFile(paths.compiled);
    return dependencies && hash &&
           cache.WriteAtomically(paths.manifest,
                                 fmt::format("{}\n{}\n{}", *hash, dependencies->Name(key), dependencies->Lines()));
}

void Remove(const Paths& paths) {
    std::error_code ignored;
    for (const std::string* path : paths.All()) fs::remove(*path, ignored);
}

// The least recently used go.
void Bound(const std::string& folder) {
    const auto counts = [](const fs::path& file) {
        return file.extension() == ".gch" && file.filename().string().starts_with(kPrefixName);
    };
    for (const fs::path& compiled : LeastUsedBeyond(folder, PrefixLimit(), counts)) {
        const std::string name = compiled.filename().string();
        const std::string key = name.substr(std::string_view(kPrefixName).size());
        Remove(Paths(folder, key.substr(0, key.find('.'))));
    }
}

// What a process in the background has left becomes a prefix, or nothing.
void TakeIn(const Cache& cache, const std::string& key) {
    const Paths paths(cache.dir(), key);
    struct stat header {};
    const std::optional<std::string> list = ReadText(paths.list);
    if (!list || list->empty() || stat(paths.header.c_str(), &header) != 0) return;
    const int64_t started = int64_t{header.st_mtim.tv_sec} * 1'000'000'000 + header.st_mtim.tv_nsec;
    std::error_code ignored;
    if (!Accept(cache, paths, key, *list, started)) fs::remove(paths.compiled, ignored);
    fs::remove(paths.list, ignored);
    Bound(cache.dir());
}

bool HasRoom(const std::string& folder) {
    struct statvfs s {};
    return PrefixLimit() >= kRoomFor && statvfs(folder.c_str(), &s) == 0 && uint64_t{s.f_bavail} * s.f_frsize >= kFree;
}

bool FailedToday(const Paths& paths) {
    struct stat list {};
    return stat(paths.list.c_str(), &list) == 0 && list.st_size == 0 && std::time(nullptr) - list.st_mtime < kDay;
}

std::string Script(const std::vector<std::string>& command, const std::string& compiled, const std::string& list,
                   const Paths& paths) {
    std::string words = "nice -n 19";
    for (const std::string& word : command) words += " " + ShellWord(word);
    // The list comes last: with it the prefix is whole.
    return fmt::format("if {0}; then mv -f {1} {2} && mv -f {3} {4}; else rm -f {1} {3}; : >{4}; fi\n", words,
                       ShellWord(compiled), ShellWord(paths.compiled), ShellWord(list), ShellWord(paths.list));
}

}  // namespace

Precompiling PrecompilingAsked() {
    const std::string asked = Environment("SFUMATO_PRECOMPILE");
    return asked == "0" ? Precompiling::kNever : asked == "1" ? Precompiling::kNow : Precompiling::kLater;
}

uint64_t PrefixLimit() {
    const std::string text = Environment("SFUMATO_PRECOMPILE_MB");
    uint64_t megabytes = kDefaultMegabytes;
    std::from_chars(text.data(), text.data() + text.size(), megabytes);
    return std::min(megabytes, ~uint64_t{0} / kMegabyte) * kMegabyte;
}

std::optional<FoundPrefix> FindPrefix(const PrefixFor& made, const std::string& cache) {
    const std::string key = made.Key(), given = Environment("SFUMATO_PREFIX");
    if (!given.empty()) {
        if (auto found = FindIn(given, made, key)) return found;
    }
    if (PrecompilingAsked() == Precompiling::kNever) return std::nullopt;
    std::error_code ignored;
    if (fs::exists(Paths(cache, key).list, ignored)) TakeIn(Cache(cache), key);
    return FindIn(cache, made, key);
}

bool MakePrefix(const PrefixFor& made, const std::string& folder) {
    const std::string key = made.Key();
    if (IsMade(made, folder, key)) return true;
    const Cache cache(folder);
    if (cache.is_temporary()) return false;
    const Paths paths(cache.dir(), key);
    if (!cache.WriteAtomically(paths.header, made.HeaderText())) return false;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const int64_t started = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    const std::string list = cache.NewPath(".d"), compiled = cache.NewPath(".gch");
    const ProcessResult result = RunProcess(made.Command(paths.header, list, compiled), "");
    std::error_code error;
    if (result.exit_code == 0) fs::rename(compiled, paths.compiled, error);
    const bool is_made =
        result.exit_code == 0 && !error && Accept(cache, paths, key, ReadText(list).value_or(""), started);
    fs::remove(list, error);
    fs::remove(compiled, error);
    if (is_made) Bound(cache.dir());
    return is_made;
}

void MakePrefixesLater(const std::vector<PrefixFor>& wanted, const Cache& cache) {
    if (wanted.empty() || cache.is_temporary() || PrecompilingAsked() != Precompiling::kLater) return;
    if (!HasRoom(cache.dir())) return;
    const std::string lock = fmt::format("{}/{}lock", cache.dir(), kPrefixName);
    const int held = open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (held < 0) return;
    if (flock(held, LOCK_EX | LOCK_NB) == 0) {
        std::string script;
        std::set<std::string> keys;
        for (const PrefixFor& made : wanted) {
            const std::string key = made.Key();
            const Paths paths(cache.dir(), key);
            if (!made.is_shared || !keys.insert(key).second || FailedToday(paths)) continue;
            // Another process may have made it since this one looked.
            TakeIn(cache, key);
            if (IsMade(made, cache.dir(), key)) continue;
            const std::string list = cache.NewPath(".d"), compiled = cache.NewPath(".gch");
            if (!cache.WriteAtomically(paths.header, made.HeaderText())) continue;
            script += Script(made.Command(paths.header, list, compiled), compiled, list, paths);
        }
        if (!script.empty()) RunDetached(script, held);
    }
    close(held);  // the script has its own
}

Prefixes PrefixesIn(const std::string& folder) {
    Prefixes found;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        if (!name.starts_with(kPrefixName)) continue;
        std::error_code gone;
        const uint64_t bytes = it->file_size(gone);
        if (gone) continue;
        found.bytes += bytes;
        found.count += name.ends_with(".gch");
    }
    return found;
}

}  // namespace sfumato::jit
