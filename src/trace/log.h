// SPDX-License-Identifier: Apache-2.0
// The instruction log: what --log prints.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "events/listener.h"

namespace sfumato::trace {

// One line: the core's name, then Print(record).
std::string LogLine(std::string_view core, const isa::Record& record);

// Gives every record's line to `write`, when it is issued or when it has been executed.
class Log final : public events::Listener {
public:
    using Write = std::function<void(std::string_view)>;
    // `mutex` is held while `write` runs: other output of the launch shares it.
    Log(Write write, bool executed, std::mutex* mutex)
        : write_(std::move(write)), executed_(executed), mutex_(*mutex) {}

    std::unique_ptr<events::CoreListener> Begin(const events::Place& place, events::Tell) override;

private:
    class IssuedOf;
    class ExecutedOf;
    void Line(const std::string& core, const isa::Record& record);

    const Write write_;
    const bool executed_;
    std::mutex& mutex_;
};

}  // namespace sfumato::trace
