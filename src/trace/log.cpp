// SPDX-License-Identifier: Apache-2.0
// The instruction log.
#include "trace/log.h"

#include <fmt/format.h>

#include "isa/print.h"

namespace sfumato::trace {

std::string LogLine(std::string_view core, const isa::Record& record) {
    return fmt::format("{:<6} {}", core, isa::Print(record));
}

void Log::Line(const std::string& core, const isa::Record& record) {
    const std::string line = LogLine(core, record);
    std::lock_guard lock(mutex_);
    write_(line);
}

class Log::IssuedOf final : public events::Hears<events::Issued> {
public:
    IssuedOf(Log& log, std::string core) : log_(log), core_(std::move(core)) {}
    void On(const events::Issued& event) override { log_.Line(core_, event.record); }

private:
    Log& log_;
    const std::string core_;
};

// Flags and barriers are passed rather than executed.
class Log::ExecutedOf final : public events::Hears<events::Executed, events::Skipped, events::Sync> {
public:
    ExecutedOf(Log& log, std::string core) : log_(log), core_(std::move(core)) {}
    void On(const events::Executed& event) override { log_.Line(core_, event.record); }
    void On(const events::Skipped& event) override { log_.Line(core_, event.record); }
    void On(const events::Sync& sync) override {
        if (sync.kind == events::Sync::Kind::kPassed) log_.Line(core_, *sync.record);
    }

private:
    Log& log_;
    const std::string core_;
};

std::unique_ptr<events::CoreListener> Log::Begin(const events::Place& place, events::Tell) {
    if (executed_) return std::make_unique<ExecutedOf>(*this, place.name);
    return std::make_unique<IssuedOf>(*this, place.name);
}

}  // namespace sfumato::trace
