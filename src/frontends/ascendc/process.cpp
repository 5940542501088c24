// SPDX-License-Identifier: Apache-2.0
// A kernel that calls exit or abort ends its launch with a report; host code ends its process.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "frontends/ascendc/context.h"
#include "runtime/code/process_taker.h"
#include "sfumato/process_end.h"

namespace sfumato::process {
namespace {

constexpr const char* kEndNames[] = {"exit", "_exit", "_Exit", "quick_exit", "abort"};

}  // namespace

void Finish(End end, int status, const char* file, unsigned line) {
    if (runtime::Core* core = runtime::CurrentCore()) {
        const char* const name = kEndNames[static_cast<size_t>(end)];
        ascendc::Find(*core, name, {file, line},
                      {Rule::kProcessEnd, "", "a kernel cannot end the process",
                       end == End::kAbort ? "abort()" : fmt::format("{}({})", name, status), "kernels end by returning",
                       "return, or stop with Trap() or assert()"});
        core->stopping().Now();
    }
    if (const runtime::ProcessTaker taker = runtime::CurrentProcessTaker())
        taker(kEndNames[static_cast<size_t>(end)], status, file, line);
    switch (end) {
        case End::kExit: std::exit(status);
        case End::kUnderscoreExit: ::_exit(status);
        case End::kBigExit: std::_Exit(status);
        case End::kQuickExit: std::quick_exit(status);
        case End::kAbort: break;
    }
    std::abort();
}

}  // namespace sfumato::process
