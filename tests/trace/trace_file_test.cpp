// SPDX-License-Identifier: Apache-2.0
// Files of traces: plain, compressed, and plain ones that grow too large.
#include "trace/trace_file.h"

#include <gtest/gtest.h>

#include "sfumato/report.h"
#include "trace/kernels.h"

namespace sfumato {
namespace {

std::string Unpacked(const std::string& path) {
    std::string text(1 << 20, '\0');
    const gzFile file = gzopen(path.c_str(), "rb");
    EXPECT_NE(file, nullptr);
    const int bytes = gzread(file, text.data(), static_cast<unsigned>(text.size()));
    const bool packed = gzdirect(file) == 0;
    gzclose(file);
    EXPECT_TRUE(packed) << path;
    text.resize(bytes < 0 ? 0 : static_cast<size_t>(bytes));
    return text;
}

TEST(TraceFile, CompressesByItsName) {
    const test::Folder folder;
    trace::TraceFile file(folder / "a.json.gz");
    file.Write("abc");
    file.Write("");
    file.Write("def");
    EXPECT_EQ(file.Close(), folder / "a.json.gz");
    EXPECT_EQ(Unpacked(folder / "a.json.gz"), "abcdef");
}

TEST(TraceFile, ALargePlainOneGoesOnCompressed) {
    const test::Folder folder;
    trace::TraceFile file(folder / "a.json", 10);
    std::string all;
    for (int i = 0; i < 50; ++i) {
        all += std::to_string(i) + "\n";
        file.Write(std::to_string(i) + "\n");
        EXPECT_EQ(std::filesystem::exists(folder / "a.json"), all.size() <= 10) << i;
    }
    EXPECT_EQ(file.Close(), folder / "a.json.gz");
    EXPECT_EQ(Unpacked(folder / "a.json.gz"), all);
}

TEST(TraceFile, SaysWhenNotAllIsWritten) {
    trace::TraceFile file("/dev/full");
    file.Write("abc");
    EXPECT_THROW(file.Close(), Error);
}

}  // namespace
}  // namespace sfumato
