// SPDX-License-Identifier: Apache-2.0
// Random programs, and what their records touch, byte by byte.
#include <algorithm>

#include "races_reference.h"

namespace sfumato::sanitize::reference {
namespace {

using isa::CoreKind;
using isa::Memory;
using isa::Opcode;
using isa::Operand;
using isa::Pipe;
using Kind = Step::Kind;

constexpr std::array kPipes{Pipe::kV, Pipe::kM, Pipe::kMte1, Pipe::kMte2, Pipe::kMte3, Pipe::kFix};

class Generator {
public:
    explicit Generator(uint64_t seed) : random_(seed) {}

    Program Make() {
        const bool several = One(2);
        MakeCores(several ? 2 + Below(3) : 1);
        program_.auto_sync = One(2);
        program_.in_order = One(8);
        program_.on_chip = !several || program_.auto_sync || program_.in_order || !One(3);
        window_ = uint64_t{128} << Below(4);
        pipes_ = 2 + Below(kPipes.size() - 1);
        sync_ = Below(4) * 30;
        between_ = One(3) ? 40 : 10;
        scalars_ = Below(3) * 10;
        global_ = several ? 30 + Below(60) : 20;
        const size_t size = several ? 24 + Below(60) : 6 + Below(40);
        while (program_.steps.size() + open_.size() < size) {
            const auto core = static_cast<uint32_t>(Below(program_.cores.size()));
            if (!open_.empty() && One(3)) Close(Below(open_.size()));
            if (program_.cores.size() > 1 && Chance(between_)) {
                Between(core);
            } else if (Chance(sync_)) {
                Inside(core);
            } else {
                Access(core);
            }
        }
        while (!open_.empty()) Close(0);
        return std::move(program_);
    }

private:
    uint64_t Below(uint64_t n) { return random_() % n; }
    bool One(uint64_t of) { return Below(of) == 0; }
    bool Chance(uint64_t percent) { return Below(100) < percent; }
    Pipe AnyPipe() { return kPipes[Below(pipes_)]; }

    // Vector cores alone, or blocks of a cube core and two vector cores.
    void MakeCores(size_t count) {
        mix_ = count > 2 && One(2);
        for (size_t i = 0; i < count; ++i) {
            events::Place place{CoreKind::kVector, static_cast<uint32_t>(i), 0, 0, i, "core" + std::to_string(i)};
            if (mix_) {
                place.block = static_cast<uint32_t>(i / 3);
                place.kind = i % 3 == 0 ? CoreKind::kCube : CoreKind::kVector;
                place.sub_block = i % 3 == 2 ? 1 : 0;
            }
            program_.cores.push_back(place);
        }
    }

    Step& Add(Kind kind, uint32_t core, Pipe pipe, uint32_t group) {
        Step& step = program_.steps.emplace_back();
        step.kind = kind;
        step.core = core;
        step.pipe = pipe;
        step.group = group;
        return step;
    }

    // Synchronisation of one core.
    void Inside(uint32_t core) {
        const uint64_t which = Below(10);
        if (which == 0) {
            Step& step = Add(Kind::kAll, core, Pipe::kS, 0);
            step.record.Become(Opcode::pipe_barrier);
            step.record.pipe = Pipe::kAll;
        } else if (which < 4) {
            const Pipe pipe = AnyPipe();
            Add(Kind::kBarrier, core, pipe, 0).record.Become(Opcode::pipe_barrier);
        } else {
            const Pipe from = One(8) ? Pipe::kS : AnyPipe(), to = One(8) ? Pipe::kS : AnyPipe();
            if (from == to) return;
            isa::Flag flag;
            flag.from = from;
            flag.to = to;
            flag.event = static_cast<uint8_t>(static_cast<size_t>(from) * isa::kPipeCount + static_cast<size_t>(to));
            if (One(3)) {
                flag.token = ++tokens_;
            } else {
                flag.id = static_cast<int32_t>(Below(4));
                const auto same = [&](const Step& wait) {
                    const auto* other = wait.record.If<isa::Flag>();
                    return wait.core == core && other && !other->token && other->event == flag.event &&
                           other->id == flag.id;
                };
                const auto at = std::find_if(open_.begin(), open_.end(), same);
                if (at != open_.end()) Close(static_cast<size_t>(at - open_.begin()));
            }
            Step& set = Add(Kind::kSet, core, from, ++groups_);
            set.record.Become(Opcode::set_flag);
            set.record.Set(flag);
            Step wait = set;
            wait.kind = Kind::kWait;
            wait.pipe = to;
            wait.other = program_.steps.size() - 1;
            wait.record.Become(Opcode::wait_flag);
            wait.record.Set(flag);
            open_.push_back(wait);
            if (One(2)) Close(open_.size() - 1);
        }
    }

