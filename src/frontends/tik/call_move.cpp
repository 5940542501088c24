// SPDX-License-Identifier: Apache-2.0
// Moves to records: units to bytes, the path to its pipe (tik.md 1.5).
#include <fmt/format.h>

#include "frontends/tik/calls.h"
#include "isa/path.h"

namespace sfumato::tik {
namespace {

using isa::Memory;
using isa::Record;
using Deq = isa::MatrixMove::Deq;

bool TouchesL0C(const Record& r) { return r.src0().memory == Memory::kL0C || r.dst().memory == Memory::kL0C; }

// nburst x burst blocks of 32 bytes. Plain moves carry bytes: the types need not be equal (tik.md 1.5).
void PlainMove(const CallValues& v, Param burst, Record* r) {
    r->Become(isa::Opcode::data_move);
    r->operand[1].type = r->dst().type;
    auto& m = r->As<isa::Blocks>();
    m.block_count = v.Count(Param::nburst, 1);
    m.block_bytes = uint64_t{v.Count(burst, 0)} * isa::kBlockBytes;
    m.src_pitch = m.block_bytes + uint64_t{v.Count(Param::src_stride, 0)} * isa::kBlockBytes;
    m.dst_pitch = m.block_bytes + uint64_t{v.Count(Param::dst_stride, 0)} * isa::kBlockBytes;
}

// The scale of a conversion out of L0C, by its kind and the destination.
void SetScale(const CallValues& v, Record* r, isa::MatrixMove* shape) {
    constexpr int kWords = 2;
    const CallArgument* a = v.Find(Param::deqscale);
    const DataType dst = r->dst().type;
    const bool words = v.has(kWords);
    if (!words && !a) return;
    if (BitsOf(dst) == 8) {
        shape->deq = words ? Deq::kVDeq8 : Deq::kDeq8;
    } else if (dst == DataType::kInt16) {
        shape->deq = words ? Deq::kVDeq16 : Deq::kDeq16;
    } else {
        shape->deq = words ? Deq::kVDeq : Deq::kDeq;
    }
    if (words) {
        shape->word = v.Operand(kWords).offset;
    } else {
        shape->word = v.Bits(*a, shape->deq == Deq::kDeq ? DataType::kHalf : DataType::kUint64);
    }
}

void MatrixMove(const CallValues& v, isa::MatrixMove::Block block, Param burst, Record* r) {
    r->Become(isa::Opcode::tensor_mov);
    isa::MatrixMove shape;
    shape.block = block;
    shape.block_count = v.Count(Param::nburst, 1);
    shape.block_len = v.Count(burst, 0);
    shape.src_gap = v.Count(Param::src_stride, 0);
    shape.dst_gap = v.Count(Param::dst_stride, 0);
    shape.relu = v.Flag(Param::relu);
    shape.sid_store_mode = static_cast<uint8_t>(std::min<uint32_t>(v.Count(Param::sid_store_mode, 0), 255));
    SetScale(v, r, &shape);
    r->Set(shape);
}

void Absent(const CallValues& v, Param param) {
    if (const CallArgument* a = v.Find(param)) {
        Refuse({Rule::kParameterUnsupported, Name(param), fmt::format("{} is not supported", Name(param)), v.Given(a),
                "None", "leave it out"});
    }
}

}  // namespace

void SetEnds(const CallValues& v, Record* r) {
    r->operand_count = 2;
    r->operand[0] = v.Operand(0);
    r->operand[1] = v.Operand(1);
    r->pipe = isa::PipeOfPath(r->src0().memory, r->dst().memory);
}

void BuildMove(const CallValues& v, Record* r) {
    SetEnds(v, r);
    if (TouchesL0C(*r)) return MatrixMove(v, isa::MatrixMove::Block::kMatrix, Param::burst, r);
    PlainMove(v, Param::burst, r);
}

void BuildMatrixMove(const CallValues& v, Record* r) {
    SetEnds(v, r);
    Absent(v, Param::pad_mode);
    Absent(v, Param::src_onthefly);
    const std::string_view mode = v.Text(Param::block_mode, "");
    if (mode != "" && mode != "m" && mode != "v") {
        Refuse({Rule::kBlockMode, "block_mode", "the block mode is not supported", fmt::format("'{}'", mode),
                "'m' (fractals of 16 x 16), 'v' (their first rows), '' without L0C", ""});
    }
    if (!TouchesL0C(*r)) return PlainMove(v, Param::burst_len, r);
    MatrixMove(v, mode == "v" ? isa::MatrixMove::Block::kVector : isa::MatrixMove::Block::kMatrix, Param::burst_len, r);
}

void BuildRowBroadcast(const CallValues& v, Record* r) {
    SetEnds(v, r);
    const CallArgument* strides = v.Find(Param::strides);
    const int32_t given = strides ? strides->count : 0;
    if (given != 2) {
        Refuse({Rule::kParameterCount, "strides", "the call takes two strides", fmt::format("{}", given),
                "src_stride, dst_stride", "0, 0 where the bursts follow each other"});
    }
    r->Set(isa::MatrixMove{.block = isa::MatrixMove::Block::kBroadcast,
                           .block_count = v.Count(Param::nburst, 0),
                           .block_len = v.Count(Param::burst_len, 0),
                           .src_gap = v.Count(v.Item(*strides, 0)),
                           .dst_gap = v.Count(v.Item(*strides, 1))});
}

void BuildMovePad(const CallValues& v, Record* r) {
    SetEnds(v, r);
    auto& m = r->As<isa::MovePad>();
    m.block_count = v.Count(Param::nburst, 1);
    m.block_bytes = v.Count(Param::burst, 0);
    const uint64_t element = BytesOf(r->dst().type, 1);
    const auto padding = [&](Param param) {
        // What does not fit a byte is refused by the check of the range.
        return static_cast<uint8_t>(std::min<uint32_t>(v.Count(param, 0), 255));
    };
    m.left = padding(Param::left_padding);
    m.right = padding(Param::right_padding);
    const CallArgument* value = v.Find(Param::padding_value);
    const bool to_local = r->src0().memory == Memory::kGm;
    m.is_pad = value != nullptr;
    m.pad_value = value ? v.Bits(*value, r->dst().type) : 0;
    m.pad_defined = value || (m.left == 0 && m.right == 0);
    // Gaps are end to start: bytes in GM, blocks of 32 bytes in UB, where a block is padded to 32 bytes.
    const uint64_t src_gap = v.Count(Param::src_gap, 0), dst_gap = v.Count(Param::dst_gap, 0);
    const uint64_t padded = (m.block_bytes + (uint64_t{m.left} + m.right) * element + 31) / 32 * 32;
    const uint64_t local = padded + (to_local ? dst_gap : src_gap) * isa::kBlockBytes;
    const uint64_t global = m.block_bytes + (to_local ? src_gap : dst_gap);
    m.src_pitch = to_local ? global : local;
    m.dst_pitch = to_local ? local : global;
}

void BuildNd2Nz(const CallValues& v, Record* r) {
    SetEnds(v, r);
    r->Set(isa::Nd2Nz{.nd_count = v.Count(Param::nd_num, 0),
                      .n = v.Count(Param::nd_n, 0),
                      .d = v.Count(Param::nd_d, 0),
                      .src_nd_stride = v.Count(Param::src_nd_stride, 0),
                      .src_d = v.Count(Param::src_n_stride, 0),
                      .dst_c0_stride = v.Count(Param::dst_c0_stride, 0),
                      .dst_n_stride = v.Count(Param::dst_n_stride, 0),
                      .dst_nd_stride = v.Count(Param::dst_nd_stride, 0)});
}

}  // namespace sfumato::tik
