// SPDX-License-Identifier: Apache-2.0
// Moves in parts of global memory that their core has for itself: the same is found as where every part is shared.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sanitize/races.h"

namespace sfumato::sanitize {
namespace {

using isa::Memory;
using isa::Pipe;

constexpr uint64_t kBytes = 3 * OwnParts::kPart;
constexpr uint32_t kFirstLook = 99;  // the line of the accesses that share all parts

using Lines = std::set<std::pair<uint32_t, uint32_t>>;

struct Move {
    uint32_t core, line;
    const char* call;
    isa::Record record;
};

isa::Record MoveOf(bool stores, uint64_t offset, uint64_t bytes, uint32_t blocks) {
    isa::Record record(isa::Opcode::data_move);
    record.pipe = stores ? Pipe::kMte3 : Pipe::kMte2;
    record.operand_count = 2;
    auto& move = record.As<isa::Move>();
    move.block_count = blocks;
    move.block_bytes = bytes;
    move.src_pitch = move.dst_pitch = bytes + 32;
    record.operand[0].memory = stores ? Memory::kGm : Memory::kUb;
    record.operand[1].memory = stores ? Memory::kUb : Memory::kGm;
    record.operand[stores ? 0 : 1].offset = offset;
    return record;
}

// The pairs of lines that race, but for the first looks. Which bytes a report of a pair names hangs on how parts were
// touched before. shared: every core looks at all bytes before.
Lines Found(const std::vector<Move>& moves, bool shared) {
    std::vector<uint8_t> content(kBytes), ub(kBytes);
    const soc::Chip& chip = soc::FindChip("Ascend910B1");
    LaunchView launch{chip, Checks::Parse("default"), true, FlagIdentity::kEvent, 2, 0, 0, Severity::kNote, {}, {}, {}};
    launch.name_of = [](uint64_t core) { return "core" + std::to_string(core); };
    launch.gm.push_back({content.data(), kBytes, "gm", GmRole::kWorkspace, true, {}});
    uint8_t* gm[] = {content.data()};
    isa::MemoryMap memory{};
    memory.gm = gm;
    memory.base[static_cast<size_t>(Memory::kUb)] = ub.data();
    Races races(launch);
    std::vector<std::unique_ptr<events::Told>> cores;
    std::vector<uint64_t> indices(2);
    for (uint32_t core = 0; core < 2; ++core) {
        const events::Place place{isa::CoreKind::kVector, core, 0, 1, core, launch.name_of(core)};
        cores.push_back(std::make_unique<events::Told>());
        cores[core]->Add(races.Begin(place, [](const Report&) { ADD_FAILURE() << "of one core"; }), false);
    }
    const auto run = [&](Move move) {
        const events::Told& told = *cores[move.core];
        move.record.index = indices[move.core]++;
        move.record.where = {"kernel.cpp", move.line};
        move.record.call = move.call;
        told(events::Issued{move.record, false});
        told(events::Executing{move.record, memory});
        told(events::Executed{move.record, memory});
    };
    for (uint32_t core = 0; core < 2; ++core) {
        if (shared) run({core, kFirstLook, "Look", MoveOf(false, 0, kBytes, 1)});
        indices[core] = 1;
    }
    for (const Move& move : moves) run(move);
    Lines found;
    for (const Report& report : races.Finish(true)) {
        if (report.line == kFirstLook || report.related.front().line == kFirstLook) continue;
        found.emplace(report.line, report.related.front().line);
    }
    return found;
}

// By the bytes alone: nothing orders the two cores.
bool Race(const std::vector<Move>& moves, uint32_t line, uint32_t other) {
    const auto of_gm = [](const Move& m) { return m.record.dst().memory == Memory::kGm ? 0 : 1; };
    const auto block = [&](const Move& m, uint64_t number) {
        const isa::Move& move = *m.record.If<isa::Move>();
        const uint64_t begin =
            m.record.operand[static_cast<size_t>(of_gm(m))].offset + number * uint64_t{move.src_pitch};
        return isa::Span{begin, begin + move.block_bytes};
    };
    for (const Move& a : moves) {
        for (const Move& b : moves) {
            if (a.line != line || b.line != other || a.core == b.core) continue;
            const bool stores_a = of_gm(a) == 0, stores_b = of_gm(b) == 0;
            const bool atomic = stores_a && stores_b && isa::IsAtomic(a.record) && isa::IsAtomic(b.record);
            if (!(stores_a || stores_b) || atomic) continue;
            for (uint64_t i = 0; i < 4; ++i) {
                const uint64_t x = i / 2, y = i % 2;
                if (x >= a.record.If<isa::Move>()->block_count || y >= b.record.If<isa::Move>()->block_count) continue;
                if (block(a, x).Overlaps(block(b, y))) return true;
            }
        }
    }
    return false;
}

TEST(OwnMoves, AreFoundAsAmongSharedParts) {
    uint64_t found = 0;
    for (uint32_t seed = 0; seed < 300; ++seed) {
        std::mt19937 random(seed);
        std::vector<Move> moves;
        // One core works alone at first; few lines, so that they come again, some with two calls.
        for (int i = 0; i < 60; ++i) {
            const uint32_t core = i < 30 || random() % 3 != 0 ? 0 : 1;
            const uint32_t line = 16 * (1 + random() % 2) + 4 * core + random() % 2;
            const uint32_t blocks = random() % 4 == 0 ? 2 : 1;
            const uint32_t sizes = random() % 3 == 0 ? 500 : 10;
            const uint64_t bytes = random() % 5 == 0 ? 32 : 96 + 32 * (random() % sizes);
            const uint64_t room = kBytes - blocks * (bytes + 32);
            const uint64_t part = 1 + random() % 2, before = random() % 3;
            const uint64_t at =
                random() % 3 == 0 ? OwnParts::kPart * part - 32 * before : random() % 64 * (kBytes / 64);
            Move move{core, line, random() % 8 == 0 ? "Copy" : "DataCopy",
                      MoveOf(random() % 2 == 0, std::min(at, room), bytes, blocks)};
            if (move.record.dst().memory == Memory::kGm && random() % 5 == 0)
                move.record.control.atomic = isa::Atomic::kAdd;
            moves.push_back(move);
        }
        const Lines plain = Found(moves, true);
        // Alone, a core's part keeps more of its accesses than the history does once a later one stands for them: all
        // that the history tells is told, and what is told besides races, too.
        const Lines kept = Found(moves, false);
        EXPECT_TRUE(std::ranges::includes(kept, plain)) << seed;
        for (const auto& [line, other] : kept) EXPECT_TRUE(Race(moves, line, other)) << seed;
        found += plain.size();
    }
    EXPECT_GT(found, 300u);
}

}  // namespace
}  // namespace sfumato::sanitize
