// SPDX-License-Identifier: Apache-2.0
// Costs of the vector, cube and load pipes.
#include "timing/cost.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "isa/reductions.h"
#include "isa/spans.h"
#include "timing/without.h"

namespace sfumato::timing {

using isa::CeilDiv;
using isa::Memory;
using isa::Pipe;
using isa::Record;

namespace {

// Of the rate of global memory, for rows apart; `whole` for those of 512 bytes and more.
float Efficiency(const soc::TimingConstants& c, uint64_t row_bytes, double whole) {
    const auto bytes = static_cast<double>(row_bytes);
    const double low = c.nd2nz_eff_128;
    const double share = bytes >= 512   ? whole
                         : bytes >= 128 ? low + (whole - low) * std::log2(bytes / 128) / 2
                                        : std::max(0.01, low * bytes / 128);
    return static_cast<float>(share);
}

// Repeats, and the elements that one costs.
struct Repeats {
    uint64_t count = 1;
    double elements = 0;    // 0: those of 256 bytes
    uint64_t levels = 1;    // instructions in a row
    bool composed = false;  // of reductions of repeats
};

// By form, of those that run on V.
Repeats RepeatsOfLanes(const Record& r) { return {isa::LanesOf(r, isa::LanesShift(r)).repeats}; }
Repeats RepeatsIn(const Record& r, const isa::Elementwise&) { return RepeatsOfLanes(r); }
Repeats RepeatsIn(const Record& r, const isa::Compare&) { return RepeatsOfLanes(r); }
Repeats RepeatsIn(const Record& r, const isa::Select&) { return RepeatsOfLanes(r); }
Repeats RepeatsIn(const Record& r, const isa::Broadcast&) { return RepeatsOfLanes(r); }
Repeats RepeatsIn(const Record& r, const isa::Padding&) { return RepeatsOfLanes(r); }
Repeats RepeatsIn(const Record& r, const isa::Offsets&) { return RepeatsOfLanes(r); }
Repeats RepeatsIn(const Record& r, const isa::Reduce&) { return RepeatsOfLanes(r); }
Repeats RepeatsIn(const Record&, const isa::RegisterMove&) { return {1}; }
Repeats RepeatsIn(const Record&, const isa::VectorFunction&) { return {1}; }  // no chip with them has a model of time
Repeats RepeatsIn(const Record& r, const isa::MatrixMove&) {
    return {std::max<uint64_t>(1, isa::SpanOf(r, 0).end - isa::SpanOf(r, 0).begin) / 256 + 1};
}
Repeats RepeatsIn(const Record& r, const isa::GatherMask&) { return {isa::SqueezeOf(r).repeats}; }
Repeats RepeatsIn(const Record&, const isa::TransposeSquares& t) { return {t.repeats, 256}; }
Repeats RepeatsIn(const Record& r, const isa::TransposeBlocks& t) {
    return {t.repeats, 512.0 * 8 / BitsOf(r.dst().type)};
}
Repeats RepeatsIn(const Record&, const isa::TransposeChannels& t) {
    return {1, static_cast<double>(uint64_t{t.n} * t.channels * t.pixels)};
}
Repeats RepeatsIn(const Record&, const isa::ProposalField& f) { return {f.repeats, 16}; }
Repeats RepeatsIn(const Record& r, const isa::SortGroups& s) {
    return {s.repeats, isa::Has(r.op, isa::kSortsPairs) ? 32.0 : 16.0};
}
Repeats RepeatsIn(const Record&, const isa::MergeQueues& m) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < isa::QueuesOf(m.valid); ++i) n += m.lengths[i];
    return {1, static_cast<double>(n * m.repeats)};
}
Repeats RepeatsIn(const Record&, const isa::Interpolate& i) { return {uint64_t{i.vertical} * i.horizontal}; }
// The vendor's composition: repeats to one result each, until one is left.
Repeats RepeatsIn(const Record& r, const isa::ReduceTensor&) {
    const uint64_t per = isa::LanesPerRepeat(r);
    Repeats found{0, 0, 0, true};
    for (uint64_t n = RepeatsOfLanes(r).count * per; n > 1; n = CeilDiv(n, per)) {
        found.count += CeilDiv(n, per);
        ++found.levels;
    }
    return found;
}

template <class P>
constexpr bool kOnV = isa::PipeOf(isa::kFormOf<P>) == Pipe::kV;
static_assert(std::ranges::all_of(isa::kInstructions, [](const isa::InstructionInfo& info) {
    return (info.pipe == Pipe::kV) == (isa::PipeOf(info.form) == Pipe::kV);
}));

