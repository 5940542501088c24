// SPDX-License-Identifier: Apache-2.0
// A record as one readable line.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <iterator>

#include "isa/geometry.h"
#include "isa/record.h"

namespace sfumato::isa {
namespace {

using Out = std::back_insert_iterator<std::string>;

const char* TypeName(const Record& r, DataType t) { return r.api == Api::kTik ? NumpyName(t) : CName(t); }

void PrintOperand(Out out, const Record& r, int i, bool strides) {
    const Operand& o = r.operand[static_cast<size_t>(i)];
    fmt::format_to(out, " {}={}", OperandName(r, i), Name(o.memory));
    if (o.memory == Memory::kGm) fmt::format_to(out, "#{}", o.allocation);
    fmt::format_to(out, "+{}:{}", o.offset, TypeName(r, o.type));
    if (strides) fmt::format_to(out, "[{},{}]", o.block_stride, o.repeat_stride);
}

void PrintMask(Out out, const Record& r) {
    switch (r.mask.mode) {
        case MaskMode::kCount: fmt::format_to(out, " count={}", r.mask.count); return;
        case MaskMode::kCounter: fmt::format_to(out, " counter={}", r.mask.count); return;
        case MaskMode::kContinuous: fmt::format_to(out, " mask={}", r.mask.count); break;
        case MaskMode::kBits: fmt::format_to(out, " mask={{{:#x},{:#x}}}", r.mask.bits[0], r.mask.bits[1]); break;
    }
    fmt::format_to(out, " repeat={}", r.repeat);
}

// Operands with their strides, and the mask, of forms that have them.
void PrintOperands(Out out, const Record& r) {
    const FormInfo& info = Info(r.form());
    const bool lanes = info.lanes != LanesOfForm::kNone;
    for (int i = 0; i < std::min<int>(r.operand_count, info.operands); ++i) {
        PrintOperand(out, r, i, lanes && i < info.strided && r.mask.mode != MaskMode::kCount);
    }
    if (lanes) PrintMask(out, r);
}

void PrintValue(Out out, const Record& r) { fmt::format_to(out, " value={:#x}", r.immediate); }

// PrintIn: what a form adds to its operands.
void PrintIn(Out out, const Record& r, const Elementwise&) {
    if (r.If<Scalar>() || r.If<Fill>() || r.If<Index>()) PrintValue(out, r);
    if (Has(r.op, kShifts) && r.rounding == Rounding::kRound) fmt::format_to(out, " rounded");
    if (!Converts(r.form())) return;
    fmt::format_to(out, " {}", Name(r.rounding));
    if (r.half_block != HalfBlock::kDense)
        fmt::format_to(out, " half={}", r.half_block == HalfBlock::kHigh ? "high" : "low");
    constexpr const char* kDeq[] = {"", "half:", "word:", "vector at UB+"};
    if (r.control.deq == DeqScale::kVector) {
        fmt::format_to(out, " deqscale={}{}", kDeq[3], r.control.deq_word);
    } else if (r.control.deq != DeqScale::kNone) {
        fmt::format_to(out, " deqscale={}{:#x}", kDeq[static_cast<int>(r.control.deq)], r.control.deq_word);
    }
}

void PrintIn(Out out, const Record& r, const Blocks& m) {
    fmt::format_to(out, " blocks={}x{}B pitch={},{}", m.block_count, m.block_bytes, m.dst_pitch, m.src_pitch);
    const auto* p = r.If<MovePad>();
    if (!p || (!p->is_pad && p->left == 0 && p->right == 0)) return;
    fmt::format_to(out, " pad={},{}", p->left, p->right);
    if (p->pad_defined) {
        fmt::format_to(out, " value={:#x}", p->pad_value);
    } else {
        fmt::format_to(out, " value=undefined");
    }
}

void PrintIn(Out out, const Record& r, const ScalarStore&) { PrintValue(out, r); }
void PrintIn(Out out, const Record&, const Flag& f) {
    fmt::format_to(out, " {}->{} id={}", Name(f.from) + 5, Name(f.to) + 5, f.id);
    if (f.token) fmt::format_to(out, " (queue, token {})", f.token);
}
void PrintIn(Out, const Record&, const Barrier&) {}
void PrintIn(Out out, const Record& r, const CrossFlag& f) {
    if (r.op == Opcode::ffts_cross_core_sync) fmt::format_to(out, " mode={}", f.mode);
    fmt::format_to(out, " id={}", f.id);
}

void PrintImage(Out out, const FeatureMap& map, const Filter& f) {
    fmt::format_to(out, " map={}x{} pad={},{},{},{} filter={}x{} stride={},{} dilation={},{}", map.height, map.width,
                   map.left, map.right, map.top, map.bottom, f.height, f.width, f.stride_h, f.stride_w, f.dilation_h,
                   f.dilation_w);
}

// What both Load3D forms print last.
template <class Load>
void PrintL1(Out out, const Load& s) {
    if (s.pad_value) fmt::format_to(out, " padvalue={:#x}", s.pad_value);
    if (s.boundary) fmt::format_to(out, " boundary={}", s.boundary);
}

void PrintIn(Out out, const Record&, const Load2D& s) {
    fmt::format_to(out, " start={} repeat={} stride={} gap={}{}{}", s.start, s.repeats, s.src_stride, s.dst_gap,
                   s.transpose ? " transpose" : "", s.decrement ? " falling" : "");
}

void PrintIn(Out out, const Record&, const LoadTransposed& s) {
    fmt::format_to(out, " start={} repeat={} stride={} gap={} fractalgap={}{}", s.start, s.repeats, s.src_stride,
                   s.dst_gap, s.dst_fractal_gap, s.decrement ? " falling" : "");
}

void PrintIn(Out out, const Record&, const Load3Dv1& s) {
    PrintImage(out, s.map, s.filter);
    fmt::format_to(out, " c1={} fetch={},{} lefttop={},{} repeat={} mode={} jump={}{}", s.c1_index, s.fetch_h,
                   s.fetch_w, s.left_top_h, s.left_top_w, s.repeats, s.repeat_mode, s.jump_stride,
                   s.small_channels ? " csize" : "");
    PrintL1(out, s);
}

void PrintIn(Out out, const Record&, const Load3Dv2& s) {
    PrintImage(out, s.map, s.filter);
    fmt::format_to(out, " channels={} m={}+{} k={}+{}{}", s.channels, s.m_start, s.m_extension, s.k_start,
                   s.k_extension, s.transpose ? " transpose" : "");
    if (s.repeats != 1) {
        fmt::format_to(out, " repeat={} mode={} repeatstride={}", s.repeats, s.repeat_mode, s.repeat_stride);
    }
    PrintL1(out, s);
}

void PrintIn(Out out, const Record&, const Matmul& s) {
    constexpr const char* kInitial[] = {"zero", "accumulate", "bias"};
    constexpr const char* kHf32[] = {"", " hf32=even", " hf32=away"};
    fmt::format_to(out, " m={} n={} k={} init={}{}{}{}{}", s.m, s.n, s.k, kInitial[static_cast<int>(s.initial)],
                   kHf32[static_cast<int>(s.hf32)], s.order == Matmul::Order::kK0Block ? " order=k0-block" : "",
                   s.k_direction_align ? " kalign" : "", s.vector_a ? " gemv" : "");
    if (s.unit_flag) fmt::format_to(out, " unitflag={}", s.unit_flag);
}

void PrintIn(Out out, const Record&, const Fixpipe& s) {
    fmt::format_to(out, " m={} n={} stride={},{} {}", s.m, s.n, s.dst_stride, s.src_stride,
                   s.row_major ? "rows" : "NZ");
    if (s.row_major && s.nd_count != 1) {
        fmt::format_to(out, " nd={}x{},{}", s.nd_count, s.dst_nd_stride, s.src_nd_stride);
    }
    fmt::format_to(out, " {}", Name(s.quant));
    if (s.quant >= Quant::kDeqF16 && !IsVectorQuant(s.quant)) fmt::format_to(out, " word={:#x}", s.word);
    fmt::format_to(out, "{}{}", s.channel_split ? " split" : "", s.relu ? " relu" : "");
    if (s.unit_flag) fmt::format_to(out, " unitflag={}", s.unit_flag);
}

void PrintIn(Out out, const Record&, const MatrixMove& s) {
    fmt::format_to(out, " {} blocks={}x{} gap={},{}", Name(s.block), s.block_count, s.block_len, s.dst_gap, s.src_gap);
    if (s.deq != MatrixMove::Deq::kNone) {
        fmt::format_to(out, " {}=", DeqName(s.deq));
        IsVectorDeq(s.deq) ? fmt::format_to(out, "UB+{}", s.word) : fmt::format_to(out, "{:#x}", s.word);
    }
    if (s.sid_store_mode) fmt::format_to(out, " sid={}", s.sid_store_mode);
    if (s.relu) fmt::format_to(out, " relu");
}

void PrintIn(Out out, const Record&, const Nd2Nz& s) {
    fmt::format_to(out, " n={} d={} dst=c0:{},n:{} src=d:{}", s.n, s.d, s.dst_c0_stride, s.dst_n_stride, s.src_d);
    if (s.nd_count != 1) fmt::format_to(out, " nd={}x{},{}", s.nd_count, s.dst_nd_stride, s.src_nd_stride);
}

void PrintIn(Out out, const Record&, const Nz2Nd& s) {
    fmt::format_to(out, " n={} d={} dst=d:{} src=n:{}", s.n, s.d, s.dst_d_stride, s.src_n_stride);
    if (s.nd_count != 1) fmt::format_to(out, " nd={}x{},{}", s.nd_count, s.dst_nd_stride, s.src_nd_stride);
}

void PrintIn(Out out, const Record& r, const BlockFill& s) {
    fmt::format_to(out, " repeat={} blocks={} gap={}", s.repeats, s.blocks, s.dst_gap);
    PrintValue(out, r);
}

void PrintIn(Out out, const Record&, const Reduce& s) {
    if (s.order != ReduceOrder::kValueIndex) fmt::format_to(out, " {}", Name(s.order));
    if (s.fill_masked) fmt::format_to(out, " fillmasked");
}

void PrintIn(Out out, const Record&, const ReduceTensor& s) {
    if (s.index) fmt::format_to(out, " index");
    if (s.group != 1) fmt::format_to(out, " group={}", s.group);
}

void PrintIn(Out out, const Record&, const TransposeSquares& s) {
    fmt::format_to(out, " repeat={} stride={},{}", s.repeats, s.dst_stride, s.src_stride);
}

void PrintIn(Out out, const Record&, const TransposeBlocks& s) {
    fmt::format_to(out, " dstlist={} srclist={} repeat={} stride={},{}{}{}", fmt::join(s.dst, ","),
                   fmt::join(s.src, ","), s.repeats, s.dst_stride, s.src_stride, s.dst_high ? " dsthigh" : "",
                   s.src_high ? " srchigh" : "");
}

void PrintIn(Out out, const Record&, const TransposeChannels& s) {
    fmt::format_to(out, " n={} channels={} pixels={} {}", s.n, s.channels, s.pixels, s.to_last ? "tolast" : "tofirst");
}

void PrintIn(Out out, const Record&, const ProposalField& s) {
    fmt::format_to(out, " repeat={} field={}", s.repeats, s.field);
}
void PrintIn(Out out, const Record&, const SortGroups& s) { fmt::format_to(out, " repeat={}", s.repeats); }
void PrintIn(Out out, const Record&, const MergeQueues& s) {
    fmt::format_to(out, " lengths={} valid={} repeat={}{}", fmt::join(s.lengths, ","), s.valid, s.repeats,
                   s.suspend ? " suspend" : "");
}

void PrintIn(Out out, const Record& r, const Compare& s) {
    fmt::format_to(out, " {}", Name(s.mode));
    if (r.operand_count == 2) PrintValue(out, r);
}
void PrintIn(Out out, const Record& r, const Select& s) {
    fmt::format_to(out, " mode={}", static_cast<int>(s.mode));
    if (r.operand_count == 3) PrintValue(out, r);
}
void PrintIn(Out out, const Record& r, const RegisterMove&) {
    if (r.operand_count == 1) PrintValue(out, r);
}
void PrintIn(Out, const Record&, const Broadcast&) {}
void PrintIn(Out out, const Record&, const Padding& s) {
    fmt::format_to(out, " mode={} side={}", s.mode, s.right ? "right" : "left");
}
void PrintIn(Out out, const Record&, const Offsets& s) { fmt::format_to(out, " base={}", s.base); }
void PrintIn(Out out, const Record&, const Interpolate& s) {
    fmt::format_to(out, " horizontal={} weights={}", s.horizontal, s.block_weights ? "blocks" : "all");
}
void PrintIn(Out out, const Record&, const GatherMask& s) {
    if (s.pattern) fmt::format_to(out, " pattern={}", s.pattern);
}

}  // namespace

std::string Print(const Record& r) {
    const InstructionInfo& info = Info(r.op);
    std::string line;
    const Out out(line);
    fmt::format_to(out, "#{} {:9} {}", r.index, Name(r.pipe), r.api == Api::kTik ? info.tik : info.ascendc);
    PrintOperands(out, r);
    VisitForm(r, [&](const auto& parameters) { PrintIn(out, r, parameters); });
    if (IsAtomic(r)) {
        constexpr const char* kAtomic[] = {"", "add", "max", "min"};
        fmt::format_to(out, " atomic={}:{}", kAtomic[static_cast<int>(r.control.atomic)],
                       TypeName(r, r.control.atomic_type));
    }
    if (r.where.file && *r.where.file) {
        const char* slash = std::strrchr(r.where.file, '/');
        fmt::format_to(out, "  {}:{}", slash ? slash + 1 : r.where.file, r.where.line);
    }
    return line;
}

}  // namespace sfumato::isa
