// SPDX-License-Identifier: Apache-2.0
// Parts of stores, and when they arrive.
#include "runtime/world/held_stores.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "events/flag_key.h"
#include "isa/geometry.h"
#include "isa/rank_block.h"
#include "isa/touched.h"
#include "runtime/cores/core.h"
#include "runtime/launch/launch_state.h"

namespace sfumato::runtime {
namespace {

using isa::Pipe;

constexpr uint64_t kWholeAcrossBursts = 32;
constexpr PipeSet kHeldPipes = SetOf(Pipe::kMte3) | SetOf(Pipe::kFix);
// A part that comes in any order comes from the newest or the oldest so many.
constexpr size_t kChoice = 32;

uint64_t BurstBytes(const isa::Record& record) {
    if (const auto* move = record.If<isa::Move>()) return MoveBlockBytes(record, *move, 0);
    if (const auto* move = record.If<isa::MovePad>()) return MoveBlockBytes(record, *move, 0);
    return 0;
}

}  // namespace

HeldStores::HeldStores(Core& core, const Schedule& schedule)
    : core_(core),
      random_order_(schedule.seed != 0 || schedule.kind == Schedule::Kind::kSeed),
      yields_at_random_(schedule.kind == Schedule::Kind::kSeed),
      random_(schedule.seed, core.place().order + 1) {}

HeldStores::~HeldStores() {
    while (!parts_.empty()) Store(parts_.size() - 1);
}

uint8_t* HeldStores::Memory(const Part& part) const { return core_.GmBase(part.allocation) + part.bytes.begin; }

void HeldStores::Begin(const isa::Record& record) {
    for (int i = 0; i < record.operand_count && !parts_.empty(); ++i) {
        const isa::Operand& operand = record.operand[static_cast<size_t>(i)];
        if (operand.memory == isa::Memory::kGm) Touch(operand.allocation, SpanOf(record, i));
    }
    if ((kHeldPipes & SetOf(record.pipe)) == 0 || isa::IsControl(record) || record.operand_count == 0) return;
    const isa::Operand& dst = record.dst();
    if (dst.memory == isa::Memory::kGm && core_.launch().IsShared(dst.allocation) && !isa::IsAtomic(record))
        Cut(record);
}

// What may arrive alone. Bursts that follow each other are one run, so they are parted here.
void HeldStores::Cut(const isa::Record& record) {
    ++stores_;
    const uint32_t allocation = record.dst().allocation;
    const auto base = reinterpret_cast<uint64_t>(core_.GmBase(allocation));
    const uint64_t burst = BurstBytes(record);
    const auto add = [&](isa::Span bytes) {
        new_parts_.push_back({stores_, record.pipe, allocation, bytes, bytes_.size(), false});
        const uint8_t* memory = Memory(new_parts_.back());
        bytes_.insert(bytes_.end(), memory, memory + (bytes.end - bytes.begin));
    };
    const uint8_t* ub = core_.map().base[static_cast<int>(isa::Memory::kUb)];
    ForEachRun(record, 0, ub, [&](const isa::Span& run) {
        uint64_t next_burst = burst;
        for (uint64_t begin = run.begin, end; begin < run.end; begin = end) {
            end = std::min(run.end, begin + isa::kRankBlock - (base + begin) % isa::kRankBlock);
            for (; burst != 0 && run.begin + next_burst < end; next_burst += burst) {
                const uint64_t cut = run.begin + next_burst - (base + run.begin + next_burst) % kWholeAcrossBursts;
                if (cut <= begin) continue;
                end = cut;
                break;
            }
            add({begin, end});
        }
    });
}

void HeldStores::End() {
    for (Part& part : new_parts_) {
        uint8_t* const memory = Memory(part);
        const uint64_t bytes = part.bytes.end - part.bytes.begin;
        if (std::memcmp(memory, &bytes_[part.at], bytes) == 0) continue;
        std::swap_ranges(memory, memory + bytes, &bytes_[part.at]);
        const auto block = [](const uint8_t* p) { return reinterpret_cast<uint64_t>(p) / kWholeAcrossBursts; };
        if (!parts_.empty() && parts_.back().number == part.number) {
            const Part& last = parts_.back();
            part.joined = block(Memory(last) + (last.bytes.end - last.bytes.begin) - 1) == block(memory);
        }
        parts_.push_back(part);
    }
    new_parts_.clear();
    if (parts_.empty()) bytes_.clear();
}

void HeldStores::Touch(uint32_t allocation, isa::Span bytes) {
    for (size_t i = parts_.size(); i > 0; --i) {
        if (i > parts_.size()) continue;
        const Part& part = parts_[i - 1];
        if (part.allocation == allocation && part.bytes.Overlaps(bytes)) Store(i - 1);
    }
}

void HeldStores::Passed(const isa::Record& control) {
    if (parts_.empty()) return;
    if (const auto* flag = control.If<isa::Flag>()) {
        if ((kHeldPipes & SetOf(flag->from)) == 0) return;
        const uint64_t key = events::FlagKey(*flag, core_.launch().options.flags);
        if (control.op == isa::Opcode::set_flag) {
            sets_[key] = stores_;
        } else if (const auto set = sets_.find(key); set != sets_.end()) {
            Arrive(SetOf(flag->from), set->second);
        }
    } else {
        // A barrier, or a flag for other cores.
        Arrive(control.pipe == Pipe::kAll ? kHeldPipes : SetOf(control.pipe), stores_);
    }
}

void HeldStores::ArriveAll() { Arrive(kHeldPipes, stores_); }

void HeldStores::Arrive(PipeSet pipes, uint64_t before) {
    if (arriving_) return;
    struct Arriving {
        explicit Arriving(bool& of) : flag(of) { flag = true; }
        ~Arriving() { flag = false; }
        bool& flag;
    } const arriving(arriving_);
    // Behind the first, the second, the fourth and so on: what a flag was to come behind is often thousands of parts.
    for (size_t arrived = 0;; ++arrived) {
        const size_t next = Next(pipes, before);
        if (next == parts_.size()) break;
        if (std::has_single_bit(arrived)) LetOthersRun();
        Store(next);
    }
    if (!parts_.empty() || !new_parts_.empty()) return;
    bytes_.clear();
    sets_.clear();
}

size_t HeldStores::Next(PipeSet pipes, uint64_t before) {
    const auto due = [&](const Part& part) { return (pipes & SetOf(part.pipe)) != 0 && part.number <= before; };
    const bool oldest = random_order_ && random_.Next() % 2 == 0;
    size_t left = random_order_ ? random_.Next() % kChoice : 0;
    size_t found = parts_.size();
    for (size_t i = 0; i < parts_.size(); ++i) {
        const size_t at = oldest ? i : parts_.size() - 1 - i;
        if (!due(parts_[at])) continue;
        found = at;
        if (left-- == 0) break;
    }
    return found;
}

void HeldStores::Store(size_t part) {
    size_t first = part, end = part + 1;
    while (parts_[first].joined && first > 0) --first;
    while (end < parts_.size() && parts_[end].joined) ++end;
    for (size_t i = first; i < end; ++i) {
        core_.launch().stores.Note(core_.place().order, parts_[i].allocation, parts_[i].bytes);
        std::memcpy(Memory(parts_[i]), &bytes_[parts_[i].at], parts_[i].bytes.end - parts_[i].bytes.begin);
    }
    const auto at = [this](size_t i) { return parts_.begin() + static_cast<std::ptrdiff_t>(i); };
    parts_.erase(at(first), at(end));
}

void HeldStores::LetOthersRun() {
    if (!yields_at_random_) {
        core_.waits().GoBehind(false);
    } else if (random_.Next() % 4 == 0) {
        core_.waits().GiveWay();
    }
}

}  // namespace sfumato::runtime
