// SPDX-License-Identifier: Apache-2.0
// How undefined bits go through records, against an oracle that knows nothing of shadows: the record runs several
// times, and only its undefined bytes differ. What differs afterwards must be undefined; where the instruction loses
// nothing, what is undefined must differ.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <random>
#include <set>

#include "check/records.h"
#include "check/touched_shapes.h"
#include "exec/exec.h"
#include "isa/touched.h"
#include "isa/vector_registers.h"
#include "sanitize/init.h"

namespace sfumato::sanitize {
namespace {

using isa::Form;
using isa::Memory;
using isa::Opcode;
using isa::Record;
using isa::Span;

constexpr uint8_t kFill = 0xFE;
constexpr int kRuns = 8;
constexpr uint64_t kGmBytes = 4096;

// The memories of a core, and one allocation.
class Memories {
public:
    Memories() {
        for (auto& bytes : on_chip_) bytes.resize(1 << 20);
        gm_.resize(kGmBytes + 64);
        for (size_t i = 0; i < gm_base_.size(); ++i) gm_base_[i] = gm_.data();
        for (size_t m = 0; m < on_chip_.size(); ++m) map_.base[m] = on_chip_[m].data();
        map_.gm = gm_base_.data();
    }
    const isa::MemoryMap& map() const { return map_; }
    uint8_t* gm() { return gm_.data(); }
    uint8_t* Of(const isa::Operand& o) {
        return o.memory == Memory::kGm ? gm_.data() : on_chip_[static_cast<size_t>(o.memory)].data();
    }

private:
    std::array<std::vector<uint8_t>, isa::kMemoryCount> on_chip_;
    std::vector<uint8_t> gm_;
    std::array<uint8_t*, 2> gm_base_{};
    isa::MemoryMap map_;
};

// Numbers that sums and products keep apart, as bits of a type.
uint64_t Small(DataType type, int value) {
    constexpr uint16_t kHalves[] = {0x3C00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700, 0x4800};
    switch (type) {
        case DataType::kHalf: return kHalves[value];
        case DataType::kFloat: return __builtin_bit_cast(uint32_t, static_cast<float>(value + 1));
        case DataType::kBfloat16: return __builtin_bit_cast(uint32_t, static_cast<float>(value + 1)) >> 16;
        case DataType::kInt4: return static_cast<uint64_t>(value % 7 + 1) | static_cast<uint64_t>(value % 7 + 1) << 4;
        default: return static_cast<uint64_t>(value + 1);
    }
}

// One record with undefined bytes in its sources.
class Trial {
public:
    Trial(Memories* memories, std::mt19937_64* random, const Record& record, const soc::Chip& chip, bool small)
        : memories_(*memories), random_(*random), record_(record), chip_(chip), small_(small) {
        for (int i = 0; i < record.operand_count; ++i) operands_.push_back(record.operand[static_cast<size_t>(i)]);
        const Span words = WordsSpan(record);
        for (size_t i = 0; i < operands_.size(); ++i) hulls_.push_back(SpanOf(record, static_cast<int>(i)));
        if (words.begin != words.end) {
            isa::Operand o = operands_[0];
            o.memory = Memory::kUb, o.type = DataType::kUint8, o.offset = words.begin;
            operands_.push_back(o);
            hulls_.push_back(words);
        }
        isa::Operand registers;
        registers.memory = Memory::kRegister;
        registers.type = DataType::kUint8;
        operands_.push_back(registers);
        hulls_.push_back({0, isa::kVectorRegisterBytes});
    }

