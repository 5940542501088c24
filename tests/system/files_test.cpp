// SPDX-License-Identifier: Apache-2.0
// Ends that nobody inherits, and names that nothing loses.
#include "system/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <string>

namespace sfumato::system {
namespace {

namespace fs = std::filesystem;

TEST(Files, BothEndsCloseWhenAnotherProgramBegins) {
    for (const auto make : {Pipe, SocketPair}) {
        int ends[2];
        ASSERT_TRUE(make(ends));
        char byte = 'a';
        ASSERT_EQ(write(ends[1], &byte, 1), 1);
        byte = 0;
        EXPECT_EQ(read(ends[0], &byte, 1), 1);
        EXPECT_EQ(byte, 'a');
        for (const int end : ends) {
            EXPECT_NE(fcntl(end, F_GETFD) & FD_CLOEXEC, 0);
            close(end);
        }
    }
}

TEST(Files, ANewNameReplacesNothing) {
    std::string pattern = (fs::temp_directory_path() / "sfumato-files-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    const fs::path folder = pattern, from = folder / "from", to = folder / "to", empty = folder / "empty";
    fs::create_directories(from);
    fs::create_directories(empty);
    std::ofstream(from / "file") << "text";
    EXPECT_FALSE(RenameToNew(from, empty));
    EXPECT_EQ(errno, EEXIST);
    EXPECT_TRUE(fs::exists(from / "file"));
    EXPECT_TRUE(RenameToNew(from, to));
    EXPECT_TRUE(fs::exists(to / "file") && !fs::exists(from));
    fs::remove_all(folder);
}

TEST(Files, DescriptorsHaveNamesOfTheirOwn) {
    EXPECT_TRUE(HoldsDescriptors(fs::canonical("/proc/self") / "fd"));
    EXPECT_FALSE(HoldsDescriptors("/tmp"));
    EXPECT_FALSE(HoldsDescriptors("/process"));
}

}  // namespace
}  // namespace sfumato::system
