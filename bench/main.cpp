// SPDX-License-Identifier: Apache-2.0
// Runs the benchmarks and ends with a table of the ratios against their bounds; the exit code is 1 when one is missed.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "native.h"
#include "pairs.h"
#include "sgemm.h"

namespace {

class TableReporter : public benchmark::ConsoleReporter {
public:
    void ReportRuns(const std::vector<Run>& runs) override {
        ConsoleReporter::ReportRuns(runs);
        for (const Run& run : runs) {
            if (run.run_type != Run::RT_Iteration) continue;
            const std::string name = run.run_name.function_name;
            if (run.error_occurred) {
                rows_.push_back({name, run.error_message, false});
                continue;
            }
            const double ratio = run.counters.at("ratio"), bound = run.counters.at("bound");
            const bool at_most = run.counters.at("at_most") != 0;
            const std::string goal =
                bound == sfumato::bench::kNoBound ? "none" : fmt::format("{} {:g}", at_most ? "<=" : ">=", bound);
            rows_.push_back(
                {name, fmt::format("{:8.2f}  {:<8}", ratio, goal), at_most ? ratio <= bound : ratio >= bound});
        }
    }

    // True: every bound is met.
    bool PrintTable() const {
        bool all = true;
        fmt::print("\n{:<34}{:>8}  {:<8}  ok\n", "name", "ratio", "bound");
        for (const Row& row : rows_) {
            fmt::print("{:<34}{}  {}\n", row.name, row.text, row.ok ? "yes" : "NO");
            all &= row.ok;
        }
        return all;
    }

private:
    struct Row {
        std::string name, text;
        bool ok;
    };
    std::vector<Row> rows_;
};

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    const sfumato::bench::Native* native = sfumato::bench::FindNative();
    if (native == nullptr) {
        fmt::print(stderr,
                   "This CPU has neither AVX-512 nor AVX2 with F16C: there is no native twin to compare with.\n");
        return 2;
    }
    benchmark::AddCustomContext("native twin", native->name);
    benchmark::AddCustomContext(
        "sgemm", sfumato::bench::kHaveSgemm ? "OpenBLAS" : "none: built without OpenBLAS, its benchmarks are left out");
    TableReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    return reporter.PrintTable() ? 0 : 1;
}