Repeats RepeatsOf(const Record& r) {
    return VisitForm(r, [&]<class P>(const P& parameters) -> Repeats {
        if constexpr (kOnV<P>) return RepeatsIn(r, parameters);
        return {};
    });
}

// By form, of the others.
void PriceIn(const soc::TimingConstants&, const Record& r, const isa::Flag& flag, Event& e) {
    e.kind = Has(r.op, isa::kWaits) ? Event::Kind::kWait : Event::Kind::kSet;
    e.from = flag.from;
    e.to = flag.to;
    e.flag = flag.id;
}

void PriceIn(const soc::TimingConstants&, const Record& r, const isa::Barrier&, Event& e) {
    e.kind = r.pipe == Pipe::kAll ? Event::Kind::kBarrierAll : Event::Kind::kBarrier;
    if (r.pipe == Pipe::kAll) e.pipe = Pipe::kS;
}

void PriceIn(const soc::TimingConstants&, const Record&, const isa::CrossFlag& flag, Event& e) {
    e.kind = Event::Kind::kCrossSet;
    e.mode = flag.mode;
    e.sync.key = flag.id;
    e.flag = flag.id;
}

void PriceIn(const soc::TimingConstants& c, const Record&, const isa::ScalarStore&, Event& e) {
    e.kind = Event::Kind::kScalar;
    e.pipe = Pipe::kS;
    e.cost.work = static_cast<float>(c.scalar_store);
}

void PriceIn(const soc::TimingConstants& c, const Record& r, const isa::Matmul& m, Event& e) {
    // C0 is the depth of a fractal in L0; the cube takes half of a fractal of float at once.
    const uint64_t k0 = isa::C0Of(r.src0().type);
    const double passes = r.src0().type == DataType::kFloat && m.hf32 == isa::Matmul::Hf32::kOff ? 2 : 1;
    e.cost.work =
        static_cast<float>(static_cast<double>(CeilDiv(m.m, 16) * CeilDiv(m.k, k0) * CeilDiv(m.n, 16)) * passes);
    e.cost.head = static_cast<float>(c.mmad_head);  // the model adds what an idle unit needs
    e.unit_flag = m.unit_flag != 0;
}

void PriceIn(const soc::TimingConstants& c, const Record& r, const isa::Fixpipe& f, Event& e) {
    const auto elements = static_cast<double>(uint64_t{f.n} * f.m * std::max(1u, f.nd_count));
    e.unit_flag = f.unit_flag != 0;
    const uint64_t eights = CeilDiv(f.n, 8);
    e.odd_width = !std::has_single_bit(eights);
    if (r.dst().memory != Memory::kGm) {
        e.cost.head = static_cast<float>(c.fix_head);
        e.cost.work = static_cast<float>(elements / c.fix_rate_l1);
        return;
    }
    e.kind = Event::Kind::kTransfer;
    e.write = true;
    e.copy.efficiency = 1;
    e.copy.least = static_cast<float>(c.fix_head + elements / c.fix_rate_gm);
    e.copy.allocation = r.dst().allocation;
    e.copy.offset = r.dst().offset;
    const uint64_t element = BytesOf(r.dst().type, 1);
    if (f.row_major) {
        e.copy.rows = f.m * std::max(1u, f.nd_count);
        e.copy.row_bytes = f.n * element;
        e.copy.pitch = f.dst_stride * element;
    } else {
        e.copy.rows = 1;
        e.copy.row_bytes = static_cast<uint64_t>(elements) * element;
    }
}

// Whether it moves something to or from GM, of which nothing is said yet but where it lies. Else it is priced.
bool IsTransfer(const soc::TimingConstants& c, const Record& r, Event& e) {
    const bool reads = r.operand_count > 1 && r.src0().memory == Memory::kGm, writes = r.dst().memory == Memory::kGm;
    if (!reads && !writes) {
        const isa::Span span = isa::SpanOf(r, 0);
        const auto bytes = static_cast<double>(span.end - span.begin);
        const bool table = r.dst().memory == Memory::kBt || r.dst().memory == Memory::kFb;
        if (table) {
            e.cost.head = static_cast<float>(c.mte1_head_table);
            e.cost.work = static_cast<float>(bytes / c.mte1_rate_table);
        } else if (r.pipe == Pipe::kV) {
            e.cost.head = static_cast<float>(c.vec_head);
            e.cost.work = static_cast<float>(std::ceil(bytes / c.copy_rate_ub));
        } else {
            e.assumed = true;
            e.cost.work = static_cast<float>(bytes / (r.pipe == Pipe::kMte3 ? c.gm_store_rate : c.gm_core_rate));
        }
        return false;
    }
    e.kind = Event::Kind::kTransfer;
    e.write = writes;
    e.copy.efficiency = 1;
    const isa::Operand& gm = writes ? r.dst() : r.src0();
    e.copy.allocation = gm.allocation;
    e.copy.offset = gm.offset;
    if (!writes) e.copy.least = static_cast<float>(c.gm_issue);
    return true;
}

