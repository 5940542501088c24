// SPDX-License-Identifier: Apache-2.0
// What a host program's launches and calls found, for other programs (docs/findings.md): SFUMATO_OPTIONS names the
// files, which are written when the process ends.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "sfumato/findings.h"
#include "sfumato/launch.h"

namespace sfumato::host {

struct FindingsFiles {
    std::string json, sarif, junit;  // empty: not asked for; "-": standard output
    std::string estimates;           // a line of JSON for each launch, written when it ends
};

// Why SFUMATO_OPTIONS=estimates=FILE says no time for a launch; empty where it does.
std::string WhyNotTimed(const LaunchOptions& options);

class Told {
public:
    static Told& The();

    void WriteTo(FindingsFiles files);
    // A launch that ran.
    void Add(const LaunchOptions& options, uint32_t blocks, const char* source, const LaunchResult& result);
    // A launch, or a call of the host, that was refused.
    void AddRefused(const LaunchOptions& options, const char* source, const std::string& why,
                    std::vector<Report> reports);
    void AddCall(const Report& report);
    // Says which readings the launches rest on, if that was asked for, and writes the files. False: one could not be.
    bool Finish();

private:
    // Whether anybody asks for runs; a program may have called us without a launch.
    bool Wanted(bool rests_on);
    void Keep(RunFindings run);
    // Of `sfumato msprof`, which starts programs and reads the file when they have ended.
    void AddEstimate(const LaunchOptions& options, uint32_t blocks, const LaunchResult& result);
    void SayReadings() const;

    std::mutex mutex_;
    FindingsFiles files_;
    bool knows_files_ = false;
    std::vector<RunFindings> runs_;  // in the order of ranks: threads of several end as they like
    std::vector<uint32_t> ranks_;
};

}  // namespace sfumato::host
