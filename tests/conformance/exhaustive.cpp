// SPDX-License-Identifier: Apache-2.0
// sfumato_exhaustive: all 2^32 floats and int32s through every conversion, mode and policy, exec against the oracle.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>

#include "conformance/comparison.h"

namespace sfumato::conformance {
namespace {

constexpr uint64_t kInputs = uint64_t{1} << 32;
constexpr uint64_t kBlock = 1 << 14;  // source, result and expectation stay in the second-level cache
constexpr uint64_t kShare = 1 << 22;  // what a thread takes at a time

struct Options {
    bool all_targets = false;
    std::string only;  // part of a conversion's name
    unsigned threads = 2;
};

struct Job {
    std::string name;
    exec::Conversion conversion;
};

double Seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Scales of int32 to half: one that loses nothing, a subnormal one as quantised networks use, one with all bits mixed.
std::vector<uint16_t> ScalesOf(const Case& c) {
    if (c.rounding != Rounding::kNone) return {0x2E35};  // the mode has no effect; one sweep shows it
    return {0x3C00, 0x0080, 0x2E35};
}

std::vector<Job> Jobs(const Options& options) {
    std::vector<Job> jobs;
    for (const Case& c : ReadTable(SFUMATO_TEST_DATA "/conversion_support.csv").cases) {
        if (BitsOf(c.src) != 32 || Name(c).find(options.only) == std::string::npos) continue;
        Job job{Name(c), ConversionOf(c)};
        if (!c.scaled) {
            jobs.push_back(job);
            continue;
        }
        for (const uint16_t scale : ScalesOf(c)) {
            job.conversion.deq = isa::DeqScale::kHalf;
            job.conversion.deq_word = scale;
            char text[16];
            std::snprintf(text, sizeof text, "_%04X", scale);
            job.name = Name(c) + text;
            jobs.push_back(job);
        }
    }
    return jobs;
}

// Returns what differed, as text.
std::string RunJob(const Job& job, const Options& options) {
    std::atomic<uint64_t> next{0};
    std::vector<Runner> runners(options.threads, Runner(job.conversion.dst, {}));
    const auto work = [&](Runner* runner) {
        std::vector<uint32_t> src(kBlock);
        for (uint64_t share; (share = next.fetch_add(kShare)) < kInputs;) {
            for (uint64_t begin = share; begin < share + kShare; begin += kBlock) {
                for (uint64_t i = 0; i < kBlock; ++i) src[i] = static_cast<uint32_t>(begin + i);
                runner->Run(job.conversion, src.data(), kBlock);
            }
        }
    };
    const double start = Seconds();
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < options.threads; ++t) threads.emplace_back(work, &runners[t]);
    if (isatty(STDERR_FILENO)) {
        for (uint64_t done; (done = next.load()) < kInputs;) {
            std::fprintf(stderr, "\r%-44s %3d %%", job.name.c_str(), static_cast<int>(done * 100 / kInputs));
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
        }
        std::fprintf(stderr, "\r%60s\r", "");
    }
    for (std::thread& thread : threads) thread.join();
    for (unsigned t = 1; t < options.threads; ++t) runners[0].Merge(runners[t]);
    const std::string text = runners[0].Text(job.name);
    std::printf("%-44s %-8s %llu compared, %s, %.1f s\n%s", job.name.c_str(), exec::CurrentTarget().c_str(),
                static_cast<unsigned long long>(runners[0].elements()), text.empty() ? "all equal" : "DIFFERENT",
                Seconds() - start, text.c_str());
    std::fflush(stdout);
    return text;
}

int Usage(const char* program) {
    std::fprintf(stderr,
                 "usage: %s [--all-targets] [--only PART_OF_A_NAME] [--threads N]\n"
                 "names look like float32_float16_CAST_ODD\n",
                 program);
    return 2;
}

int Main(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--all-targets") {
            options.all_targets = true;
        } else if (word == "--only" && i + 1 < argc) {
            options.only = argv[++i];
        } else if (word == "--threads" && i + 1 < argc && std::atoi(argv[i + 1]) > 0) {
            options.threads = static_cast<unsigned>(std::atoi(argv[++i]));
        } else {
            return Usage(argv[0]);
        }
    }
    const std::vector<Job> jobs = Jobs(options);
    if (jobs.empty()) {
        std::fprintf(stderr, "no conversion from float32 or int32 has '%s' in its name\n", options.only.c_str());
        return 2;
    }
    std::vector<std::string> targets = exec::Targets();
    if (!options.all_targets) targets.resize(1);
    const double start = Seconds();
    size_t different = 0;
    for (const std::string& target : targets) {
        exec::ForceTarget(target);
        for (const Job& job : jobs) different += RunJob(job, options).empty() ? 0 : 1;
    }
    std::printf("%zu sweeps of 2^32 inputs on %zu targets, %zu with differences, %.0f s\n",
                jobs.size() * targets.size(), targets.size(), different, Seconds() - start);
    return different == 0 ? 0 : 1;
}

}  // namespace
}  // namespace sfumato::conformance

int main(int argc, char** argv) {
    try {
        return sfumato::conformance::Main(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
