// SPDX-License-Identifier: Apache-2.0
// Names of records inside calls.
#include "runtime/cores/scopes.h"

#include <mutex>
#include <set>
#include <string>

namespace sfumato::runtime {

const char* Scopes::NameOf(const isa::Record& record) {
    const char* call = isa::CallName(record);
    Name& latest = names_[static_cast<size_t>(record.op) % names_.size()];
    if (latest.outermost != outermost_ || latest.call != call) {
        static std::mutex mutex;
        static std::set<std::string> names;
        const std::lock_guard lock(mutex);
        latest = {outermost_, call, names.insert(std::string(outermost_) + ": " + call).first->c_str()};
    }
    return latest.name;
}

}  // namespace sfumato::runtime
