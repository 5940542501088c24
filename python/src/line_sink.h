// SPDX-License-Identifier: Apache-2.0
// A Python callable that receives lines of the log or of a kernel's prints.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <functional>
#include <string_view>

namespace sfumato::python {

// It is called on the cores' threads; what it raises first is raised after the launch.
class LineSink {
public:
    explicit LineSink(nanobind::object callable) : callable_(std::move(callable)) {}

    std::function<void(std::string_view)> function() {
        if (callable_.is_none()) return {};
        return [this](std::string_view line) {
            nanobind::gil_scoped_acquire acquire;
            if (failed_) return;
            try {
                callable_(nanobind::str(line.data(), line.size()));
            } catch (...) {
                failed_ = std::current_exception();
            }
        };
    }

    void Rethrow() const {
        if (failed_) std::rethrow_exception(failed_);
    }

private:
    nanobind::object callable_;
    std::exception_ptr failed_;  // guarded by the GIL
};

}  // namespace sfumato::python
