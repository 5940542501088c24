// SPDX-License-Identifier: Apache-2.0
// Causes of lost time, and what a model of the launch without one of them leaves out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "soc/timing.h"
#include "timing/event.h"

namespace sfumato::timing {

enum class Without : uint8_t {
    kNothing,
    kConflicts,  // UB bank conflicts
    kUnaligned,  // rows that begin or end inside lines of 512 bytes
    kSmall,      // what a copy takes at least, however small
    kShortRows,  // what ND2NZ takes for each row, and its loss on rows below 512 bytes
    kSameLines,  // that cores wait for each other at lines they all read
    kRereads,    // of what L2 had and gave up: one large enough
    kOnePass,    // the room in L2 of inputs that are read once
    kHeads,      // of vector instructions of few repeats
    kReduction,  // what ReduceRepeat costs above Add
    kLoadHeads,  // of Load2D
    kStarved,    // what an Mmad that waited takes longer
    kOddWidth,   // of Fixpipe; nothing is known of how much it costs
    kBuffers,    // flags by which a later pipe gives a buffer back to an earlier one
    kBarriers,   // PipeBarrier<PIPE_ALL>
    kScalar,     // accesses of the scalar unit to memory
    kIssue,      // of instructions
    kCount
};

// Of each cause; what of depends on it.
using Causes = std::array<double, static_cast<size_t>(Without::kCount)>;

constexpr uint64_t kGmLine = 512;  // bytes a request of global memory costs whole
constexpr double kFewCycles = 66;  // a vector instruction is short when its head of 22 is more than a quarter
constexpr uint64_t kSmallCopy = 16384;

// The names of the hints about the causes, by their numbers.
std::vector<std::string> CauseNames();
// The causes of a slice, as bits.
constexpr uint32_t BitOf(Without cause) { return 1u << static_cast<uint32_t>(cause); }

bool IsNd2Nz(const Event& event);
// Whether it sets or awaits a flag by which a later pipe gives a buffer back to an earlier one.
bool GivesBack(const Event& event);

// Takes the cause out of an event and of the constants.
void Remove(Without without, Event& event);
void Remove(Without without, soc::TimingConstants& constants);

}  // namespace sfumato::timing
