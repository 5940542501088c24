// SPDX-License-Identifier: Apache-2.0
// How far a launch is, in one line of standard error that is written over again, if that is a terminal.
#pragma once

#include <unistd.h>

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <utility>

#include "sfumato/launch.h"

namespace sfumato::command {

class ProgressLine {
public:
    explicit ProgressLine(std::string kernel) : kernel_(std::move(kernel)) {}
    ~ProgressLine() {
        if (shown_) Write("\r\x1b[K");
    }
    ProgressLine& operator=(ProgressLine&&) = delete;

    bool wanted() const { return isatty(STDERR_FILENO) == 1; }
    // Nothing in the first two seconds.
    void Show(const LaunchProgress& progress) {
        const std::chrono::duration<double> since = std::chrono::steady_clock::now() - begun_;
        if (since < std::chrono::seconds(2)) return;
        shown_ = true;
        Write(fmt::format("\r\x1b[K{}: {} of {} cores have ended, {} instructions, {:.0f} s", kernel_,
                          progress.cores_ended, progress.cores, progress.records, since.count()));
    }

private:
    static void Write(const std::string& text) {
        std::fputs(text.c_str(), stderr);
        std::fflush(stderr);
    }

    const std::string kernel_;
    const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    bool shown_ = false;
};

}  // namespace sfumato::command
