// SPDX-License-Identifier: Apache-2.0
// What an estimate adds up: pipes by kind of core, lines of the source, bytes.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "timing/event.h"
#include "timing/without.h"

namespace sfumato::timing {

class Ledger {
public:
    struct Pipe {
        Cycles busy = 0, waiting = 0;  // not at once: who waits for a flag while data are on their way is busy
        uint64_t records = 0;
    };
    struct Line {
        Where where;
        uint64_t records = 0, bytes = 0;
        std::array<double, isa::kPipeCount> busy{};
        double conflicts = 0;
        Causes causes{};
    };
    // Of a core.
    using Pipes = std::array<Pipe, isa::kPipeCount>;
    // The pipes of a core that has ended; cube or not.
    void Add(bool cube, const Pipes& pipes);
    // Of all cores of the kind.
    const Pipe& PipeOf(bool cube, isa::Pipe pipe) const { return pipes_[cube][static_cast<size_t>(pipe)]; }
    // A number for the line; 0 is no line.
    uint32_t LineOf(const Where& where);
    Line& line(uint32_t number) { return lines_[number]; }
    const std::vector<Line>& lines() const { return lines_; }
    // What a cause costs, in the unit its hint compares.
    void AddCause(Line& line, Without cause, double cost) {
        line.causes[static_cast<size_t>(cause)] += cost;
        causes[static_cast<size_t>(cause)] += cost;
    }
    // Cycles on the critical path's assumed costs are told by these names.
    void NoteAssumed(const char* call) { assumed_.insert(call); }
    // Sorted; two units may hold a name twice.
    std::set<std::string> assumed() const { return {assumed_.begin(), assumed_.end()}; }

    uint64_t records = 0, gm_read = 0, gm_written = 0;
    double l2_hits = 0, gm_moved = 0, conflicts = 0;
    uint64_t copies = 0, unaligned = 0, short_rows = 0, shared = 0;
    bool Few(uint64_t of_copies) const { return of_copies * 20 <= copies; }
    double vector_cycles = 0;
    uint64_t barriers = 0;  // of all pipes
    Causes causes{};        // of all lines

private:
    std::array<Pipes, 2> pipes_{};
    std::vector<Line> lines_ = std::vector<Line>(1);
    std::unordered_map<uint64_t, std::vector<uint32_t>> numbers_;
    struct Recent {
        const char* file = nullptr;
        uint32_t line = 0, number = 0;
    };
    std::array<Recent, 64> recent_{};
    std::unordered_set<const char*> assumed_;
};

}  // namespace sfumato::timing
