// SPDX-License-Identifier: Apache-2.0
// `sfumato time`: runs kernels as `sfumato run` does, and tells what the model of time makes of them.
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "findings.h"
#include "options.h"
#include "output.h"

namespace sfumato::command {
namespace {

// Numbers that processes of one command share.
class SharedNumbers {
public:
    explicit SharedNumbers(size_t count)
        : bytes_(count * sizeof(double)),
          at_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
        if (at_ == MAP_FAILED) throw Error(fmt::format("cannot share memory: {}", std::strerror(errno)));
    }
    ~SharedNumbers() { munmap(at_, bytes_); }
    SharedNumbers& operator=(SharedNumbers&&) = delete;
    double* at(size_t i) const { return static_cast<double*>(at_) + i; }

private:
    size_t bytes_;
    void* at_;
};

}  // namespace

void ShowEstimate(const RunOptions& options, const TimeEstimate& estimate) {
    if (options.time.core_us) *options.time.core_us = estimate.core_us;
    if (!options.time.json) return PrintOut(TextOf(estimate));
    const std::string json = JsonOf(estimate) + "\n";
    if (*options.time.json == "-") return PrintOut(json);
    std::ofstream out(*options.time.json, std::ios::app);
    if (!(out << json << std::flush)) {
        SayError(fmt::format("cannot write {}", *options.time.json));
        ReportLost();
    }
}

int Time(const RunOptions& given) {
    const std::string why = WhyNoEstimate(given.launch.chip);
    if (!why.empty()) throw Error(why);
    if (given.time.json && *given.time.json != "-") WriteFile(*given.time.json, "");
    std::vector<std::string> sources{given.compile.source};
    sources.insert(sources.end(), given.time.compared.begin(), given.time.compared.end());
    const SharedNumbers times(sources.size());
    int worst = kOk;
    for (size_t i = 0; i < sources.size(); ++i) {
        RunOptions options = given;
        options.compile.source = sources[i];
        options.time.core_us = times.at(i);
        worst = std::max(worst, Run(options));
    }
    if (sources.size() == 1 || worst != kOk || given.time.json) return worst;
    PrintOut("estimates of core time\n");
    for (size_t i = 0; i < sources.size(); ++i) {
        const double first = *times.at(0), here = *times.at(i);
        PrintOut(
            fmt::format("  {:<30} {:>10.2f} us{}\n", sources[i], here,
                        i == 0 || here == 0 ? "" : fmt::format("  {:.2f} times as fast as the first", first / here)));
    }
    return worst;
}

}  // namespace sfumato::command
