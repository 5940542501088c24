// SPDX-License-Identifier: Apache-2.0
// The files that the profiler leaves, with the columns that an estimate can state.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <map>

#include "msprof.h"
#include "sfumato/report.h"

namespace sfumato::command {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

bool HasTime(const Json& launch) { return launch.value("estimate", false); }

// "vector", "cube" or "mix", by the cores that worked.
std::string CoreType(const Json& launch) {
    bool vector = false, cube = false;
    for (const Json& pipe : launch.value("pipes", Json::array())) {
        vector |= pipe["kind"] == "aiv";
        cube |= pipe["kind"] == "aic";
    }
    return vector && cube ? "mix" : cube ? "cube" : vector ? "vector" : "";
}

std::string TaskType(const Json& launch) {
    const std::string type = CoreType(launch);
    return type == "mix" ? "MIX_AIC" : type == "cube" ? "AI_CORE" : type == "vector" ? "AI_VECTOR_CORE" : "N/A";
}

std::string Duration(const Json& launch) {
    return HasTime(launch) ? fmt::format("{:.3f}", launch["task_us"].get<double>()) : "N/A";
}

void WriteText(const fs::path& path, const std::string& text) {
    if (!(std::ofstream(path) << text << std::flush)) throw Error(fmt::format("cannot write {}", path.string()));
}

std::string BasicInfo(const Json& launch) {
    std::string frequency = HasTime(launch) ? fmt::format("{:g}", launch["megahertz"].get<double>()) : "N/A";
    return fmt::format(
        "Op Name,Op Type,Task Duration(us),Block Dim,Device Id,Current Freq,Rated "
        "Freq,Source\n{},{},{},{},0,{},{},estimate\n",
        launch["kernel"].get<std::string>(), CoreType(launch), Duration(launch), launch["blocks"].get<uint64_t>(),
        frequency, frequency);
}

// Of each kind of core, the mean over those that worked.
std::string PipeUtilization(const Json& launch) {
    static const std::map<std::string, std::string> kNames = {{"S", "scalar"},   {"V", "vec"},     {"M", "cube"},
                                                              {"MTE1", "mte1"},  {"MTE2", "mte2"}, {"MTE3", "mte3"},
                                                              {"FIX", "fixpipe"}};
    std::string names = "block_id", values = "mean";
    std::vector<std::string> kinds;
    for (const Json& pipe : launch["pipes"]) {
        const std::string kind = pipe["kind"], name = pipe["pipe"];
        if (std::ranges::find(kinds, kind) == kinds.end()) {
            kinds.push_back(kind);
            names += fmt::format(",{}_time(us)", kind);
            values += fmt::format(",{:.3f}", launch["core_us"].get<double>());
        }
        const auto known = kNames.find(name);
        if (known == kNames.end()) continue;
        names += fmt::format(",{0}_{1}_time(us),{0}_{1}_ratio", kind, known->second);
        values += fmt::format(",{:.3f},{:.4f}", pipe["busy_us"].get<double>(), pipe["share"].get<double>());
    }
    return names + "\n" + values + "\n";
}

// Those of one launch, of `msprof op`.
void WriteLaunch(const fs::path& folder, const Json& launch) {
    fs::create_directories(folder);
    WriteText(folder / "OpBasicInfo.csv", BasicInfo(launch));
    if (HasTime(launch)) WriteText(folder / "PipeUtilization.csv", PipeUtilization(launch));
    WriteText(folder / "estimate.json", launch.dump(1) + "\n");
}

void WriteSummaries(const fs::path& folder, const std::string& stamp, const std::vector<Json>& launches) {
    fs::create_directories(folder);
    std::string summary = "Device_id,Op Name,OP Type,Task Type,Task Duration(us),Block Dim,Source\n";
    struct Sum {
        std::string core;
        size_t count = 0;
        double total = 0, least = 0, most = 0;
    };
    std::map<std::string, Sum> sums;
    double all = 0;
    for (const Json& launch : launches) {
        const std::string name = launch["kernel"];
        summary += fmt::format("0,{0},{0},{1},{2},{3},estimate\n", name, TaskType(launch), Duration(launch),
                               launch["blocks"].get<uint64_t>());
        if (!HasTime(launch)) continue;
        const double us = launch["task_us"];
        Sum& sum = sums[name];
        sum.core = TaskType(launch);
        sum.least = sum.count ? std::min(sum.least, us) : us;
        sum.most = std::max(sum.most, us);
        sum.total += us, all += us, ++sum.count;
    }
    std::string statistic =
        "Device_id,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%),Source\n";
    for (const auto& [name, sum] : sums)
        statistic += fmt::format("0,{},{},{},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},estimate\n", name, sum.core, sum.count,
                                 sum.total, sum.least, sum.total / static_cast<double>(sum.count), sum.most,
                                 100 * sum.total / all);
    WriteText(folder / fmt::format("op_summary_{}.csv", stamp), summary);
    WriteText(folder / fmt::format("op_statistic_{}.csv", stamp), statistic);
}

}  // namespace

std::string ProfileTable(const std::vector<Json>& launches) {
    std::string text;
    for (const Json& launch : launches) {
        text += fmt::format("  {:<32} {:>5} blocks  ", launch["kernel"].get<std::string>(),
                            launch["blocks"].get<uint64_t>());
        if (!HasTime(launch)) {
            text += fmt::format("no estimate: {}\n", launch["why"].get<std::string>());
            continue;
        }
        text += fmt::format("core {:.2f} us, task {:.2f} us\n", launch["core_us"].get<double>(),
                            launch["task_us"].get<double>());
    }
    return text;
}

std::string WriteProfile(const Profiling& asked, const std::vector<Json>& launches) {
    const std::string stamp = fmt::format("{:%Y%m%d%H%M%S}", fmt::localtime(std::time(nullptr)));
    const fs::path folder = fs::path(asked.output) / (asked.op ? fmt::format("OPPROF_{}_{}", stamp, getpid())
                                                               : fmt::format("PROF_000001_{}_{}", stamp, getpid()));
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw Error(fmt::format("cannot make {}: {}", folder.string(), error.message()));
    const fs::path files = asked.op ? folder : folder / "mindstudio_profiler_output";
    if (!asked.op) {
        WriteSummaries(files, stamp, launches);
    } else {
        // Of several, each has a folder of its kernel and its number.
        std::map<std::string, size_t> numbers;
        for (const Json& launch : launches) {
            const std::string kernel = launch["kernel"];
            WriteLaunch(launches.size() == 1 ? folder : folder / kernel / fmt::to_string(numbers[kernel]++), launch);
        }
    }
    WriteText(
        files / "README.txt",
        "Sfumato's estimates from published figures, no measurements. Columns that an estimate cannot state are left "
        "out.\n");
    return folder.string();
}

}  // namespace sfumato::command
