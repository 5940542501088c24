// SPDX-License-Identifier: Apache-2.0
// The page of a timeline: what its chunks hold, read by the layout its viewer reads; nothing from elsewhere.
#include "trace/html_timeline.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "trace/kernels.h"

namespace sfumato {
namespace {

std::string Page(void (*kernel)(float*), uint32_t blocks = 1) {
    const test::Folder folder;
    GlobalMemory memory;
    auto* gm = reinterpret_cast<float*>(memory.Allocate(4096, "gm"));
    LaunchOptions options = test::TraceOptions("</script>");
    options.trace = folder / "out.html";
    EXPECT_EQ(Launch(options, blocks, memory, [=] { kernel(gm); }).trace, options.trace);
    std::ostringstream text;
    text << std::ifstream(options.trace, std::ios::binary).rdbuf();
    return text.str();
}

// What stands between these, from `at` on; moves `at` behind it.
std::string Between(const std::string& page, const std::string& begin, const std::string& end, size_t& at) {
    const size_t from = page.find(begin, at);
    if (from == std::string::npos) return at = std::string::npos, "";
    const size_t to = page.find(end, from + begin.size());
    at = to;
    return page.substr(from + begin.size(), to - from - begin.size());
}

std::string Unpacked(const std::string& base64) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string packed, bytes(1 << 20, '\0');
    uint32_t bits = 0, have = 0;
    for (const char c : base64) {
        if (c == '=') break;
        bits = bits << 6 | static_cast<uint32_t>(digits.find(c));
        have += 6;
        if (have >= 8) packed += static_cast<char>(bits >> (have -= 8));
    }
    uLongf size = bytes.size();
    EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
                         packed.size()),
              Z_OK);
    bytes.resize(size);
    return bytes;
}

// As the constructor of Chunk in view/data.js.
class Chunk {
public:
    explicit Chunk(const std::string& page) {
        size_t at = 0;
        bytes_ = Unpacked(Between(page, "<script type=\"application/x-sfumato\">", "</script>", at));
        const std::vector<uint32_t> counts = Words<uint32_t>(3);
        ends_ = Words<uint32_t>(counts[0]);
        for (const char* name :
             {"core", "gap", "length", "name", "file", "line", "record", "details", "bytes", "note", "after", "causes"})
            columns_[name] = Words<uint32_t>(counts[1]);
        rows_ = Words<uint8_t>(counts[1]);
        kinds_ = Words<uint8_t>(counts[1]);
        for (const char* name : {"from_core", "to_core", "from", "span", "arrow"})
            columns_[name] = Words<uint32_t>(counts[2]);
        from_rows_ = Words<uint8_t>(counts[2]);
        to_rows_ = Words<uint8_t>(counts[2]);
        texts_ = at_;
    }
    std::string Text(const char* column, size_t i) const {
        const uint32_t text = columns_.at(column)[i], begin = text ? ends_[text - 1] : 0;
        return bytes_.substr(texts_ + begin, ends_[text] - begin);
    }
    std::vector<std::string> Slices() const {
        std::vector<std::string> lines;
        std::map<uint32_t, uint32_t> ends;
        uint32_t record = 0;
        for (size_t i = 0; i < rows_.size(); ++i) {
            uint32_t& end = ends[columns_.at("core")[i] << 8 | rows_[i]];
            const uint32_t begin = end + columns_.at("gap")[i];
            end = begin + columns_.at("length")[i];
            record += columns_.at("record")[i];
            lines.push_back(fmt::format("{} {} {:g}..{:g} {} {} #{}", columns_.at("core")[i], trace::RowName(rows_[i]),
                                        begin / 16.0, end / 16.0, trace::Name(trace::Slice::Kind(kinds_[i])),
                                        Text("name", i), record));
        }
        return lines;
    }
    std::vector<std::string> Arrows() const {
        std::vector<std::string> lines;
        uint32_t from = 0;
        for (size_t i = 0; i < from_rows_.size(); ++i) {
            from += columns_.at("from")[i];
            lines.push_back(fmt::format("{} {:g} -> {} {:g}: {}", trace::RowName(from_rows_[i]), from / 16.0,
                                        trace::RowName(to_rows_[i]), (from + columns_.at("span")[i]) / 16.0,
                                        Text("arrow", i)));
        }
        return lines;
    }

private:
    template <class T>
    std::vector<T> Words(size_t count) {
        std::vector<T> words(count);
        if (count) std::memcpy(words.data(), bytes_.data() + at_, count * sizeof(T));
        at_ = (at_ + count * sizeof(T) + 3) & ~size_t{3};
        return words;
    }

