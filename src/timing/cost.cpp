// SPDX-License-Identifier: Apache-2.0
// Costs of the vector, cube and load pipes.
#include "timing/cost.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "isa/geometry.h"
#include "isa/spans.h"
#include "timing/without.h"

namespace sfumato::timing {

using isa::CeilDiv;
using isa::Form;
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

}  // namespace

Costs::Costs(const soc::Timing& timing) : timing_(timing), c_(timing.constants) {}

void Costs::Price(const Record& r, PriceMemo& memo, Event& e) const {
    e.pipe = r.pipe;
    e.op = r.op;
    e.index = r.index;
    e.where = r.where;
    e.call = isa::CallName(r);
    switch (r.form()) {
        case Form::kFlag: {
            const auto& flag = r.As<isa::Flag>();
            e.kind = r.op == isa::Opcode::set_flag ? Event::Kind::kSet : Event::Kind::kWait;
            e.from = flag.from;
            e.to = flag.to;
            e.flag = flag.id;
            e.sync.key =
                flag.token ? flag.token << 1 | 1 : (uint64_t{flag.event} << 33 | static_cast<uint32_t>(flag.id)) << 1;
            return;
        }
        case Form::kBarrier:
            e.kind = r.pipe == Pipe::kAll ? Event::Kind::kBarrierAll : Event::Kind::kBarrier;
            if (r.pipe == Pipe::kAll) e.pipe = Pipe::kS;
            return;
        case Form::kCrossFlag: {
            const auto& flag = r.As<isa::CrossFlag>();
            e.kind = Event::Kind::kCrossSet;
            e.mode = flag.mode;
            e.sync.key = flag.id;
            e.flag = flag.id;
            return;
        }
        case Form::kScalarStore:
            e.kind = Event::Kind::kScalar;
            e.pipe = Pipe::kS;
            e.cost.work = static_cast<float>(c_.scalar_store);
            return;
        case Form::kMatmul: return PriceMmad(r, e);
        case Form::kFixpipe: return PriceFixpipe(r, e);
        case Form::kLoad2D:
        case Form::kLoadTransposed:
        case Form::kLoad3Dv1:
        case Form::kLoad3Dv2: return PriceLoad(r, e);
        case Form::kMove:
        case Form::kMovePad:
        case Form::kNd2Nz:
        case Form::kNz2Nd:
        case Form::kBlockFill: return PriceMove(r, e);
        default: break;
    }
    bool known = false;
    VectorPrice other;
    VectorPrice& price = PriceMemo::Knows(r) ? memo.At(r, &known) : other;
    if (!known) price = PriceVector(r);
    e.cost.head = price.head;
    e.cost.work = price.work;
    e.cost.conflict = price.conflict;
    e.assumed = price.assumed;
    e.cost.repeats = static_cast<uint32_t>(price.repeats);
    e.long_reduction = r.op == isa::Opcode::vcadd && price.repeats > 8;
}

Costs::Repeats Costs::RepeatsOf(const Record& r) const {
    const auto lanes = [&] { return isa::LanesOf(r, isa::LanesShift(r)).repeats; };
    switch (r.form()) {
        case Form::kRegisterMove: return {1};
        case Form::kMatrixMove:
            return {std::max<uint64_t>(1, isa::SpanOf(r, 0).end - isa::SpanOf(r, 0).begin) / 256 + 1};
        case Form::kGatherMask: return {isa::SqueezeOf(r).repeats};
        case Form::kTransposeSquares: return {r.As<isa::TransposeSquares>().repeats, 256};
        case Form::kTransposeBlocks: return {r.As<isa::TransposeBlocks>().repeats, 512.0 * 8 / BitsOf(r.dst().type)};
        case Form::kTransposeChannels: {
            const auto& t = r.As<isa::TransposeChannels>();
            return {1, static_cast<double>(uint64_t{t.n} * t.channels * t.pixels)};
        }
        case Form::kProposalField: return {r.As<isa::ProposalField>().repeats, 16};
        case Form::kSortGroups:
            return {r.As<isa::SortGroups>().repeats, isa::Has(r.op, isa::kSortsPairs) ? 32.0 : 16.0};
        case Form::kMergeQueues: {
            const auto& m = r.As<isa::MergeQueues>();
            uint64_t n = 0;
            for (uint32_t i = 0; i < isa::QueuesOf(m.valid); ++i) n += m.lengths[i];
            return {1, static_cast<double>(n * m.repeats)};
        }
        case Form::kInterpolate: {
            const auto& i = r.As<isa::Interpolate>();
            return {uint64_t{i.vertical} * i.horizontal};
        }
        case Form::kReduceTensor: {
            // The vendor's composition: repeats to one result each, until one is left.
            const uint64_t per = isa::LanesPerRepeat(r);
            Repeats found{0, 0, 0};
            for (uint64_t n = lanes() * per; n > 1; n = CeilDiv(n, per)) {
                found.count += CeilDiv(n, per);
                ++found.levels;
            }
            return found;
        }
        default: return {lanes()};
    }
}