void SetRows(const soc::TimingConstants& c, Event& e, uint32_t rows, uint64_t row_bytes, uint64_t pitch) {
    e.copy.rows = rows;
    e.copy.row_bytes = row_bytes;
    e.copy.pitch = pitch;
    if (e.copy.rows > 1 && e.copy.pitch == e.copy.row_bytes) {
        e.copy.row_bytes *= e.copy.rows;
        e.copy.rows = 1;
    }
    // Short rows apart cost global memory the same, whatever format they get on the way; long ones nothing (dcub_s3).
    if (!e.write && !e.nd2nz && e.copy.rows > 1 && e.copy.row_bytes < kGmLine)
        e.copy.efficiency = Efficiency(c, e.copy.row_bytes, c.nd2nz_eff_512);
}

void PriceIn(const soc::TimingConstants& c, const Record& r, const isa::Blocks& blocks, Event& e) {
    if (!IsTransfer(c, r, e)) return;
    SetRows(c, e, blocks.block_count, isa::MoveBlockBytes(r, blocks, e.write ? 0 : 1),
            e.write ? blocks.dst_pitch : blocks.src_pitch);
}

void PriceIn(const soc::TimingConstants& c, const Record& r, const isa::Nd2Nz& nd, Event& e) {
    if (!IsTransfer(c, r, e)) return;
    const uint64_t bits = BitsOf(r.src0().type), row_bytes = nd.d * bits / 8;
    const uint32_t rows = nd.nd_count * nd.n;
    e.copy.least = static_cast<float>(std::max(c.gm_issue, c.nd2nz_row * rows));
    e.nd2nz = true;
    e.copy.efficiency = Efficiency(c, row_bytes, c.nd2nz_eff_512);
    e.assumed = row_bytes < 128;
    SetRows(c, e, rows, row_bytes, nd.src_d * bits / 8);
}

void PriceIn(const soc::TimingConstants& c, const Record& r, const isa::Nz2Nd& nz, Event& e) {
    if (!IsTransfer(c, r, e)) return;
    const uint64_t bits = BitsOf(r.dst().type);
    SetRows(c, e, nz.nd_count * nz.n, nz.d * bits / 8, nz.dst_d_stride * bits / 8);
}

// As one row, from the first byte to the last.
void PriceWhole(const soc::TimingConstants& c, const Record& r, Event& e) {
    if (!IsTransfer(c, r, e)) return;
    const isa::Span span = isa::SpanOf(r, e.write ? 0 : 1);
    e.copy.offset = span.begin;
    SetRows(c, e, 1, span.end - span.begin, 0);
}

void PriceIn(const soc::TimingConstants& c, const Record& r, const isa::BlockFill&, Event& e) { PriceWhole(c, r, e); }
// No chip with these has a model of time.
void PriceIn(const soc::TimingConstants& c, const Record& r, const isa::Dn2Nz&, Event& e) { PriceWhole(c, r, e); }
void PriceIn(const soc::TimingConstants& c, const Record& r, const isa::NdDma&, Event& e) { PriceWhole(c, r, e); }

// From L1; from GM as other moves.
void PriceLoad(const soc::TimingConstants& c, const Record& r, Event& e, double head, uint64_t bytes,
               double most = 1e300) {
    if (r.src0().memory == Memory::kGm) return PriceWhole(c, r, e);
    const double rate = std::min(most, r.dst().memory == Memory::kL0A ? c.mte1_rate_l0a : c.mte1_rate_l0b);
    e.cost.head = static_cast<float>(head);
    e.cost.work = static_cast<float>(static_cast<double>(bytes) / rate);
}

void PriceIn(const soc::TimingConstants& c, const Record& r, const isa::Load2D& load, Event& e) {
    e.many_loads = r.src0().memory != Memory::kGm;
    PriceLoad(c, r, e, c.mte1_head_load2d, uint64_t{load.repeats} * isa::kFractalBytes);
}

void PriceIn(const soc::TimingConstants& c, const Record& r, const isa::LoadTransposed& load, Event& e) {
    PriceLoad(c, r, e, c.mte1_head_load2d,
              uint64_t{load.repeats} * isa::SquareFractals(r.src0().type) * isa::kFractalBytes);
}