    void Close(size_t at) {
        program_.steps.push_back(open_[at]);
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(at));
    }

    // Synchronisation of several cores.
    void Between(uint32_t core) {
        const auto count = static_cast<uint32_t>(program_.cores.size());
        const uint32_t group = ++groups_;
        switch (Below(3)) {
            case 0: {
                for (uint32_t each = 0; each < count; ++each) Add(Kind::kMeet, each, Pipe::kS, group).counter = 1;
                break;
            }
            case 1: {
                const auto to = static_cast<uint32_t>(Below(count));
                Step& raise = Add(Kind::kRaise, core, Pipe::kS, group);
                raise.counter = 100 + core * 10 + to;
                Step reach = raise;
                reach.kind = Kind::kReach;
                reach.core = to;
                open_.push_back(reach);
                break;
            }
            default: {
                const auto mode = static_cast<uint8_t>(Below(mix_ ? 3 : 2));
                const auto id = static_cast<uint8_t>(mode * 2 + Below(2));
                for (uint32_t from = 0; from < count; ++from) Cross(from, mode, id, core, group);
            }
        }
    }

    // One core's part in a flag between the cores of which `core` is one.
    void Cross(uint32_t each, uint8_t mode, uint8_t id, uint32_t core, uint32_t group) {
        const auto& place = program_.cores[each];
        const auto& first = program_.cores[core];
        if (mode == 0 && place.kind != first.kind) return;
        if (mode != 0 && place.block != first.block) return;
        if (mode == 1 && place.kind != first.kind) return;
        // Of mode 2 both sides set and wait: the other side may be missing in the last block.
        Step& set = Add(Kind::kCrossSet, each, AnyPipe(), group);
        set.record.Become(Opcode::ffts_cross_core_sync);
        set.record.Set(isa::CrossFlag{mode, id});
        set.mode = mode;
        set.id = id;
        Step wait = set;
        wait.kind = Kind::kCrossWait;
        wait.pipe = Pipe::kS;
        wait.record.Become(Opcode::wait_flag_dev);
        wait.record.Set(isa::CrossFlag{0, id});
        open_.push_back(wait);
    }

