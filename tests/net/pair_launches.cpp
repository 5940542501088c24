// SPDX-License-Identifier: Apache-2.0
// The pairs for tests/net/record.py. SFUMATO_NET names a folder: pairs.txt there gets a line for each pair, and each
// half that chosen.txt there names ("NAME right") runs under each schedule of schedules.txt and leaves its bytes,
// findings, log and trace.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "sanitize/pairs/runner.h"

namespace sfumato::pairs {
namespace {

std::vector<std::string> Lines(const std::string& path) {
    std::vector<std::string> lines;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

// stem: of the four files.
void Record(const Pair& pair, bool wrong, const std::string& schedule, const std::string& stem) {
    std::ofstream log(stem + ".log");
    const Outcome run = RunHalf(pair, wrong, pair.check, schedule, 1, [&](LaunchOptions& options) {
        options.log = [&](std::string_view line) { log << line << "\n"; };
        options.trace = stem + ".trace.json";
    });
    std::ofstream findings(stem + ".findings");
    for (const Report& report : run.findings) findings << report.Text() << "\n";
    std::ofstream bytes(stem + ".outputs");
    for (const std::vector<uint8_t>& memory : run.memory)
        bytes.write(reinterpret_cast<const char*>(memory.data()), static_cast<std::streamsize>(memory.size()));
}

TEST(Net, RecordsChosenHalves) {
    const char* folder = std::getenv("SFUMATO_NET");
    if (!folder) GTEST_SKIP() << "for tests/net/record.py";
    const std::string in = std::string(folder) + "/";
    const std::vector<std::string> chosen = Lines(in + "chosen.txt"), schedules = Lines(in + "schedules.txt");
    const std::set<std::string> halves(chosen.begin(), chosen.end());
    std::ofstream pairs(in + "pairs.txt");
    for (const Class& of : Classes()) {
        for (const Pair& pair : of.pairs()) {
            pairs << pair.rule << "\t" << pair.chip << "\t" << pair.name << "\n";
            for (const bool wrong : {false, true}) {
                const std::string half = pair.name + (wrong ? " wrong" : " right");
                if (!halves.contains(half)) continue;
                for (const std::string& schedule : schedules) Record(pair, wrong, schedule, in + half + " " + schedule);
            }
        }
    }
}

}  // namespace
}  // namespace sfumato::pairs
