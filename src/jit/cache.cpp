// SPDX-License-Identifier: Apache-2.0
// The object cache. Every file appears by rename, so concurrent processes see whole files or none.
#include "jit/cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "jit/compiler.h"
#include "jit/dependencies.h"
#include "jit/scratch_folder.h"
#include "jit/source_file.h"
#include "sfumato/jit.h"
#include "sfumato/report.h"

namespace sfumato::jit {
namespace fs = std::filesystem;
namespace {

std::string Hex(XXH128_hash_t h) { return fmt::format("{:016x}{:016x}", h.high64, h.low64); }

// What a stored object ends with, after the bytes the compiler wrote: the hash of these. Loaders ignore it.
constexpr size_t kChecksumSize = 32;
constexpr size_t kMaxObjects = 2;  // of one source

// False for an object that was cut, changed or never finished: loading it could run anything.
bool IsWhole(const std::string& path) {
    const std::string content = ReadText(path).value_or("");
    const std::string_view bytes = content;
    if (bytes.size() <= kChecksumSize) return false;
    const std::string_view object = bytes.substr(0, bytes.size() - kChecksumSize);
    return HashBytes(object) == bytes.substr(object.size());
}

bool AppendChecksum(const std::string& path) {
    const auto hash = HashFile(path);
    std::ofstream out(path, std::ios::binary | std::ios::app);
    return hash && out << *hash && out.flush();
}

}  // namespace

std::string HashBytes(std::string_view bytes) { return Hex(XXH3_128bits(bytes.data(), bytes.size())); }

std::optional<std::string> HashFile(const std::string& path) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return std::nullopt;
    XXH3_state_t* state = XXH3_createState();
    XXH3_128bits_reset(state);
    char buffer[65536];
    ssize_t n = 0;
    while ((n = read(fd, buffer, sizeof buffer)) > 0) XXH3_128bits_update(state, buffer, static_cast<size_t>(n));
    const XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    close(fd);
    if (n < 0) return std::nullopt;
    return Hex(hash);
}

std::string Cache::DefaultDir() {
    if (const std::string own = Environment("SFUMATO_CACHE"); !own.empty()) return own;
    if (const std::string xdg = Environment("XDG_CACHE_HOME"); xdg.starts_with("/")) return xdg + "/sfumato";
    const std::string home = Environment("HOME");
    return home.empty() ? std::string() : home + "/.cache/sfumato";
}

bool Cache::IsWritable(const std::string& dir) {
    if (dir.empty()) return false;
    std::error_code error;
    fs::create_directories(dir, error);
    struct stat s {};
    // Code is loaded from here: a directory of another user is not ours to trust.
    return stat(dir.c_str(), &s) == 0 && S_ISDIR(s.st_mode) && (s.st_uid == geteuid() || s.st_uid == 0) &&
           access(dir.c_str(), W_OK | X_OK) == 0;
}

uint64_t Cache::SizeOf(const std::string& dir) {
    uint64_t bytes = 0;
    std::error_code error;
    for (fs::directory_iterator it(dir, error), end; !error && it != end; it.increment(error)) {
        std::error_code ignored;
        const auto size = it->is_regular_file(ignored) ? it->file_size(ignored) : 0;
        if (!ignored) bytes += size;
    }
    return bytes;
}

Cache::Cache(const std::string& dir, uint64_t limit) : dir_(dir.empty() ? DefaultDir() : dir), limit_(limit) {
    const bool wanted = dir != kNoCache;
    if (wanted && IsWritable(dir_)) {
        dir_ = fs::absolute(dir_).string();
        return;
    }
    std::string fallback = fmt::format("{}/{}{}-XXXXXX", TemporaryFolder(), kCachePrefix, getpid());
    if (mkdtemp(fallback.data()) == nullptr) {
        throw Error(
            fmt::format("neither the cache '{}' nor {} can be written ({}): set SFUMATO_CACHE or TMPDIR to a "
                        "directory you may write",
                        dir_, fallback, std::strerror(errno)));
    }
    if (wanted)
        warning_ = fmt::format(
            "the cache '{}' cannot be written, so the kernel is compiled every time: set SFUMATO_CACHE to a "
            "directory you may write",
            dir_);
    dir_ = fallback;
    temporary_ = true;
}

Cache::~Cache() {
    std::error_code ignored;
    if (temporary_) fs::remove_all(dir_, ignored);
}