double Costs::RepeatCost(const Record& r, double elements, bool* assumed) const {
    DataType widest = r.dst().type;
    for (int i = 1; i < r.operand_count; ++i) {
        const DataType type = r.operand[static_cast<size_t>(i)].type;
        if (BitsOf(type) > BitsOf(widest)) widest = type;
    }
    const isa::Opcode op =
        r.form() == Form::kReduceTensor
            ? (isa::Has(r.op, isa::kTakesMax | isa::kTakesMin) ? isa::Opcode::vcmax : isa::Opcode::vcadd)
            : r.op;
    const soc::Timing::Rate rate = timing_.rates[static_cast<size_t>(op)][static_cast<size_t>(widest)];
    const double full = elements > 0 ? elements : 256.0 * 8 / BitsOf(widest);
    if (rate.elements > 0) {
        *assumed = *assumed || rate.assumed;
        return full / static_cast<double>(rate.elements);
    }
    if (r.op == isa::Opcode::vcopy) return c_.vec_beat;
    *assumed = true;
    if (isa::Has(r.op, isa::kHighLevel) || r.op == isa::Opcode::vexpm1) return full / c_.library_rate;
    return full * BitsOf(widest) / 8 / 256 * c_.vec_beat;
}

VectorPrice Costs::PriceVector(const Record& r) const {
    VectorPrice e;
    const Repeats repeats = RepeatsOf(r);
    e.assumed = r.form() == Form::kReduceTensor;
    const double c = std::max(c_.vec_beat, RepeatCost(r, repeats.elements, &e.assumed));
    const auto count = static_cast<double>(repeats.count);
    e.repeats = repeats.count;
    const BankCost banks = BankConflicts(c_, r, repeats.count);
    e.head = static_cast<float>(c_.vec_head * static_cast<double>(repeats.levels) +
                                c_.vec_barrier * static_cast<double>(repeats.levels - (repeats.levels > 0)));
    e.work = static_cast<float>(count * c);
    e.conflict = static_cast<float>(banks.extra + count * std::max(0.0, banks.write_floor - c));
    return e;
}

void Costs::PriceMmad(const Record& r, Event& e) const {
    const auto& m = r.As<isa::Matmul>();
    // C0 is the depth of a fractal in L0; the cube takes half of a fractal of float at once.
    const uint64_t k0 = isa::C0Of(r.src0().type);
    const double passes = r.src0().type == DataType::kFloat && m.hf32 == isa::Matmul::Hf32::kOff ? 2 : 1;
    e.cost.work =
        static_cast<float>(static_cast<double>(CeilDiv(m.m, 16) * CeilDiv(m.k, k0) * CeilDiv(m.n, 16)) * passes);
    e.cost.head = static_cast<float>(c_.mmad_head);  // the model adds what an idle unit needs
    e.unit_flag = m.unit_flag != 0;
}

void Costs::PriceLoad(const Record& r, Event& e) const {
    if (r.src0().memory == Memory::kGm) return PriceMove(r, e);
    const bool to_a = r.dst().memory == Memory::kL0A;
    double rate = to_a ? c_.mte1_rate_l0a : c_.mte1_rate_l0b, head = c_.mte1_head_load2d;
    uint64_t bytes = 0;
    if (const auto* load = r.If<isa::Load2D>()) {
        bytes = uint64_t{load->repeats} * isa::kFractalBytes;
        e.many_loads = true;
    } else if (const auto* transposed = r.If<isa::LoadTransposed>()) {
        bytes = uint64_t{transposed->repeats} * isa::SquareFractals(r.src0().type) * isa::kFractalBytes;
    } else if (const auto* image = r.If<isa::Load3Dv2>()) {
        head = c_.mte1_head_load3d;
        const uint64_t c0 = isa::C0Of(r.src0().type);
        bytes = CeilDiv(image->m_extension, 16) * CeilDiv(image->k_extension, c0) * isa::kFractalBytes;
        const uint64_t n = image->filter.height, stride = image->filter.stride_w;
        if (n > 1 || stride > 1) {
            const uint64_t more = to_a ? 0 : 2;
            uint64_t slowed = to_a ? 32 : 28;
            if (stride == 1) {
                slowed = 512 / (n + 2 + more);
            } else if (stride == 2 || stride == 4 || stride == 8) {
                slowed = n == 1 ? 512 / (2 * stride + more) : 512 / (2 * stride + n + more);
            }
            rate = std::min(rate, std::max(to_a ? 32.0 : 28.4, static_cast<double>(slowed)));
        }
    } else {
        const auto& image1 = r.As<isa::Load3Dv1>();
        head = c_.mte1_head_load3d;
        bytes = uint64_t{image1.repeats} * isa::kFractalBytes;
    }
    e.cost.head = static_cast<float>(head);
    e.cost.work = static_cast<float>(static_cast<double>(bytes) / rate);
}

