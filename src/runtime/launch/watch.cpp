// SPDX-License-Identifier: Apache-2.0
// Time, interruption and progress of a launch.
#include "runtime/launch/watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "report/finding.h"
#include "runtime/cores/core.h"
#include "runtime/cores/cores.h"
#include "runtime/cores/cross_core.h"

namespace sfumato::runtime {
namespace {

constexpr std::chrono::milliseconds kTellEvery{100};
// What a core gets to come to its next instruction.
constexpr std::chrono::seconds kGrace{1};
constexpr size_t kMostTexts = 8;  // different places of cores in a report
constexpr double kForEver = 1e9;  // seconds

std::string Seconds(double seconds) { return fmt::format("{:.6g} s", seconds); }

std::vector<uint64_t> FirstN(uint64_t n) {
    std::vector<uint64_t> all(n);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

std::string TextOf(const Stood* stood) {
    if (!stood) return "not started";
    if (!stood->stopped) return "ended";
    if (stood->call.empty()) return fmt::format("after {} instructions", stood->index);
    const std::string call = (stood->waiting ? "waiting in " : "at ") + stood->call;
    return stood->where.line == 0 ? call : fmt::format("{}, {}:{}", call, stood->where.file, stood->where.line);
}

}  // namespace

LaunchWatch::LaunchWatch(const LaunchOptions& options) : options_(options), told_(begun_) {
    if (!options.timeout) return;
    if (!(*options.timeout > 0)) {
        throw Error(fmt::format("timeout: {} is no time to run for; legal are seconds above 0", *options.timeout));
    }
    if (*options.timeout < kForEver) {
        deadline_ =
            begun_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*options.timeout));
    }
}

void LaunchWatch::Look(Cores& cores, CrossCore& cross_core) {
    const auto now = Clock::now();
    if (!rule_) {
        if (options_.interrupt && options_.interrupt->load(std::memory_order_relaxed)) {
            rule_ = Rule::kInterrupted;
        } else if (deadline_ && now >= *deadline_) {
            rule_ = Rule::kTimeout;
        }
        asked_ = now;
    }
    if (rule_) {
        cores.StopAll();
        if (!stuck_told_ && now - asked_ >= kGrace) {
            stuck_told_ = true;
            if (options_.stuck) TellStuck(cores, cross_core);
        }
    }
    if (options_.progress && now - told_ >= kTellEvery) {
        told_ = now;
        const Cores::Progress progress = cores.progress();
        options_.progress({progress.ended, cores.count(), progress.records});
    }
}

Report LaunchWatch::Describe() const {
    Report report = Stamped(ReportOf(*rule_), options_.chip, options_.kernel);
    if (*rule_ == Rule::kTimeout) {
        report.message = fmt::format("the launch took longer than its timeout of {}", Seconds(*options_.timeout));
        report.legal = fmt::format("an end within {}", Seconds(*options_.timeout));
        report.hint =
            "look for a loop or a wait that never ends where the cores stood; a launch that only needs longer gets a "
            "higher timeout";
    } else {
        report.message = "the launch was interrupted";
        report.legal = "a launch that is left alone until it ends";
        report.hint = "launch it again: nothing it wrote was kept";
    }
    return report;
}

void LaunchWatch::TellStuck(Cores& cores, CrossCore& cross_core) {
    Report report = Describe();
    report.found = cores.Locked([&] {
        return cross_core.Listed(FirstN(cores.count()), kMostTexts, [&](uint64_t core) -> std::string {
            switch (cores.StatusLocked(core).state) {
                case Cores::State::kNotStarted: return "not started";
                case Cores::State::kEnded: return "ended";
                case Cores::State::kWaiting: return "waiting";
                case Cores::State::kRunning: break;
            }
            return fmt::format("in code without instructions, after {} of them", cores.RecordsLocked(core));
        });
    });
    report.hint = "look for a loop in scalar or host code that never ends: it cannot be stopped at an instruction";
    options_.stuck(report);
}

std::optional<Report> LaunchWatch::Ended(CrossCore& cross_core, const std::vector<const Stood*>& cores) const {
    if (!rule_) return std::nullopt;
    const auto cut_short = [](const Stood* stood) { return !stood || stood->stopped; };
    const auto first = std::ranges::find_if(cores, cut_short);
    if (first == cores.end()) return std::nullopt;
    Report report = Describe();
    report.found =
        cross_core.Listed(FirstN(cores.size()), kMostTexts, [&](uint64_t core) { return TextOf(cores[core]); });
    // The place of the first core that has one.
    const auto placed =
        std::ranges::find_if(cores, [](const Stood* s) { return s && s->stopped && s->where.line != 0; });
    const auto named = placed != cores.end() ? placed : first;
    report.core_order = named - cores.begin();
    if (*named) {
        report.instruction = (*named)->call;
        report.file = (*named)->where.file;
        report.line = (*named)->where.line;
        report.index = (*named)->index;
    }
    return report;
}

}  // namespace sfumato::runtime
