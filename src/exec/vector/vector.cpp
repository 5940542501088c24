// SPDX-License-Identifier: Apache-2.0
// The driver of vector records: one long run where the operands are contiguous, one run a repeat where each repeat is,
// else batches of repeats through dense buffers.
#include "exec/vector/vector.h"

#include <bit>
#include <cstring>

#include "exec/blocks.h"
#include "isa/geometry.h"

namespace sfumato::exec {
namespace {

using isa::kBlockBytes;

struct Side {
    isa::Walk walk;
    uint8_t* at = nullptr;  // lane 0 of the repeat in hand
    bool dense;             // the active lanes of a repeat are contiguous
    DataType type;

    size_t Bytes(uint64_t lanes) const { return static_cast<size_t>(((lanes << walk.log2_bits) + 7) / 8); }
    size_t Chunk() const { return Bytes(uint64_t{1} << walk.lane_shift); }
};

struct Plan {
    Side side[3];
    int count;
    isa::Lanes lanes;
    bool prefix;  // the active lanes of a repeat are [0, end)
    bool hazard;  // a source overlaps dst without being it
    bool serial;  // a repeat may read what an earlier one wrote
    bool reads_dst;
};

// The host bytes a side touches at most, as [begin, end).
struct Extent {
    const uint8_t *begin, *end;
};
Extent ExtentOf(const Side& s, const isa::Lanes& lanes) {
    const uint64_t last_lane = lanes.end - 1;
    const uint64_t blocks = last_lane >> s.walk.lane_shift;
    return {s.at, s.at + (lanes.repeats - 1) * s.walk.repeat_pitch + blocks * s.walk.block_pitch + kBlockBytes};
}

// Same elements at the same places in every repeat.
bool SamePlaces(const Side& a, const Side& b, uint64_t repeats) {
    return a.at == b.at && a.walk.log2_bits == b.walk.log2_bits && a.walk.lane_shift == b.walk.lane_shift &&
           (a.dense ? b.dense : a.walk.block_pitch == b.walk.block_pitch) &&
           (repeats == 1 || a.walk.repeat_pitch == b.walk.repeat_pitch);
}

// `end` is past the last active lane; bits no lane of the type has may be set above it.
uint32_t OnesBelow(const isa::Mask& mask, uint32_t end) {
    const uint64_t low = end >= 64 ? mask.bits[0] : mask.bits[0] & ((uint64_t{1} << end) - 1);
    return static_cast<uint32_t>(std::popcount(low) + (end > 64 ? std::popcount(mask.bits[1]) : 0));
}

Plan MakePlan(const isa::Record& r, const MemoryMap& memory) {
    Plan p;
    p.count = r.operand_count;
    const uint32_t shift = isa::LanesShift(r);
    p.lanes = isa::LanesOf(r, shift);
    p.hazard = p.serial = false;
    p.reads_dst = Has(r.op, isa::kReadsDst);
    if (p.lanes.repeats == 0) return p;
    p.prefix = r.mask.mode != isa::MaskMode::kBits || OnesBelow(r.mask, p.lanes.end) == p.lanes.end;
    for (int i = 0; i < p.count; ++i) {
        Side& s = p.side[i];
        s.walk = isa::WalkOf(r, i, shift);
        const isa::Operand& o = r.operand[static_cast<size_t>(i)];
        s.type = o.type;
        s.at = memory.Address(o) + (s.walk.start - o.offset);
        s.dense =
            p.lanes.end <= 1u << s.walk.lane_shift || (s.walk.block_pitch == kBlockBytes && s.Chunk() == kBlockBytes);
    }
    const Extent written = ExtentOf(p.side[0], p.lanes);
    const uint64_t one_repeat =
        static_cast<uint64_t>(written.end - written.begin) - (p.lanes.repeats - 1) * p.side[0].walk.repeat_pitch;
    const bool on_itself = p.side[0].walk.repeat_pitch < one_repeat;  // repeats write what others wrote
    p.serial = p.reads_dst && on_itself;
    for (int i = 1; i < p.count; ++i) {
        const Extent read = ExtentOf(p.side[i], p.lanes);
        const bool disjoint = read.end <= written.begin || written.end <= read.begin;
        if (disjoint) continue;
        p.hazard |= !SamePlaces(p.side[0], p.side[i], p.lanes.repeats);
        p.serial |= p.hazard || on_itself;
    }
    return p;
}

// Every block of src1 is the same, as where a row meets a value of its own.
bool HasSameBlock(const Plan& p, const RunArgs& args) {
    if (p.count < 3 || args.deq_words != nullptr) return false;
    const Side& s = p.side[2];
    return !s.dense && s.walk.block_pitch == 0 && s.Chunk() == kBlockBytes && s.walk.log2_bits >= 3 &&
           (p.lanes.repeats == 1 || s.walk.repeat_pitch == 0);
}

// A `same_block` operand of a run.
uint8_t* Repeated(const uint8_t* block, uint8_t* blocks) {
    for (size_t i = 0; i < kSameBlocks; ++i) std::memcpy(blocks + i * kBlockBytes, block, kBlockBytes);
    return blocks;
}

// Every operand dense or one block, and none in another's way: the run works on the memory itself.
bool RunDirect(Plan& p, RunFn run, RunArgs& args) {
    const isa::Lanes& lanes = p.lanes;
    uint64_t repeats = lanes.repeats;
    uint64_t n = lanes.end;
    bool packed = repeats > 1;
    alignas(64) uint8_t blocks[kSameBlocks * kBlockBytes];
    if (args.same_block) p.side[2].at = Repeated(p.side[2].at, blocks);
    for (int i = 0; i < (args.same_block ? 2 : p.count); ++i) {
        packed &= p.side[i].walk.repeat_pitch << 3 == uint64_t{lanes.end} << p.side[i].walk.log2_bits;
    }
    if (packed) {
        n = (repeats - 1) * lanes.end + lanes.last_end;
        repeats = 1;
    }
    uint8_t* dst = p.side[0].at;
    const uint8_t *src0 = p.side[1].at, *src1 = p.side[2].at;
    const uint64_t pitch[3] = {p.side[0].walk.repeat_pitch, p.side[1].walk.repeat_pitch, p.side[2].walk.repeat_pitch};
    bool changed = false;
    args.n = n;
    for (uint64_t i = 1; i <= repeats; ++i, dst += pitch[0], src0 += pitch[1], src1 += pitch[2]) {
        args.dst = dst;
        args.src0 = src0;
        args.src1 = src1;
        if (i == repeats && !packed) args.n = lanes.last_end;
        changed |= run(args);
    }
    return changed;
}

// Repeats follow each other block by block, so that block i of all of them is a row; src1 may be one block a row.
bool IsOfRows(const Plan& p, const RunArgs& args) {
    const isa::Lanes& lanes = p.lanes;
    const isa::Walk& dst = p.side[0].walk;
    if (!p.prefix || p.hazard || lanes.repeats < 2 || lanes.last_end != lanes.end || args.deq_words != nullptr ||
        dst.log2_bits < 3 || dst.block_pitch < lanes.repeats * kBlockBytes || lanes.end % (1u << dst.lane_shift) != 0) {
        return false;
    }
    for (int i = 0; i < p.count; ++i) {
        const isa::Walk& walk = p.side[i].walk;
        const bool along = walk.repeat_pitch == kBlockBytes || (i == 2 && walk.repeat_pitch == 0);
        if (!along || walk.log2_bits != dst.log2_bits || p.side[i].Chunk() != kBlockBytes) return false;
    }
    return true;
}

bool RunRows(Plan& p, RunFn run, RunArgs& args) {
    alignas(64) uint8_t blocks[kSameBlocks * kBlockBytes];
    const uint32_t rows = p.lanes.end >> p.side[0].walk.lane_shift;
    args.n = p.lanes.repeats << p.side[0].walk.lane_shift;
    args.same_block = p.count > 2 && p.side[2].walk.repeat_pitch == 0;
    bool changed = false;
    for (uint32_t row = 0; row < rows; ++row) {
        uint8_t* at[3] = {};
        for (int i = 0; i < p.count; ++i) at[i] = p.side[i].at + row * p.side[i].walk.block_pitch;
        if (args.same_block) at[2] = Repeated(at[2], blocks);
        args.dst = at[0];
        args.src0 = at[1];
        args.src1 = at[2];
        changed |= run(args);
    }
    return changed;
}

// A byte mask per element width, made when first needed.
class ByteMasks {
public:
    ByteMasks(const isa::Record& r, const BlockKernels& blocks) : blocks_(blocks), mask_(r.mask) {}