    // The content; offsets lead inside. False: it cannot be.
    bool Prepare() {
        for (const Span& hull : hulls_) {
            if (hull.end > 1 << 20) return false;
        }
        for (size_t i = 1; i < operands_.size(); ++i) {
            const bool same = operands_[i].memory == operands_[0].memory && hulls_[i].Overlaps(hulls_[0]);
            apart_ = apart_ && !same;
            for (size_t k = 1; k < i; ++k) {
                apart_ = apart_ && !(operands_[i].memory == operands_[k].memory && hulls_[i].Overlaps(hulls_[k]));
            }
        }
        if (!apart_ && record_.form() == Form::kFixpipe) return false;
        for (size_t i = 0; i < operands_.size(); ++i) {
            FillOperand(i, false);
            for (uint64_t at = hulls_[i].begin; at < hulls_[i].end; ++at) defined_.insert(Key(i, at));
        }
        const int offsets = record_.form() == Form::kGather || record_.form() == Form::kGatherBlocks ||
                                    record_.form() == Form::kScatter || record_.form() == Form::kInterpolate
                                ? 2
                                : -1;
        if (offsets > 0) {
            const isa::Operand& reached = record_.operand[record_.form() == Form::kScatter ? 0 : 1];
            const uint64_t room = reached.limit - reached.offset;
            for (uint64_t at = hulls_[2].begin; at + 4 <= hulls_[2].end; at += 4) {
                const auto offset = static_cast<uint32_t>(random_() % std::min<uint64_t>(room, 2048) / 32 * 32);
                std::memcpy(memories_.Of(operands_[2]) + at, &offset, 4);
            }
            chooser_ = 2;
        }
        if (record_.form() == Form::kGatherMask && record_.operand_count == 3) chooser_ = 2;
        for (size_t i = 0; i < operands_.size(); ++i) {
            const bool read = static_cast<int>(i) != chooser_;
            const bool work = record_.form() == Form::kReduceTensor && i == 2;
            if (read && !work && i + 1 != operands_.size()) Undefine(i);
        }
        const check::Context context{&chip_, check::kGm, &sink_, false};
        const uint8_t* ub = memories_.map().base[static_cast<int>(Memory::kUb)];
        return (!check::ReadsContents(record_) || CheckContents(record_, context, ub)) && !undefined_.empty();
    }

