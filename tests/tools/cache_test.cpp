// SPDX-License-Identifier: Apache-2.0
// Tests of the object cache without a compiler.
#include "jit/cache.h"
#include "jit/dependencies.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <climits>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sfumato/jit.h"

namespace sfumato::jit {
namespace {
namespace fs = std::filesystem;

class CacheTest : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "sfumato-cache-test-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        dir_ = name;
    }
    void TearDown() override { fs::remove_all(dir_); }

    std::string File(const std::string& name, const std::string& text) const {
        const std::string path = (dir_ / name).string();
        std::ofstream(path) << text;
        return path;
    }
    // Stores an "object" that depends on `files`.
    static std::string Put(const Cache& cache, const std::string& key, const std::vector<std::string>& files,
                           const std::string& object = "object") {
        const std::string path = cache.NewPath(".so");
        std::ofstream(path) << object;
        return cache.Store(key, {path}, files, INT64_MAX).at(0);
    }
    std::string CacheDir() const { return (dir_ / "cache").string(); }

    fs::path dir_;
};

using Paths = std::vector<std::string>;

TEST_F(CacheTest, HitNeedsTheSameContentOfEveryFile) {
    const Cache cache(CacheDir());
    const std::string source = File("a.cpp", "one"), header = File("b.h", "two");
    EXPECT_EQ(cache.Lookup("key"), Paths());
    const std::string object = Put(cache, "key", {source, header});
    EXPECT_EQ(cache.Lookup("key"), Paths{object});
    EXPECT_EQ(cache.Lookup("other"), Paths());
    File("b.h", "TWO");
    EXPECT_EQ(cache.Lookup("key"), Paths());
    File("b.h", "two");
    EXPECT_EQ(cache.Lookup("key"), Paths{object}) << "the content of before has its object still";
    fs::remove(header);
    EXPECT_EQ(cache.Lookup("key"), Paths());
}

TEST_F(CacheTest, OldFilesAreKnownByTheirStamp) {
    const Cache cache(CacheDir());
    const std::string old = fs::read_symlink("/proc/self/exe").string();
    const std::string object = Put(cache, "key", {old, File("a.cpp", "one")});
    EXPECT_EQ(cache.Lookup("key"), Paths{object});
    File("a.cpp", "two");
    EXPECT_EQ(cache.Lookup("key"), Paths());
}

TEST_F(CacheTest, TheObjectsOfASourceAreFoundTogether) {
    const Cache cache(CacheDir());
    const std::string source = File("a.cpp", "one");
    Paths objects;
    for (const char* content : {"cube", "vector"}) {
        objects.push_back(cache.NewPath(".so"));
        std::ofstream(objects.back()) << content;
    }
    const Paths stored = cache.Store("key", objects, {source}, INT64_MAX);
    ASSERT_EQ(stored.size(), 2u);
    EXPECT_NE(stored[0], stored[1]);
    EXPECT_EQ(cache.Lookup("key"), stored);
    std::string word(4, ' ');
    std::ifstream(stored[0]).read(word.data(), 4);
    EXPECT_EQ(word, "cube");
    std::ifstream(stored[1]).read(word.data(), 4);
    EXPECT_EQ(word, "vect");
    fs::remove(stored[1]);
    EXPECT_EQ(cache.Lookup("key"), Paths()) << "one alone is of no use";
}

TEST_F(CacheTest, MissingObjectIsAMiss) {
    const Cache cache(CacheDir());
    const std::string source = File("a.cpp", "one");
    fs::remove(Put(cache, "key", {source}));
    EXPECT_EQ(cache.Lookup("key"), Paths());
}

TEST_F(CacheTest, DamagedObjectIsAMiss) {
    const Cache cache(CacheDir());
    const std::string source = File("a.cpp", "one");
    const std::string object = Put(cache, "key", {source}, std::string(300, 'x'));
    std::stringstream read;
    read << std::ifstream(object, std::ios::binary).rdbuf();
    const std::string whole = read.str();
    const auto overwrite = [&](const std::string& bytes) { std::ofstream(object, std::ios::binary) << bytes; };
    for (const size_t at : {size_t{0}, size_t{299}, size_t{300}, whole.size() - 1}) {
        std::string flipped = whole;
        flipped[at] = static_cast<char>(flipped[at] ^ 1);
        overwrite(flipped);
        EXPECT_EQ(cache.Lookup("key"), Paths()) << "byte " << at;
    }
    for (const size_t size : {size_t{0}, size_t{32}, size_t{300}, whole.size() - 1}) {
        overwrite(whole.substr(0, size));
        EXPECT_EQ(cache.Lookup("key"), Paths()) << "cut to " << size;
    }
    overwrite(whole + "y");
    EXPECT_EQ(cache.Lookup("key"), Paths());
    overwrite(whole);
    EXPECT_EQ(cache.Lookup("key"), Paths{object});
    overwrite("");
    EXPECT_EQ(Put(cache, "key", {source}, std::string(300, 'x')), object) << "built again, it takes the place";
    EXPECT_EQ(cache.Lookup("key"), Paths{object});
}