std::vector<std::string> Cache::ObjectPaths(const std::string& name, size_t count) const {
    std::vector<std::string> paths;
    for (size_t i = 0; i < count; ++i) paths.push_back(fmt::format("{}/{}{}.so", dir_, name, i ? "-vector" : ""));
    return paths;
}
std::string Cache::ManifestPath(const std::string& key) const { return fmt::format("{}/{}.deps", dir_, key); }

std::string Cache::NewPath(std::string_view suffix) const {
    static std::atomic<uint64_t> counter{0};
    return fmt::format("{}/{}{}-{}{}", dir_, kNewPrefix, getpid(), counter++, suffix);
}

std::vector<std::string> Cache::Lookup(const std::string& key) const {
    std::ifstream manifest(ManifestPath(key));
    size_t count = 0;
    manifest >> count;
    const std::optional<Dependencies> dependencies = Dependencies::Read(manifest);
    if (!dependencies || count > kMaxObjects) return {};
    const std::vector<std::string> paths = ObjectPaths(dependencies->Name(key), count);
    if (!std::ranges::all_of(paths, IsWhole)) return {};
    for (const std::string& p : paths) utimensat(AT_FDCWD, p.c_str(), nullptr, 0);  // the time of use, for Evict()
    return paths;
}

bool Cache::WriteAtomically(const std::string& path, const std::string& text) const {
    const std::string temporary = NewPath(".tmp");
    std::error_code error;
    {
        std::ofstream out(temporary, std::ios::binary);
        out << text;
        if (!out.flush()) {
            fs::remove(temporary, error);
            return false;
        }
    }
    fs::rename(temporary, path, error);
    return !error;
}

std::vector<std::string> Cache::Store(const std::string& key, const std::vector<std::string>& objects,
                                      const std::vector<std::string>& files, int64_t started) const {
    const std::optional<Dependencies> dependencies = Dependencies::Of(files, started);
    if (!dependencies || !std::ranges::all_of(objects, AppendChecksum)) return objects;
    std::vector<std::string> paths = ObjectPaths(dependencies->Name(key), objects.size());
    for (size_t i = 0; i < objects.size(); ++i) {
        std::error_code error;
        fs::rename(objects[i], paths[i], error);
        // Without a manifest nobody looks for them, and Evict() takes what was moved.
        if (error) {
            std::copy(objects.begin() + static_cast<std::ptrdiff_t>(i), objects.end(),
                      paths.begin() + static_cast<std::ptrdiff_t>(i));
            return paths;
        }
    }
    // Where it cannot be written, the next run compiles, nothing else.
    WriteAtomically(ManifestPath(key), fmt::format("{}\n{}", objects.size(), dependencies->Lines()));
    Evict();
    return paths;
}

std::vector<fs::path> LeastUsedBeyond(const std::string& folder, uint64_t limit, bool (*counts)(const fs::path& file)) {
    struct Entry {
        fs::path path;
        fs::file_time_type used;
        uint64_t bytes;
    };
    std::vector<Entry> entries;
    uint64_t total = 0;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        if (!counts(it->path())) continue;
        std::error_code gone;  // another process may remove it meanwhile
        const Entry e{it->path(), it->last_write_time(gone), it->file_size(gone)};
        if (gone) continue;
        total += e.bytes;
        entries.push_back(e);
    }
    std::ranges::sort(entries, [](const Entry& a, const Entry& b) { return a.used < b.used; });
    std::vector<fs::path> beyond;
    for (const Entry& e : entries) {
        if (total <= limit) break;
        beyond.push_back(e.path);
        total -= e.bytes;
    }
    return beyond;
}

void Cache::Evict() const {
    RemoveLeft(dir_, kNewPrefix);
    RemoveLeft(TemporaryFolder(), kScratchPrefix);
    const auto counts = [](const fs::path& file) {
        const fs::path extension = file.extension();
        return extension == ".so" || extension == ".deps" || extension == ".tmp" || extension == ".d" ||
               extension == ".gch";
    };
    for (const fs::path& file : LeastUsedBeyond(dir_, limit_, counts)) {
        std::error_code gone;
        fs::remove(file, gone);
    }
}

}  // namespace sfumato::jit

namespace sfumato {

std::string CacheDir() { return jit::Cache::DefaultDir(); }

}  // namespace sfumato