    void Access(uint32_t core) {
        if (Chance(scalars_)) return Scalar(core);
        const Pipe pipe = AnyPipe();
        if (pipe == Pipe::kV) return Vector(core);
        Step& step = Add(Kind::kRecord, core, pipe, 0);
        step.record.Become(Opcode::data_move);
        step.record.operand_count = 2;
        const Memory local = One(4) ? Memory::kL1 : Memory::kUb;
        std::array memories{local, local};
        if (Chance(global_)) memories[Below(2)] = Memory::kGm;
        const bool atomic = memories[0] == Memory::kGm && One(4);
        if (atomic) step.record.control.atomic = isa::Atomic::kAdd;
        isa::Move move;
        // Few bytes, as polls have; or rows with gaps.
        move.block_bytes = One(3) ? 8 << Below(4) : 32 * (1 + Below(3));
        move.block_count = static_cast<uint32_t>(One(2) ? 1 : 1 + Below(4));
        move.src_pitch = move.block_bytes + 32 * Below(3);
        move.dst_pitch = move.block_bytes + 32 * Below(3);
        const auto fits = [&](uint64_t pitch) { return (move.block_count - 1) * pitch + move.block_bytes <= window_; };
        if (!fits(move.src_pitch) || !fits(move.dst_pitch)) move.block_count = 1;
        step.record.Set(move);
        for (size_t i = 0; i < 2; ++i) {
            const uint64_t pitch = i == 0 ? move.dst_pitch : move.src_pitch;
            Operand& o = step.record.operand[i];
            o.memory = memories[i];
            if (o.memory == Memory::kGm) o.allocation = static_cast<uint32_t>(Below(2));
            const uint64_t begin = Place((move.block_count - 1) * pitch + move.block_bytes, One(2) ? 32 : 8);
            o.offset = kWindowBegin + begin;
            Touch touch{o.memory, o.allocation, i == 1 ? Way::kRead : atomic ? Way::kAtomic : Way::kWrite, {}};
            for (uint64_t block = 0; block < move.block_count; ++block) {
                for (uint64_t byte = 0; byte < move.block_bytes; ++byte) touch.bytes.set(begin + block * pitch + byte);
            }
            step.touches.push_back(touch);
        }
    }

    // Where so many bytes may lie in the window.
    uint64_t Place(uint64_t bytes, uint64_t align) { return Below((window_ - bytes) / align + 1) * align; }

    void Vector(uint32_t core) {
        Step& step = Add(Kind::kRecord, core, Pipe::kV, 0);
        isa::Record& r = step.record;
        const bool binary = One(2);
        r.Become(binary ? Opcode::vadd : Opcode::vadds);
        r.operand_count = binary ? 3 : 2;
        const bool is_float = One(2);
        const uint64_t size = is_float ? 4 : 2, lanes = 256 / size, per_block = 32 / size;
        for (size_t i = 0; i < r.operand_count; ++i) {
            Operand& o = r.operand[i];
            o.memory = Memory::kUb;
            o.type = is_float ? DataType::kFloat : DataType::kHalf;
            o.block_stride = static_cast<uint32_t>(Below(4));
            o.repeat_stride = static_cast<uint32_t>(Below(10));
        }
        r.repeat = static_cast<uint32_t>(1 + Below(2));
        r.mask.mode = static_cast<isa::MaskMode>(Below(4));
        r.mask.count = 1 + Below(r.mask.mode == isa::MaskMode::kContinuous ? lanes : 2 * lanes);
        if (r.mask.mode == isa::MaskMode::kBits)
            r.mask.bits = {random_() & random_(), is_float ? 0 : random_() & random_()};
        // Which lanes of which repeat.
        const bool total = r.mask.mode == isa::MaskMode::kCount || r.mask.mode == isa::MaskMode::kCounter;
        const auto active = [&](uint64_t repeat, uint64_t lane) {
            if (total) return repeat * lanes + lane < r.mask.count;
            if (r.mask.mode == isa::MaskMode::kContinuous) return lane < r.mask.count;
            return ((r.mask.bits[lane / 64] >> (lane % 64)) & 1) != 0;
        };
        for (size_t i = 0; i < r.operand_count; ++i) {
            Operand& o = r.operand[i];
            const auto at = [&](uint64_t repeat, uint64_t lane) {
                if (r.mask.mode == isa::MaskMode::kCount) return (repeat * lanes + lane) * size;
                return repeat * o.repeat_stride * 32 + lane / per_block * o.block_stride * 32 + lane % per_block * size;
            };
            Touch touch{Memory::kUb, 0, i == 0 ? Way::kWrite : Way::kRead, {}};
            uint64_t end = 0;
            for (uint64_t repeat = 0; repeat < (total ? 2 : r.repeat); ++repeat) {
                for (uint64_t lane = 0; lane < lanes; ++lane) {
                    if (active(repeat, lane)) end = std::max(end, at(repeat, lane) + size);
                }
            }
            if (end > kWindow) {
                o.block_stride = 1, o.repeat_stride = 8;
                end = 512;
            }
            const uint64_t begin = end >= window_ ? Below((kWindow - end) / 32 + 1) * 32 : Place(end, 32);
            o.offset = kWindowBegin + begin;
            for (uint64_t repeat = 0; repeat < (total ? 2 : r.repeat); ++repeat) {
                for (uint64_t lane = 0; lane < lanes; ++lane) {
                    for (uint64_t byte = 0; active(repeat, lane) && byte < size; ++byte)
                        touch.bytes.set(begin + at(repeat, lane) + byte);
                }
            }
            step.touches.push_back(touch);
        }
    }