    void Run(std::map<Opcode, std::array<int, 2>>* seen, const std::set<Opcode>& exact) {
        // The shadow's view, before anything runs.
        std::vector<GmAllocation> gm;
        for (int i = 0; i < 2; ++i) gm.push_back({memories_.gm(), kGmBytes, "gm", GmRole::kWorkspace, true});
        const LaunchView view{
            chip_, Checks::Parse("init"), true, FlagIdentity::kEvent, 1, kFill, kFill, Severity::kNote, gm, {}, {}};
        InitDetector detector(view);
        int told = 0;
        events::Told core;
        core.Add(detector.Begin({}, [&](Report) { ++told; }), true);
        const auto access = [&](size_t i, uint64_t at, bool write, const char* call, uint64_t index) {
            const events::ScalarAccess of_byte{
                operands_[i].memory, operands_[i].allocation, {at, at + 1}, write, call, {"kernel.cpp", 1}, index};
            const uint8_t* instead = nullptr;
            core(events::Accessed{of_byte, memories_.map(), instead}, true);
        };
        for (size_t i = 0; i < operands_.size(); ++i) {
            for (uint64_t at = hulls_[i].begin; at < hulls_[i].end; ++at) {
                if (undefined_.count(Key(i, at))) continue;
                access(i, at, true, "SetValue", 0);
            }
        }
        const auto saved = Save();
        core(events::Executing{record_, memories_.map()}, true);
        ASSERT_EQ(told, 0) << isa::Print(record_);
        exec::Execute(record_, memories_.map());
        core(events::Executed{record_, memories_.map()}, true);
        const auto reference = Save();
        // The elements of proposals that no field has: nobody writes them, and they go along as if defined (decided).
        const auto is_reserved = [&](uint64_t at) {
            const uint64_t size = std::max<uint64_t>(1, BytesOf(record_.dst().type, 1));
            return record_.op == Opcode::vconcat && (at - record_.dst().offset) / size % 8 >= 6;
        };
        std::vector<std::vector<bool>> differs(operands_.size());
        for (size_t i = 0; i < operands_.size(); ++i) differs[i].resize(hulls_[i].end - hulls_[i].begin);
        for (int run = 0; run < kRuns; ++run) {
            Restore(saved);
            for (size_t i = 0; i < operands_.size(); ++i) FillOperand(i, true);
            exec::Execute(record_, memories_.map());
            const auto now = Save();
            for (size_t i = 0; i < operands_.size(); ++i) {
                for (size_t k = 0; k < now[i].size(); ++k) {
                    if (now[i][k] != reference[i][k]) differs[i][k] = true;
                }
            }
        }
        Restore(reference);
        const auto is_undefined = [&](size_t i, uint64_t at) {
            const int before = told;
            access(i, at, false, "GetValue", 1);
            return told != before;
        };
        std::vector<std::vector<bool>> undefined(operands_.size());
        for (size_t i = 0; i < operands_.size(); ++i) {
            for (uint64_t at = hulls_[i].begin; at < hulls_[i].end; ++at) undefined[i].push_back(is_undefined(i, at));
        }
        bool any = false;
        for (size_t i = 0; i < operands_.size(); ++i) {
            for (uint64_t at = hulls_[i].begin; at < hulls_[i].end; ++at) {
                if (!differs[i][at - hulls_[i].begin] || (i == 0 && is_reserved(at))) continue;
                any = true;
                ASSERT_TRUE(undefined[i][at - hulls_[i].begin])
                    << "operand " << i << ", byte " << at << " of " << isa::Print(record_);
            }
        }
        (*seen)[record_.op][0] += any;
        if (!exact.count(record_.op) || !apart_) return;
        // Whole elements of the destination that were written.
        const uint64_t size = std::max<uint64_t>(1, BytesOf(record_.dst().type, 1));
        ForEachRun(record_, 0, memories_.map().base[static_cast<int>(Memory::kUb)], [&](const Span& run) {
            for (uint64_t at = run.begin; at < run.end; at += size) {
                bool tainted = false, changed = false;
                for (uint64_t k = at; k < std::min(at + size, run.end); ++k) {
                    tainted = tainted || undefined[0][k - hulls_[0].begin];
                    changed = changed || differs[0][k - hulls_[0].begin];
                }
                if (!tainted || changed || IsOutside((at - hulls_[0].begin) / size)) continue;
                if ((*seen)[record_.op][1]++ == 0) ADD_FAILURE() << "byte " << at << " of " << isa::Print(record_);
            }
        });
    }

private:
    // Elements of the last fractals of C beyond m and n are nobody's, also after a Mmad.
    // Load3Dv2 leaves the same in fractals its window does not fill, and Sfumato a pattern there.
    bool IsOutside(uint64_t element) {
        if (record_.If<isa::Load3Dv2>()) {
            const uint64_t size = std::max<uint64_t>(1, BytesOf(record_.dst().type, 1));
            const uint8_t* at = memories_.Of(operands_[0]) + hulls_[0].begin + element * size;
            return std::all_of(at, at + size, [](uint8_t byte) { return byte == kFill; });
        }
        const auto* s = record_.If<isa::Matmul>();
        if (!s) return false;
        const uint64_t m1 = isa::CeilDiv(s->m, 16), fractal = element / 256;
        return fractal % m1 * 16 + element % 256 / 16 >= s->m || fractal / m1 * 16 + element % 16 >= s->n;
    }

    uint64_t Key(size_t i, uint64_t at) const { return (static_cast<uint64_t>(operands_[i].memory) << 32) + at; }

    // Undefined bytes hold the pattern of memory nobody wrote, or `random` other ones.
    void FillOperand(size_t i, bool only_undefined) {
        uint8_t* bytes = memories_.Of(operands_[i]);
        const uint64_t size = std::max<uint64_t>(1, BytesOf(operands_[i].type, 1));
        for (uint64_t at = hulls_[i].begin; at < hulls_[i].end; at += size) {
            const uint64_t value = small_ ? Small(operands_[i].type, static_cast<int>(random_() % 8)) : random_();
            for (uint64_t k = 0; k < size && at + k < hulls_[i].end; ++k) {
                if (only_undefined && !undefined_.count(Key(i, at + k))) continue;
                bytes[at + k] = static_cast<uint8_t>(value >> (8 * k));
            }
        }
    }