    // The lanes [0, end) of the next repeats.
    void Set(uint32_t end) {
        made_[0] = made_[1] = kNone;
        const bool bits = mask_.mode == isa::MaskMode::kBits;
        for (uint32_t i = 0; i < 4; ++i) {
            const uint32_t low = i * 64;
            const uint64_t in_range = end >= low + 64 ? ~uint64_t{0}
                                      : end <= low    ? 0
                                                      : (uint64_t{1} << (end - low)) - 1;
            bits_[i] = in_range & (bits ? (i < 2 ? mask_.bits[i] : 0) : ~uint64_t{0});
        }
    }

    // Whole blocks of it, at least `bytes` bytes.
    const uint8_t* For(const Side& s, size_t bytes) {
        const uint32_t width = s.walk.log2_bits;
        bytes = (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
        const int slot = made_[0] == kNone || made_[0] == width ? 0 : 1;
        if (made_[slot] != width) blocks_.expand(bits_, width, bytes, bytes_[slot]);
        made_[slot] = width;
        return bytes_[slot];
    }

private:
    static constexpr uint32_t kNone = ~0u;
    const BlockKernels& blocks_;
    const isa::Mask& mask_;
    uint64_t bits_[4];
    uint32_t made_[2] = {kNone, kNone};
    alignas(64) uint8_t bytes_[2][320];
};

// Through dense buffers: sources gathered where they are not packed, results scattered under the mask.
class Batches {
public:
    Batches(const isa::Record& record, Plan& plan, RunFn run, RunArgs& args)
        : p_(plan), run_(run), args_(args), blocks_(Blocks()), masks_(record, blocks_) {
        // Elements past a repeat's end but inside the next repeat's start may be read, never kept.
        const uint32_t whole = isa::LanesPerRepeat(record);
        // Repeats follow each other, `lanes` lanes apart without a gap.
        const auto packed = [&](int i, uint32_t lanes) {
            const Side& s = p_.side[i];
            return s.dense && s.Chunk() == kBlockBytes && s.walk.repeat_pitch == s.Bytes(lanes);
        };
        bool all_packed = true;
        bool whole_bytes = args.deq_words == nullptr || p_.lanes.end % 16 == 0;
        for (int i = 0; i < p_.count; ++i) {
            if (i > 0 || p_.reads_dst) all_packed &= packed(i, whole);
            whole_bytes &= p_.side[i].walk.log2_bits >= 3 || p_.lanes.end % 2 == 0;
        }
        span_ = all_packed ? whole : p_.lanes.end;
        batch_ = p_.serial || !(all_packed || whole_bytes) ? 1 : kBatch;
        for (int i = 0; i < p_.count; ++i) in_place_[i] = packed(i, span_);
        in_place_[0] &= p_.prefix && !p_.hazard && !p_.serial && span_ == p_.lanes.end &&
                        p_.side[0].Bytes(span_) % kBlockBytes == 0 && p_.lanes.last_end == span_;
    }

