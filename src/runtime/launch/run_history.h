// SPDX-License-Identifier: Apache-2.0
// What one run executed, in its order: who wrote a byte last, and which two steps another run has the other way round.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "events/conflict.h"
#include "isa/record.h"
#include "runtime/memory/image.h"
#include "events/listener.h"

namespace sfumato::runtime {

// A record that moves or computes, or a read of the scalar unit.
struct Step {
    uint64_t core = 0;
    std::string core_name;
    uint64_t number = 0;  // the record's index, or which scalar access of the core it is: the same in every order
    std::variant<isa::Record, events::ScalarAccess> what;

    const isa::Record* record() const { return std::get_if<isa::Record>(&what); }
    std::tuple<uint64_t, bool, uint64_t> key() const { return {core, record() != nullptr, number}; }
    uint64_t index() const;
    Where where() const;
    const char* call() const;
    isa::Pipe pipe() const { return record() ? record()->pipe : isa::Pipe::kS; }
    // Exactly, but that what offsets in memory may reach counts; `visit` of every run.
    void Visit(const std::function<void(const events::Access&)>& visit) const;
    bool Writes(const GmByte& byte) const;
    // Whether it writes some of these bytes, of a memory of its own core or of GM.
    bool WritesSome(const events::Access& bytes) const;
    // The element type of what it writes to GM.
    std::optional<DataType> TypeInGm() const;
};

// Two steps that touch common bytes, one of them writing, in the order of the first run.
struct SwappedSteps {
    const Step *first, *second;
    events::Access bytes;  // the hull of what they share in one memory
};

// The steps of one launch, in the order of their execution; the runs are of one core at a time.
class RunHistory {
public:
    explicit RunHistory(GmByte watched) : watched_(watched) {}
    // What feeds it; the history must outlive the launch.
    std::unique_ptr<events::Listener> Watch();

    // Null when no instruction did it: a raw pointer, or nobody.
    const Step* writer() const { return writer_ ? &*writer_ : nullptr; }
    // Which steps made the byte another: looked for from its writers backwards through what they read. `other`: the run
    // that left another byte. None where nothing is found; only the last steps of a launch are kept.
    std::optional<SwappedSteps> FindSwapped(const RunHistory& other) const;

private:
    class Feed;
    class CoreFeed;
    static constexpr size_t kMostSteps = 1 << 16;

    void Add(Step step);
    // Whether some of what step `from` did to the bytes is still there at step `to`: no step between covers them all.
    bool Reaches(size_t from, size_t to, const events::Access& bytes) const;
    std::map<std::tuple<uint64_t, bool, uint64_t>, size_t> Places() const;

    const GmByte watched_;
    std::mutex mutex_;
    std::deque<Step> steps_;  // half a KiB each: never moved
    std::optional<Step> writer_;
};

}  // namespace sfumato::runtime