    // Some whole elements, or all.
    void Undefine(size_t i) {
        const uint64_t size = std::max<uint64_t>(1, BytesOf(operands_[i].type, 1));
        const uint64_t kind = random_() % 5;
        if (kind == 0) return;
        const uint64_t n = (hulls_[i].end - hulls_[i].begin) / size;
        if (n == 0) return;
        const uint64_t from = random_() % n, count = kind == 1 ? n : kind == 2 ? 1 : 1 + random_() % n;
        for (uint64_t e = 0; e < n; ++e) {
            if (kind == 4 ? random_() % 8 != 0 : (e + n - from) % n >= count) continue;
            for (uint64_t k = 0; k < size; ++k) {
                const uint64_t at = hulls_[i].begin + e * size + k;
                if (chooser_ >= 0 && operands_[i].memory == operands_[2].memory && at >= hulls_[2].begin &&
                    at < hulls_[2].end)
                    continue;
                undefined_.insert(Key(i, at));
                memories_.Of(operands_[i])[at] = kFill;
            }
        }
    }

    std::vector<std::vector<uint8_t>> Save() {
        std::vector<std::vector<uint8_t>> all;
        for (size_t i = 0; i < operands_.size(); ++i) {
            const uint8_t* bytes = memories_.Of(operands_[i]);
            all.emplace_back(bytes + hulls_[i].begin, bytes + hulls_[i].end);
        }
        return all;
    }
    void Restore(const std::vector<std::vector<uint8_t>>& all) {
        for (size_t i = 0; i < operands_.size(); ++i)
            std::copy(all[i].begin(), all[i].end(), memories_.Of(operands_[i]) + hulls_[i].begin);
    }