    bool Run() {
        bool changed = false;
        const uint64_t same = p_.lanes.repeats - 1;
        uint64_t done = 0;
        while (done < same) {
            const uint64_t count = std::min<uint64_t>(batch_, same - done);
            changed |= RunSome(count, p_.lanes.end, count > 1 ? span_ : p_.lanes.end);
            done += count;
        }
        return changed | RunSome(1, p_.lanes.last_end, p_.lanes.last_end);
    }

private:
    static constexpr uint64_t kBatch = 16;
    static constexpr size_t kRoom = kBatch * isa::kRepeatBytes + 64;

    // `count` repeats of lanes [0, end), `span` lanes apart in the buffers.
    bool RunSome(uint64_t count, uint32_t end, uint32_t span) {
        if (end != end_) masks_.Set(end_ = end);
        const uint8_t* from[2] = {p_.side[1].at, p_.side[2].at};
        for (int i = 1; i < p_.count; ++i) {
            if (count > 1 ? in_place_[i] : p_.side[i].dense) continue;
            Gather(i, count, end, span);
            from[i - 1] = source_[i - 1];
        }
        Side& dst = p_.side[0];
        const size_t pitch = dst.Bytes(span);
        if (in_place_[0]) {
            const bool flagged = Call(dst.at, from[0], from[1], (count - 1) * span + end);
            Advance(count);
            return flagged;
        }
        if (p_.reads_dst) GatherDst(result_, count, end, span);
        bool flagged = Call(result_, from[0], from[1], (count - 1) * span + end);
        if (flagged && (!p_.prefix || span != end)) {
            // A lane that is not active may have raised the flag: ask again with those lanes 1.0 or, of integers, 0,
            // which never raise it.
            for (int i = p_.reads_dst ? 0 : 1; i < p_.count; ++i) {
                const Side& s = p_.side[i];
                const size_t bytes = s.Bytes(end);
                uint8_t* const at = i == 0 ? unused_ : source_[i - 1];
                i == 0 ? GatherDst(at, count, end, end) : Gather(i, count, end, end);
                for (uint64_t k = 0; k < count; ++k) {
                    blocks_.replace(at + k * bytes, masks_.For(s, bytes), Harmless(s.type), bytes);
                }
            }
            flagged = Call(unused_, source_[0], source_[1], count * end);
        }
        size_t bytes = dst.Bytes(end);
        const size_t part = bytes % dst.Chunk();
        // A block begun may be rewritten whole: aligned, it lies in the memory.
        const bool round_up = part != 0 && reinterpret_cast<uintptr_t>(dst.at) % dst.Chunk() == 0;
        if (round_up) bytes += dst.Chunk() - part;
        const uint8_t* mask = p_.prefix && !round_up ? nullptr : masks_.For(dst, bytes);
        blocks_.scatter({dst.at, dst.walk.block_pitch, dst.walk.repeat_pitch, dst.Chunk()}, result_, pitch, bytes,
                        count, mask);
        Advance(count);
        return flagged;
    }