    void Scalar(uint32_t core) {
        Step& step = Add(Kind::kScalar, core, Pipe::kS, 0);
        const uint64_t bytes = uint64_t{1} << Below(4), begin = Place(bytes, bytes);
        Touch touch{Chance(global_) ? Memory::kGm : Memory::kUb, 0, One(2) ? Way::kRead : Way::kWrite, {}};
        if (touch.memory == Memory::kGm) touch.allocation = static_cast<uint32_t>(Below(2));
        for (uint64_t i = 0; i < bytes; ++i) touch.bytes.set(begin + i);
        step.touches.push_back(touch);
    }

    std::mt19937_64 random_;
    Program program_;
    std::vector<Step> open_;  // waits that are still to come
    uint64_t window_ = 0, pipes_ = 0, sync_ = 0, between_ = 0, scalars_ = 0, global_ = 0, tokens_ = 0;
    uint32_t groups_ = 0;
    bool mix_ = false;
};

}  // namespace

Program RandomProgram(uint64_t seed) { return Generator(seed).Make(); }

Program Without(const Program& program, size_t step) {
    Program rest = program;
    rest.steps.clear();
    std::vector<size_t> at(program.steps.size());
    const uint32_t group = program.steps[step].group;
    for (size_t i = 0; i < program.steps.size(); ++i) {
        at[i] = rest.steps.size();
        if (i == step || (group != 0 && program.steps[i].group == group)) continue;
        rest.steps.push_back(program.steps[i]);
        if (rest.steps.back().kind == Kind::kWait) rest.steps.back().other = at[program.steps[i].other];
    }
    return rest;
}

std::string Print(const Step& step) {
    static constexpr std::array kNames{"",          "scalar",     "set",   "wait",  "barrier", "all",
                                       "cross set", "cross wait", "raise", "reach", "meet"};
    std::string text = "core " + std::to_string(step.core) + " " + isa::Name(step.pipe) + " ";
    text += step.kind == Kind::kRecord || step.record.If<isa::Flag>() ? isa::Print(step.record)
                                                                      : kNames[static_cast<size_t>(step.kind)];
    if (step.counter) text += " " + std::to_string(step.counter);
    if (step.record.If<isa::CrossFlag>())
        text += " mode " + std::to_string(step.mode) + " id " + std::to_string(step.id);
    for (const Touch& touch : step.touches) {
        static constexpr std::array kWays{"reads", "writes", "adds to"};
        text += std::string("; ") + kWays[static_cast<size_t>(touch.way)] + " " + isa::Name(touch.memory) +
                std::to_string(touch.allocation);
        for (uint64_t i = 0; i < kWindow; ++i) {
            if (!touch.bytes[i] || (i > 0 && touch.bytes[i - 1])) continue;
            uint64_t end = i;
            while (end < kWindow && touch.bytes[end]) ++end;
            text += " " + std::to_string(kWindowBegin + i) + ".." + std::to_string(kWindowBegin + end - 1);
        }
    }
    return text;
}

}  // namespace sfumato::sanitize::reference