    Memories& memories_;
    std::mt19937_64& random_;
    const Record& record_;
    const soc::Chip& chip_;
    const bool small_;
    int chooser_ = -1;
    bool apart_ = true;  // no operand lies on another
    std::vector<isa::Operand> operands_;
    std::vector<Span> hulls_;
    std::set<uint64_t> defined_, undefined_;
    check::KeepingSink sink_;
};

Record Move(isa::RandomRecords& random) {
    Record r(random.Below(2) ? Opcode::data_move : Opcode::data_move_pad);
    r.operand_count = 2;
    const bool out = random.Below(3) == 0;
    for (size_t i = 0; i < 2; ++i) {
        isa::Operand& o = r.operand[i];
        o.memory = (i == 0) == out ? Memory::kGm : Memory::kUb;
        o.type = DataType::kHalf;
        o.offset = random.Below(8) * 32;
        o.limit = o.memory == Memory::kGm ? kGmBytes : 65536;
    }
    auto& m = r.As<isa::Blocks>();
    m.block_count = static_cast<uint32_t>(1 + random.Below(4));
    m.block_bytes = r.If<isa::MovePad>() ? 2 * (1 + random.Below(70)) : 32 * (1 + random.Below(4));
    m.src_pitch = (m.block_bytes + 31) / 32 * 32 + random.Below(3) * 32;
    m.dst_pitch = (m.block_bytes + 31) / 32 * 32 + 64 + random.Below(3) * 32;
    if (auto* pad = r.If<isa::MovePad>(); pad && !out && random.Below(2)) {
        pad->is_pad = true;
        pad->left = static_cast<uint8_t>(random.Below(4));
        pad->right = static_cast<uint8_t>(random.Below(4));
        pad->pad_value = 0x3C00;
    }
    if (auto* pad = r.If<isa::MovePad>(); pad && !pad->is_pad && random.Below(4) == 0) {
        pad->compact = true;
        (out ? pad->src_pitch : pad->dst_pitch) = pad->block_bytes;
    }
    if (out && random.Below(3) == 0) {
        r.control.atomic = isa::Atomic::kAdd;
        r.control.atomic_type = DataType::kHalf;
    }
    return r;
}

Record Shaped(isa::RandomRecords& random) {
    Record r = isa::RandomShaped(random);
    if (r.op == Opcode::broadcast_ub_to_l0c) r.As<isa::MatrixMove>().deq = isa::MatrixMove::Deq::kNone;
    return r;
}

using Draw = Record (*)(isa::RandomRecords&);

// exact: opcodes that lose nothing of small numbers.
void ExpectFlows(Draw draw, int trials, const std::set<Opcode>& exact, size_t opcodes) {
    isa::RandomRecords records(3);
    std::mt19937_64 random(4);
    Memories memories;
    std::map<Opcode, std::array<int, 2>> seen;
    for (int n = 0; n < trials; ++n) {
        Record r = draw(records);
        r.where = {"kernel.cpp", 12};
        r.index = 7;
        for (isa::Operand& o : r.operand)
            o.limit = std::min<uint64_t>(o.limit, o.memory == Memory::kGm ? kGmBytes : 1 << 20);
        r.api = records.Below(4) ? isa::Api::kAscendC : isa::Api::kTik;
        const soc::Chip& chip = soc::Families()[records.Below(soc::Families().size())];
        if (r.If<isa::Load2D>() || r.If<isa::LoadTransposed>()) r.operand[1].offset = 1 << 16;
        if (!check::Check(r, chip).ok) continue;
        if (r.If<isa::Elementwise>()) r.packed = isa::IsPacked(r);
        Trial trial(&memories, &random, r, chip, !exact.empty());
        if (!trial.Prepare()) continue;
        trial.Run(&seen, exact);
        if (::testing::Test::HasFatalFailure()) return;
    }
    for (const auto& [op, counts] : seen) {
        EXPECT_GT(counts[0], 3) << Info(op).opcode << ": nothing undefined went through";
        EXPECT_EQ(counts[1], 0) << Info(op).opcode << ": elements that depend on nothing undefined";
    }
    EXPECT_EQ(seen.size(), opcodes);
}

Record Vector(isa::RandomRecords& random) {
    Record r = random.Vector();
    const bool scaled = r.op != Opcode::vconv || (r.src0().type == DataType::kInt32 && r.dst().type == DataType::kHalf);
    if (!scaled) r.control.deq = isa::DeqScale::kNone;
    return r;
}

TEST(InitFlow, Elementwise) { ExpectFlows(Vector, 8000, {}, 12); }
TEST(InitFlow, Lanes) { ExpectFlows(isa::RandomLanes, 2000, {}, 13); }
TEST(InitFlow, Reductions) { ExpectFlows(isa::RandomReduction, 1500, {}, 13); }
TEST(InitFlow, Sorts) { ExpectFlows(isa::RandomSort, 1000, {}, 6); }
TEST(InitFlow, CubeAndLayouts) { ExpectFlows(Shaped, 2500, {}, 13); }
TEST(InitFlow, Moves) { ExpectFlows(Move, 1000, {}, 2); }

// Not those that choose or limit: Select with an undefined bit between two equal elements is undefined all the same.
TEST(InitFlow, ElementwiseNoMoreThanNeeded) {
    using enum Opcode;
    ExpectFlows(Vector, 8000, {vadd, vsub, vadds, vmla, vconv}, 12);
}
TEST(InitFlow, LanesNoMoreThanNeeded) {
    using enum Opcode;
    ExpectFlows(isa::RandomLanes, 2000,
                {vbcb, vpadding, vgather, vgatherb, vscatter, vreduce, set_cmpmask, get_cmpmask}, 13);
}
TEST(InitFlow, ReductionsNoMoreThanNeeded) {
    using enum Opcode;
    ExpectFlows(isa::RandomReduction, 1500, {vcadd, vcgadd, vcpadd, vec_reduce_add, vtranspose, vnchwconv, v4dtrans},
                13);
}
TEST(InitFlow, SortsNoMoreThanNeeded) { ExpectFlows(isa::RandomSort, 1000, {Opcode::vconcat, Opcode::vextract}, 6); }
TEST(InitFlow, CubeAndLayoutsNoMoreThanNeeded) {
    using enum Opcode;
    ExpectFlows(Shaped, 2500,
                {nd2nz, dn2nz, nddma, nz2nd, load2d, load2d_transpose, load3dv1, load3dv2, mmad, broadcast_ub_to_l0c},
                13);
}
TEST(InitFlow, MovesNoMoreThanNeeded) { ExpectFlows(Move, 1000, {Opcode::data_move, Opcode::data_move_pad}, 2); }

}  // namespace
}  // namespace sfumato::sanitize