TEST_F(CacheTest, DamagedManifestIsAMiss) {
    const Cache cache(CacheDir());
    Put(cache, "key", {File("a.cpp", "one")});
    for (const auto& e : fs::directory_iterator(CacheDir())) {
        if (e.path().extension() == ".deps") std::ofstream(e.path()) << std::string("\0\xFF garbage\n\n", 12);
    }
    EXPECT_EQ(cache.Lookup("key"), Paths());
}

TEST_F(CacheTest, FileChangedDuringTheCompileIsNotRemembered) {
    const Cache cache(CacheDir());
    const std::string source = File("a.cpp", "one");
    const std::string path = cache.NewPath(".so");
    std::ofstream(path) << "object";
    EXPECT_EQ(cache.Store("key", {path}, {source}, 0), Paths{path}) << "still usable by this process";
    EXPECT_EQ(cache.Lookup("key"), Paths());
}

TEST_F(CacheTest, EvictsTheLeastRecentlyUsed) {
    const Cache cache(CacheDir(), 4000);
    const std::string source = File("a.cpp", "one");
    const std::string first = Put(cache, "k1", {source}, std::string(1500, 'x'));
    const std::string second = Put(cache, "k2", {source}, std::string(1500, 'y'));
    const auto now = fs::file_time_type::clock::now();
    for (const auto& e : fs::directory_iterator(CacheDir())) fs::last_write_time(e.path(), now - std::chrono::hours(1));
    fs::last_write_time(first, now - std::chrono::hours(3));
    fs::last_write_time(second, now - std::chrono::hours(2));
    EXPECT_EQ(cache.Lookup("k1"), Paths{first});  // used now, so the second is the oldest
    Put(cache, "k3", {source}, std::string(1500, 'z'));
    EXPECT_TRUE(fs::exists(first));
    EXPECT_FALSE(fs::exists(second));
    EXPECT_LE(Cache::SizeOf(CacheDir()), 4000u);
}

TEST_F(CacheTest, UnusableDirectoryFallsBack) {
    const std::string not_a_dir = File("file", "");
    std::string object;
    {
        const Cache cache(not_a_dir);
        EXPECT_TRUE(cache.is_temporary());
        EXPECT_NE(cache.warning().find(not_a_dir), std::string::npos);
        object = Put(cache, "key", {File("a.cpp", "one")});
        EXPECT_TRUE(fs::exists(object));
    }
    EXPECT_FALSE(fs::exists(object)) << "a temporary cache goes with its object";
}

TEST_F(CacheTest, NoneIsATemporaryOneThatWarnsOfNothing) {
    const Cache first(kNoCache), second(kNoCache);
    EXPECT_TRUE(first.is_temporary());
    EXPECT_EQ(first.warning(), "");
    EXPECT_NE(first.dir(), second.dir());
    EXPECT_FALSE(fs::exists(kNoCache));
}

TEST_F(CacheTest, NoHalfWrittenFilesStay) {
    const Cache cache(CacheDir());
    Put(cache, "key", {File("a.cpp", "one")});
    for (const auto& e : fs::directory_iterator(CacheDir())) {
        const std::string extension = e.path().extension().string();
        EXPECT_TRUE(extension == ".so" || extension == ".deps") << e.path();
        EXPECT_NE(e.path().filename().string().substr(0, 4), "new-") << e.path();
    }
}

TEST(Dependencies, AsCompilersWriteThem) {
    EXPECT_EQ(ParseDependencies("object: a.cpp b.h \\\n  /usr/include/c.h\n"),
              (std::vector<std::string>{"a.cpp", "b.h", "/usr/include/c.h"}));
    EXPECT_EQ(ParseDependencies("object: with\\ space.h do$$llar.h ha\\#sh.h\nb.h:\n"),
              (std::vector<std::string>{"with space.h", "do$llar.h", "ha#sh.h"}));
    EXPECT_TRUE(ParseDependencies("").empty());
}

}  // namespace
}  // namespace sfumato::jit