    std::string bytes_;
    size_t at_ = 0, texts_ = 0;
    std::vector<uint32_t> ends_;
    std::map<std::string, std::vector<uint32_t>> columns_;
    std::vector<uint8_t> rows_, kinds_, from_rows_, to_rows_;
};

TEST(HtmlTimeline, HoldsSlicesAndArrows) {
    const Chunk chunk(Page(test::TwoTiles));
    EXPECT_EQ(chunk.Slices(),
              (std::vector<std::string>{"0 MTE2 0..1 record DataCopy #0", "0 MTE2 1..2 record DataCopy #2",
                                        "0 VECTOR 0..1 wait WaitFlag #4", "0 VECTOR 1..2 record Adds #5",
                                        "0 VECTOR 2..3 record Adds #7", "0 FLOWCTRL 0..3 barrier PipeBarrier #8",
                                        "0 MTE3 3..4 record DataCopy #9"}));
    EXPECT_EQ(chunk.Arrows(), (std::vector<std::string>{"MTE2 0.875 -> VECTOR 0.9375: PIPE_MTE2 to PIPE_V, id 0",
                                                        "MTE2 1.875 -> VECTOR 2: PIPE_MTE2 to PIPE_V, id 1",
                                                        "VECTOR 2.875 -> FLOWCTRL 2.9375: PIPE_ALL"}));
    EXPECT_EQ(chunk.Text("details", 0).rfind("dst=UB+0:float src=GM#0+0:float", 0), 0u);
}

TEST(HtmlTimeline, HasFactsFindingsAndSources) {
    const std::string page = Page(test::NeverSet);
    size_t at = 0;
    const std::string facts = Between(page, "<script type=\"application/json\" id=\"facts\">", "</script>", at);
    const auto json = nlohmann::json::parse(facts);
    EXPECT_EQ(json["kernel"], "</script>");
    EXPECT_EQ(json["estimate"], "");
    EXPECT_EQ(json["unit"], "step");
    EXPECT_TRUE(json["time"].is_null());
    EXPECT_EQ(json["last"], 0);  // no times, no critical path
    EXPECT_TRUE(json["uses"].empty());
    EXPECT_EQ(json["places"][0]["name"], "aiv0");
    ASSERT_EQ(json["findings"].size(), 1u);
    EXPECT_EQ(json["findings"][0]["rule"], "wait-never-satisfied");
    EXPECT_NE(json["findings"][0]["text"].get<std::string>().find("PIPE_V waits for ever"), std::string::npos);
    ASSERT_EQ(json["sources"].size(), 1u);
    EXPECT_NE(json["sources"].begin().value().get<std::string>().find("inline void NeverSet"), std::string::npos);
}

TEST(HtmlTimeline, AsksNobodyForAnything) {
    const std::string page = Page(test::Misaligned);
    size_t at = 0;
    const std::string style = Between(page, "<style>", "</style>", at);
    EXPECT_EQ(style.find("url("), std::string::npos);
    EXPECT_EQ(style.find("@import"), std::string::npos);
    EXPECT_FALSE(std::regex_search(page, std::regex("(src|href)=|https?://[^\"]*\\.(js|css)")));
}

}  // namespace
}  // namespace sfumato
