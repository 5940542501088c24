// SPDX-License-Identifier: Apache-2.0
// Compiled objects, found again by the content of everything they include.
//
// A manifest (one per source path, command line, compiler and library) lists the files the last compile read; the
// object's name is a hash of the manifest's key and of every file's content; a source compiled once for each kind of
// core has two objects. A hit re-hashes the files, but for those
// whose size, times and inode are as they were (times of change cannot be set back, and files younger than two seconds
// are always hashed). Like other direct-mode compiler caches it does not see a new header that would now be found
// earlier on the include path.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato::jit {

// 128 bits as 32 hexadecimal digits.
std::string HashBytes(std::string_view bytes);
// Hash of a file's content; nothing when it cannot be read.
std::optional<std::string> HashFile(const std::string& path);

// Of the files of a folder that count, those beyond so many bytes, the least recently used first.
std::vector<std::filesystem::path> LeastUsedBeyond(const std::string& folder, uint64_t limit,
                                                   bool (*counts)(const std::filesystem::path& file));

class Cache {
public:
    static constexpr uint64_t kDefaultLimit = uint64_t{512} << 20;

    // dir: empty chooses $SFUMATO_CACHE, $XDG_CACHE_HOME/sfumato, ~/.cache/sfumato. A directory that cannot be written
    // is replaced by a temporary one, removed with this object; warning() says so. kNoCache is a temporary one.
    explicit Cache(const std::string& dir, uint64_t limit = kDefaultLimit);
    ~Cache();
    Cache& operator=(Cache&&) = delete;

    static std::string DefaultDir();
    static bool IsWritable(const std::string& dir);  // creates it when it can
    static uint64_t SizeOf(const std::string& dir);

    const std::string& warning() const { return warning_; }
    bool is_temporary() const { return temporary_; }

    // The objects for a manifest key whose files all have the content they had, or nothing. A damaged object is none:
    // each ends with a checksum of its bytes.
    std::vector<std::string> Lookup(const std::string& key) const;

    // A name in the cache no other process uses, for the compiler's output.
    std::string NewPath(std::string_view suffix) const;

    // Moves the compiled objects of one source in and writes their manifest; returns their paths, which are those given
    // where nothing was stored. `started` is when the compiler was started (ns since the epoch): when a file changed
    // since, the objects belong to unknown content and get no manifest.
    std::vector<std::string> Store(const std::string& key, const std::vector<std::string>& objects,
                                   const std::vector<std::string>& files, int64_t started) const;

    // The file appears whole or not at all; false where it cannot be written, on a full disk say.
    bool WriteAtomically(const std::string& path, const std::string& text) const;

    const std::string& dir() const { return dir_; }

    // Removes the least recently used objects beyond the limit.
    void Evict() const;

private:
    std::vector<std::string> ObjectPaths(const std::string& name, size_t count) const;
    std::string ManifestPath(const std::string& key) const;

    std::string dir_;
    uint64_t limit_;
    bool temporary_ = false;
    std::string warning_;
};

}  // namespace sfumato::jit
