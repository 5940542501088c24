// SPDX-License-Identifier: Apache-2.0
// The runs of one process, and their files.
#include "host/told.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "host/device.h"
#include "report/json.h"

namespace sfumato::host {
namespace {

bool Write(const std::string& path, const std::string& text) {
    if (path == "-") return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    std::FILE* file = std::fopen(path.c_str(), "wb");
    const bool whole = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if (file && std::fclose(file) == 0 && whole) return true;
    std::fprintf(stderr, "the findings: cannot write %s: %s\n", path.c_str(), std::strerror(errno));
    return false;
}

RunFindings About(const LaunchOptions& options, const char* source) {
    RunFindings run;
    run.source = source ? source : "";
    run.chip = options.chip;
    run.kernel = options.kernel;
    run.schedule = options.schedule;
    return run;
}

}  // namespace

Told& Told::The() {
    static auto* told = new Told;  // never destroyed: see Device::The
    return *told;
}

void Told::WriteTo(FindingsFiles files) {
    std::lock_guard lock(mutex_);
    files_ = std::move(files);
    knows_files_ = true;
}

bool Told::Wanted(bool rests_on) {
    const auto known = [&] {
        std::lock_guard lock(mutex_);
        return knows_files_;
    };
    if (!known()) {
        try {
            OptionsOfEnvironment(Route::kHost, "");
        } catch (const std::exception&) {
            // Words that are not legal: the first launch says so.
        }
    }
    std::lock_guard lock(mutex_);
    knows_files_ = true;
    return rests_on || !files_.json.empty() || !files_.sarif.empty() || !files_.junit.empty();
}

void Told::Keep(RunFindings run) {
    const uint32_t rank = Device::Current().rank();
    std::lock_guard lock(mutex_);
    const auto at = std::ranges::upper_bound(ranks_, rank) - ranks_.begin();
    ranks_.insert(ranks_.begin() + at, rank);
    runs_.insert(runs_.begin() + at, std::move(run));
}

void Told::AddEstimate(const LaunchOptions& options, uint32_t blocks, const LaunchResult& result) {
    std::lock_guard lock(mutex_);
    if (files_.estimates.empty()) return;
    std::string why = WhyNotTimed(options);
    if (why.empty()) why = "the launch failed";
    const OrderedJson none = {
        {"estimate", false}, {"chip", options.chip}, {"kernel", options.kernel}, {"blocks", blocks}, {"why", why}};
    const std::string line = (result.estimate ? JsonOf(*result.estimate) : Written(none)) + "\n";
    std::FILE* file = std::fopen(files_.estimates.c_str(), "ab");  // other processes of the program append, too
    if (!file) return;
    std::fwrite(line.data(), 1, line.size(), file);
    std::fclose(file);
}

void Told::Add(const LaunchOptions& options, uint32_t blocks, const char* source, const LaunchResult& result) {
    AddEstimate(options, blocks, result);
    if (!Wanted(options.rests_on)) return;
    RunFindings run = About(options, source);
    run.blocks = blocks;
    run.task_type = result.task_type;
    run.task_type_from = result.task_type_from;
    run.records = result.records;
    run.checked = CheckNames(options.check);
    run.findings = result.findings;
    if (options.rests_on) run.rests_on = result.rests_on;
    Keep(std::move(run));
}

void Told::AddRefused(const LaunchOptions& options, const char* source, const std::string& why,
                      std::vector<Report> reports) {
    if (!Wanted(false)) return;
    RunFindings run = About(options, source);
    run.findings = std::move(reports);
    run.error_kind = "usage";
    run.error = why;
    Keep(std::move(run));
}

void Told::AddCall(const Report& report) {
    if (!Wanted(false)) return;
    RunFindings run;
    run.findings = {report};
    Keep(std::move(run));
}

void Told::SayReadings() const {
    const RunFindings all = Together(runs_);
    if (!all.rests_on) return;
    std::string text;
    for (const Reading& reading : *all.rests_on) text += reading.Text() + "\n";
    const size_t count = all.rests_on->size();
    text +=
        count == 0 ? "documented throughout\n" : fmt::format("rests on {} reading{}\n", count, count == 1 ? "" : "s");
    std::fputs(text.c_str(), stderr);
}

bool Told::Finish() {
    Wanted(false);
    std::lock_guard lock(mutex_);
    SayReadings();
    bool whole = true;
    if (!files_.json.empty()) whole = Write(files_.json, JsonOf(Together(runs_)));
    if (!files_.sarif.empty()) whole = Write(files_.sarif, SarifOf(runs_)) && whole;
    if (!files_.junit.empty()) whole = Write(files_.junit, JunitOf(runs_)) && whole;
    return whole;
}

}  // namespace sfumato::host
