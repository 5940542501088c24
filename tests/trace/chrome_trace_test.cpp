// SPDX-License-Identifier: Apache-2.0
// Chrome trace events: strict JSON, slices in order and apart, arrows that begin and end in slices, the same file
// twice.
#include "trace/chrome_trace.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "trace/json_text.h"
#include "trace/kernels.h"

namespace sfumato {
namespace {

using Json = nlohmann::json;

std::string ReadFile(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

// The launch's trace as a file, and its result.
struct Traced {
    std::string text;
    LaunchResult result;
};
Traced Trace(void (*kernel)(float*), uint32_t blocks = 1) {
    const test::Folder folder;
    GlobalMemory memory;
    auto* gm = reinterpret_cast<float*>(memory.Allocate(4096, "gm"));
    LaunchOptions options = test::TraceOptions("a \"kernel\"");
    options.trace = folder / "out.json";
    LaunchResult result = Launch(options, blocks, memory, [=] { kernel(gm); });
    EXPECT_EQ(result.trace, options.trace);
    return {ReadFile(options.trace), std::move(result)};
}

// Slices of each (pid, tid): begin and end.
using Rows = std::map<std::pair<int, int>, std::vector<std::pair<double, double>>>;

// What is wrong with the events; empty: nothing.
std::string Wrong(const Json& trace) {
    Rows rows;
    std::map<uint64_t, std::vector<Json>> flows;
    for (const Json& e : trace.at("traceEvents")) {
        const std::string phase = e.at("ph");
        if (phase == "X") {
            const double begin = e.at("ts"), length = e.at("dur");
            if (length <= 0) return "an empty slice: " + e.dump();
            auto& row = rows[{e.at("pid"), e.at("tid")}];
            if (!row.empty() && begin < row.back().second) return "slices overlap: " + e.dump();
            row.emplace_back(begin, begin + length);
        } else if (phase == "s" || phase == "f") {
            flows[e.at("id")].push_back(e);
        } else if (phase != "M") {
            return "unknown phase: " + e.dump();
        }
    }
    const auto inside = [&](const Json& e) {
        const double at = e.at("ts");
        for (const auto& [begin, end] : rows[{e.at("pid"), e.at("tid")}]) {
            if (at >= begin && at < end) return true;
        }
        return false;
    };
    for (const auto& [id, ends] : flows) {
        if (ends.size() != 2 || ends[0].at("ph") != "s" || ends[1].at("ph") != "f") return fmt::format("arrow {}", id);
        if (ends[1].at("ts") < ends[0].at("ts")) return fmt::format("arrow {} goes back", id);
        if (!inside(ends[0]) || !inside(ends[1])) return fmt::format("arrow {} is in no slice", id);
    }
    return flows.empty() && rows.empty() ? "nothing" : "";
}

// A call of several records.
void Softmax(float* data) {
    using namespace AscendC;
    test::Buffers x(data);
    Duplicate(x.a, 1.0f, test::kTile);
    Sigmoid(x.b, x.a, test::kTile);
    PipeBarrier<PIPE_ALL>();
    DataCopy(x.gm, x.b, test::kTile);
}

TEST(ChromeTrace, IsStrictJsonInOrder) {
    for (const auto kernel : {test::TwoTiles, test::NeverSet, test::Misaligned, Softmax}) {
        const Traced traced = Trace(kernel);
        const Json json = Json::parse(traced.text);  // throws
        EXPECT_EQ(Wrong(json), "");
        EXPECT_EQ(json["otherData"]["estimate"], false);
        EXPECT_EQ(json["otherData"]["kernel"], "a \"kernel\"");
        EXPECT_EQ(json["otherData"]["chip"], "Ascend910B1");
        EXPECT_EQ(json["findings"].size(), traced.result.findings.size());
    }
    EXPECT_EQ(Wrong(Json::parse(Trace(test::Meets, 2).text)), "");
}

TEST(ChromeTrace, RowsHaveTheirNamesAndSlicesTheirLines) {
    const Json json = Json::parse(Trace(test::TwoTiles).text);
    std::vector<std::string> rows;
    Json copy;
    for (const Json& e : json["traceEvents"]) {
        if (e["name"] == "thread_name") rows.push_back(e["args"]["name"]);
        if (e["name"] == "DataCopy" && copy.is_null()) copy = e;
    }
    EXPECT_EQ(rows, (std::vector<std::string>{"SCALAR", "VECTOR", "CUBE", "MTE1", "MTE2", "MTE3", "FIXP", "FLOWCTRL"}));
    EXPECT_EQ(copy["tid"], 4);
    EXPECT_EQ(copy["args"]["bytes"], 256);
    EXPECT_EQ(copy["args"]["record"], 0);
    EXPECT_EQ(copy["args"]["line"].get<std::string>().rfind("kernels.h:", 0), 0u) << copy;
    EXPECT_EQ(copy["args"]["operands"].get<std::string>().rfind("dst=UB+0:float src=GM#0+0:float", 0), 0u) << copy;
}

TEST(ChromeTrace, CallsSpanTheirRecords) {
    const Json json = Json::parse(Trace(Softmax).text);
    double begin = 1e9, end = 0, call_begin = 0, call_end = 0;
    for (const Json& e : json["traceEvents"]) {
        if (e["ph"] != "X") continue;
        if (e["cat"] == "call") {
            EXPECT_EQ(e["name"], "Sigmoid");
            EXPECT_EQ(e["tid"], 8);
            call_begin = e["ts"], call_end = call_begin + e["dur"].get<double>();
        } else if (e["name"].get<std::string>().rfind("Sigmoid: ", 0) == 0) {
            begin = std::min(begin, e["ts"].get<double>());
            end = std::max(end, e["ts"].get<double>() + e["dur"].get<double>());
        }
    }
    EXPECT_LT(begin, end);
    EXPECT_EQ(begin, call_begin);
    EXPECT_EQ(end, call_end);
}

TEST(ChromeTrace, IsTheSameFromRunToRun) { EXPECT_EQ(Trace(test::Meets, 40).text, Trace(test::Meets, 40).text); }

TEST(ChromeTrace, EscapesText) {
    std::string out;
    trace::AppendJson(out, "a\"b\\c\n\x01\xC3\xA9\xFF\xE4\xBD");
    EXPECT_EQ(out, "\"a\\\"b\\\\c\\n\\u0001\xC3\xA9\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
    EXPECT_TRUE(Json::accept(out));
    out.clear();
    for (const int64_t n : {0, 10000, 12345, 5, -10500}) {
        trace::AppendTenThousandths(out, n);
        out += ' ';
    }
    EXPECT_EQ(out, "0 1 1.2345 0.0005 -1.05 ");
}

TEST(ChromeTrace, RefusesWhatItCannotWrite) {
    GlobalMemory memory;
    const auto error = [&](const std::string& trace, const char* schedule) -> std::string {
        LaunchOptions options = test::TraceOptions("kernel");
        options.trace = trace;
        options.schedule = schedule;
        try {
            Launch(options, 1, memory, [] {});
        } catch (const Error& e) {
            return e.what();
        }
        return "";
    };
    const test::Folder folder;
    EXPECT_EQ(error("out.txt", "eager"),
              "trace 'out.txt': its name says what it becomes: .html (a page), .json or .json.gz (Chrome trace "
              "events)");
    EXPECT_EQ(error(folder / "none/out.json", "eager"),
              fmt::format("cannot write the trace {}: No such file or directory", folder / "none/out.json"));
    EXPECT_EQ(error(folder / "out.json", "all"), "trace: the schedule 'all' is many runs, a timeline is of one");
}

}  // namespace
}  // namespace sfumato