    void Advance(uint64_t count) {
        for (int i = 0; i < p_.count; ++i) p_.side[i].at += count * p_.side[i].walk.repeat_pitch;
    }

    void Gather(int i, uint64_t count, uint32_t end, uint32_t span) {
        const Side& s = p_.side[i];
        const size_t block_pitch = s.dense ? kBlockBytes : s.walk.block_pitch, pitch = s.Bytes(span);
        uint8_t* const to = source_[i - 1];
        const bool same = s.walk.repeat_pitch == 0 && span == end;  // in every repeat
        blocks_.gather({s.at, block_pitch, s.walk.repeat_pitch, kBlockBytes}, to, pitch, s.Bytes(end),
                       same ? 1 : count);
        for (uint64_t have = 1; same && have < count; have *= 2)
            std::memcpy(to + have * pitch, to, std::min(have, count - have) * pitch);
    }

    // dst to where it is read: the buffer the results go to. Repeats that are apart in it are packed in memory.
    void GatherDst(uint8_t* to, uint64_t count, uint32_t end, uint32_t span) {
        const Side& s = p_.side[0];
        if (span != end) {
            std::memcpy(to, s.at, (count - 1) * s.Bytes(span) + s.Bytes(end));
            return;
        }
        const size_t block_pitch = s.dense ? kBlockBytes : s.walk.block_pitch;
        blocks_.gather({s.at, block_pitch, s.walk.repeat_pitch, kBlockBytes}, to, s.Bytes(end), s.Bytes(end), count);
    }

    static uint32_t Harmless(DataType type) {
        switch (type) {
            case DataType::kHalf: return 0x3C003C00;
            case DataType::kBfloat16: return 0x3F803F80;
            case DataType::kFloat: return 0x3F800000;
            default: return 0;
        }
    }

    bool Call(void* dst, const void* src0, const void* src1, uint64_t n) {
        args_.dst = dst;
        args_.src0 = src0;
        args_.src1 = src1;
        args_.n = n;
        return run_(args_);
    }

    Plan& p_;
    RunFn run_;
    RunArgs& args_;
    const BlockKernels& blocks_;
    ByteMasks masks_;
    bool in_place_[3];  // a side is packed: it is read, or written, where it lies
    uint32_t span_;
    uint64_t batch_;
    uint32_t end_ = 0;
    alignas(64) uint8_t result_[kRoom];
    alignas(64) uint8_t source_[2][kRoom];
    alignas(64) uint8_t unused_[kRoom];
};

// Apart from RunVector: the short way needs neither its buffers nor its registers.
[[gnu::noinline]] bool RunPlanned(const isa::Record& record, const MemoryMap& memory, RunFn run, RunArgs& args) {
    Plan p = MakePlan(record, memory);
    if (p.lanes.repeats == 0) return false;
    bool direct = p.prefix && !p.hazard;
    args.same_block = HasSameBlock(p, args);
    for (int i = 0; i < p.count; ++i) direct &= p.side[i].dense || (i == 2 && args.same_block);
    args.same_block &= direct;
    if (direct) return RunDirect(p, run, args);
    return IsOfRows(p, args) ? RunRows(p, run, args) : Batches(record, p, run, args).Run();
}

}  // namespace

bool RunVector(const isa::Record& record, const MemoryMap& memory, RunFn run, RunArgs& args) {
    if (!record.packed) return RunPlanned(record, memory, run, args);
    uint8_t* const ub = memory.base[static_cast<int>(isa::Memory::kUb)];
    args.dst = ub + record.dst().offset;
    if (record.operand_count > 1) args.src0 = ub + record.src0().offset;
    if (record.operand_count > 2) args.src1 = ub + record.src1().offset;
    args.n = record.mask.count;
    return run(args);
}

}  // namespace sfumato::exec