void PriceIn(const soc::TimingConstants& c, const Record& r, const isa::Load3Dv1& image, Event& e) {
    PriceLoad(c, r, e, c.mte1_head_load3d, uint64_t{image.repeats} * isa::kFractalBytes);
}

void PriceIn(const soc::TimingConstants& c, const Record& r, const isa::Load3Dv2& image, Event& e) {
    const uint64_t c0 = isa::C0Of(r.src0().type);
    const uint64_t bytes = CeilDiv(image.m_extension, 16) * CeilDiv(image.k_extension, c0) * isa::kFractalBytes;
    const uint64_t n = image.filter.height, stride = image.filter.stride_w;
    if (n <= 1 && stride <= 1) return PriceLoad(c, r, e, c.mte1_head_load3d, bytes);
    const bool to_a = r.dst().memory == Memory::kL0A;
    const uint64_t more = to_a ? 0 : 2;
    uint64_t slowed = to_a ? 32 : 28;
    if (stride == 1) {
        slowed = 512 / (n + 2 + more);
    } else if (stride == 2 || stride == 4 || stride == 8) {
        slowed = n == 1 ? 512 / (2 * stride + more) : 512 / (2 * stride + n + more);
    }
    PriceLoad(c, r, e, c.mte1_head_load3d, bytes, std::max(to_a ? 32.0 : 28.4, static_cast<double>(slowed)));
}

// Cycles of a repeat at full rate; assumed where no figure is known.
double RepeatCost(const soc::Timing& timing, const Record& r, const Repeats& repeats, bool* assumed) {
    DataType widest = r.dst().type;
    for (int i = 1; i < r.operand_count; ++i) {
        const DataType type = r.operand[static_cast<size_t>(i)].type;
        if (BitsOf(type) > BitsOf(widest)) widest = type;
    }
    const isa::Opcode op = repeats.composed ? isa::OfRepeats(r.op) : r.op;
    const soc::Timing::Rate rate = timing.rates[static_cast<size_t>(op)][static_cast<size_t>(widest)];
    const double full = repeats.elements > 0 ? repeats.elements : 256.0 * 8 / BitsOf(widest);
    if (rate.elements > 0) {
        *assumed = *assumed || rate.assumed;
        return full / static_cast<double>(rate.elements);
    }
    if (MakesOf(r).integers == isa::Integers::kCopy) return timing.constants.vec_beat;
    *assumed = true;
    if (Has(r.op, isa::kHighLevel | isa::kComposed)) return full / timing.constants.library_rate;
    return full * BitsOf(widest) / 8 / 256 * timing.constants.vec_beat;
}

VectorPrice PriceVector(const soc::Timing& timing, const Record& r) {
    const soc::TimingConstants& c = timing.constants;
    VectorPrice e;
    const Repeats repeats = RepeatsOf(r);
    e.assumed = repeats.composed;
    const double cost = std::max(c.vec_beat, RepeatCost(timing, r, repeats, &e.assumed));
    const auto count = static_cast<double>(repeats.count);
    e.repeats = repeats.count;
    const BankCost banks = BankConflicts(c, r, repeats.count);
    e.head = static_cast<float>(c.vec_head * static_cast<double>(repeats.levels) +
                                c.vec_barrier * static_cast<double>(repeats.levels - (repeats.levels > 0)));
    e.work = static_cast<float>(count * cost);
    e.conflict = static_cast<float>(banks.extra + count * std::max(0.0, banks.write_floor - cost));
    return e;
}

}  // namespace

Costs::Costs(const soc::Timing& timing) : timing_(timing), c_(timing.constants) {}

void Costs::Price(const Record& r, PriceMemo& memo, Event& e) const {
    e.pipe = r.pipe;
    e.op = r.op;
    e.index = r.index;
    e.where = r.where;
    e.call = isa::CallName(r);
    VisitForm(r, [&]<class P>(const P& parameters) {
        if constexpr (kOnV<P>)
            PriceOnV(r, memo, e);
        else
            PriceIn(c_, r, parameters, e);
    });
}

void Costs::PriceOnV(const Record& r, PriceMemo& memo, Event& e) const {
    bool known = false;
    VectorPrice other;
    VectorPrice& price = PriceMemo::Knows(r) ? memo.At(r, &known) : other;
    if (!known) price = PriceVector(timing_, r);
    e.cost.head = price.head;
    e.cost.work = price.work;
    e.cost.conflict = price.conflict;
    e.assumed = price.assumed;
    e.cost.repeats = static_cast<uint32_t>(price.repeats);
    e.long_reduction = isa::SumsRepeats(r.op) && price.repeats > 8;
}

}  // namespace sfumato::timing
