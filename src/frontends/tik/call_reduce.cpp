// SPDX-License-Identifier: Apache-2.0
// Reductions and transposes to records (tik.md 1.6, 1.7; vector_instructions.md 6, 7).
#include <fmt/format.h>

#include <algorithm>

#include "frontends/tik/calls.h"
#include "isa/reductions.h"

namespace sfumato::tik {
namespace {

using isa::Record;

constexpr uint32_t kGroup = 255;  // repeats added one after another (tik.md 3.9)

void NoRegister(const CallValues& v, Param param) {
    if (const CallArgument* a = v.Find(param)) {
        Refuse({Rule::kParameterUnsupported, Name(param), "the register's result is not handed out", v.Given(a), "None",
                "read value and index from dst"});
    }
}

void SetPair(const CallValues& v, Record* r) {
    r->pipe = isa::Pipe::kV;
    r->operand_count = 2;
    r->operand[0] = v.Operand(0);
    r->operand[1] = v.Operand(1);
}

// Chips that add one repeat after another need none; the page asks for one all the same (tik.md 3.9).
void CheckUnusedWork(const CallValues& v, const Record& r) {
    const isa::Operand work = v.Operand(2);
    const uint64_t elements = (work.limit - std::min(work.limit, work.offset)) * 8 / BitsOf(work.type);
    const uint64_t repeats = isa::LanesOf(r, isa::LanesShift(r)).repeats;
    if (elements >= repeats) return;
    Refuse({Rule::kWorkSize, "work_tensor", "the tensor for intermediate results is too small",
            fmt::format("{} elements", elements), fmt::format("{} elements or more", repeats),
            "make the tensor larger: a result of every repeat"});
}

}  // namespace

void BuildReduce(const CallValues& v, Record* r) {
    NoRegister(v, Param::max_cnt_index);
    NoRegister(v, Param::min_cnt_index);
    BuildVector(v, r);
    isa::Reduce shape;
    if (v.Flag(Param::index_low)) shape.order = isa::ReduceOrder::kIndexValue;
    shape.fill_masked = v.chip().reduce.fill_masked;
    r->Set(shape);
}

void BuildReduceTensor(const CallValues& v, Record* r) {
    BuildVector(v, r);
    isa::ReduceTensor shape;
    shape.index = v.Flag(Param::cal_index);
    if (r->op == isa::Opcode::vec_reduce_add && v.chip().reduce.sequential) shape.group = kGroup;
    r->Set(shape);
    r->operand_count = isa::WorkElements(*r) == 0 ? 2 : 3;
    if (r->operand_count == 2) CheckUnusedWork(v, *r);
}

void BuildTransposeSquares(const CallValues& v, Record* r) {
    SetPair(v, r);
    isa::TransposeSquares shape;
    shape.repeats = v.Count(Param::repeat_times, 1);
    shape.dst_stride = v.Count(Param::dst_rep_stride, 1);
    shape.src_stride = v.Count(Param::src_rep_stride, 1);
    r->Set(shape);
}

void BuildTransposeBlocks(const CallValues& v, Record* r) {
    constexpr int kBlocks = static_cast<int>(isa::TransposeBlocks::kBlocks);
    isa::TransposeBlocks shape;
    shape.repeats = v.Count(Param::repeat_times, 1);
    shape.dst_stride = v.Count(Param::dst_rep_stride, 0);
    shape.src_stride = v.Count(Param::src_rep_stride, 0);
    shape.dst_high = v.Flag(Param::dst_high_half);
    shape.src_high = v.Flag(Param::src_high_half);
    r->pipe = isa::Pipe::kV;
    r->operand_count = 2;
    for (int side = 0; side < 2; ++side) {
        auto& list = side == 0 ? shape.dst : shape.src;
        uint32_t& room = side == 0 ? shape.dst_room : shape.src_room;
        for (int k = 0; k < kBlocks; ++k) {
            const isa::Operand o = v.Operand(side * kBlocks + k);
            // The first block stands for the operand: its type, its memory when that is not UB.
            if (k == 0 || o.memory != isa::Memory::kUb) Nth(r->operand, side) = o;
            Nth(list, k) = static_cast<uint32_t>(o.offset);
            room = static_cast<uint32_t>(std::min<uint64_t>(room, o.limit - std::min(o.limit, o.offset)));
        }
        isa::Operand& operand = Nth(r->operand, side);
        operand.offset = *std::min_element(list.begin(), list.end()) / isa::kBlockBytes * isa::kBlockBytes;
        operand.limit = v.chip().Bytes(isa::Memory::kUb);
        operand.elements = 0;
    }
    r->Set(shape);
}

void BuildTransposeChannels(const CallValues& v, Record* r) {
    SetPair(v, r);
    r->Set(isa::TransposeChannels{v.Flag(Param::chw2hwc), 1, v.Count(Param::channels, 0), v.Count(Param::m_len, 0)});
}

}  // namespace sfumato::tik