void Costs::PriceFixpipe(const Record& r, Event& e) const {
    const auto& f = r.As<isa::Fixpipe>();
    const auto elements = static_cast<double>(uint64_t{f.n} * f.m * std::max(1u, f.nd_count));
    e.unit_flag = f.unit_flag != 0;
    const uint64_t eights = CeilDiv(f.n, 8);
    e.odd_width = !std::has_single_bit(eights);
    if (r.dst().memory != Memory::kGm) {
        e.cost.head = static_cast<float>(c_.fix_head);
        e.cost.work = static_cast<float>(elements / c_.fix_rate_l1);
        return;
    }
    e.kind = Event::Kind::kTransfer;
    e.write = true;
    e.copy.efficiency = 1;
    e.copy.least = static_cast<float>(c_.fix_head + elements / c_.fix_rate_gm);
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

void Costs::PriceMove(const Record& r, Event& e) const {
    const bool reads = r.operand_count > 1 && r.src0().memory == Memory::kGm, writes = r.dst().memory == Memory::kGm;
    if (!reads && !writes) {
        const isa::Span span = isa::SpanOf(r, 0);
        const auto bytes = static_cast<double>(span.end - span.begin);
        const bool table = r.dst().memory == Memory::kBt || r.dst().memory == Memory::kFb;
        if (table) {
            e.cost.head = static_cast<float>(c_.mte1_head_table);
            e.cost.work = static_cast<float>(bytes / c_.mte1_rate_table);
        } else if (r.pipe == Pipe::kV) {
            e.cost.head = static_cast<float>(c_.vec_head);
            e.cost.work = static_cast<float>(std::ceil(bytes / c_.copy_rate_ub));
        } else {
            e.assumed = true;
            e.cost.work = static_cast<float>(bytes / (r.pipe == Pipe::kMte3 ? c_.gm_store_rate : c_.gm_core_rate));
        }
        return;
    }
    e.kind = Event::Kind::kTransfer;
    e.write = writes;
    e.copy.efficiency = 1;
    const isa::Operand& gm = writes ? r.dst() : r.src0();
    e.copy.allocation = gm.allocation;
    e.copy.offset = gm.offset;
    if (!writes) e.copy.least = static_cast<float>(c_.gm_issue);
    const uint64_t element_bits = BitsOf(gm.type);
    if (const auto* blocks = r.If<isa::Blocks>()) {
        e.copy.rows = blocks->block_count;
        e.copy.row_bytes = isa::MoveBlockBytes(r, *blocks, writes ? 0 : 1);
        e.copy.pitch = writes ? blocks->dst_pitch : blocks->src_pitch;
    } else if (const auto* nd = r.If<isa::Nd2Nz>()) {
        e.copy.rows = nd->nd_count * nd->n;
        e.copy.row_bytes = nd->d * element_bits / 8;
        e.copy.pitch = nd->src_d * element_bits / 8;
        e.copy.least = static_cast<float>(std::max(c_.gm_issue, c_.nd2nz_row * e.copy.rows));
        e.nd2nz = true;
        e.copy.efficiency = Efficiency(c_, e.copy.row_bytes, c_.nd2nz_eff_512);
        e.assumed = e.copy.row_bytes < 128;
    } else if (const auto* nz = r.If<isa::Nz2Nd>()) {
        e.copy.rows = nz->nd_count * nz->n;
        e.copy.row_bytes = nz->d * element_bits / 8;
        e.copy.pitch = nz->dst_d_stride * element_bits / 8;
    } else {
        const isa::Span span = isa::SpanOf(r, writes ? 0 : 1);
        e.copy.rows = 1;
        e.copy.offset = span.begin;
        e.copy.row_bytes = span.end - span.begin;
    }
    if (e.copy.rows > 1 && e.copy.pitch == e.copy.row_bytes) {
        e.copy.row_bytes *= e.copy.rows;
        e.copy.rows = 1;
    }
    // Short rows apart cost global memory the same, whatever format they get on the way; long ones nothing (dcub_s3).
    if (!writes && !e.nd2nz && e.copy.rows > 1 && e.copy.row_bytes < kGmLine)
        e.copy.efficiency = Efficiency(c_, e.copy.row_bytes, c_.nd2nz_eff_512);
}

}  // namespace sfumato::timing
