// SPDX-License-Identifier: Apache-2.0
// Matmul where one core has the cube unit and UB, and L0C is read by pipe V: C, the bias and the scales pass UB, and
// inputs may lie there (adv.md 2.12, cube.md 5.4).
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/matmul/checks.h"
#include "frontends/ascendc/matmul/place.h"
#include "frontends/ascendc/matmul/views.h"
#include "sfumato/ascendc/issue_copy.h"

namespace sfumato::ascendc::mm {

using AscendC::CubeFormat;
using AscendC::DeqScale;
using AscendC::HardEvent;
using AscendC::TPosition;
using isa::Memory;

bool InUb(const runtime::Core& core, const LocalView& view) {
    return core.chip().position[static_cast<size_t>(view.position)] == Memory::kUb;
}

bool Engine::PlanUb(const Object& o, uint64_t rows, uint64_t columns, Sizes* sizes) {
    const DataType type = o.kind->c.type;
    const uint64_t wide = RoundUpTo(columns, FractalColumns(o));
    const uint64_t out = RoundUpTo(std::max(BytesOf(type, RoundUpTo(rows, 16) * wide), columns * 4), 32);
    const uint64_t words = o.quant == Object::Quant::kVector ? RoundUpTo(columns, 16) * 8 : 0;
    const bool given = o.scratch.address != nullptr;
    uint64_t from = RoundUpTo(framework_.Used(Memory::kUb), 32), room = core_.chip().Bytes(Memory::kUb);
    room -= std::min(from, room);
    if (given) {
        from = static_cast<uint64_t>(o.scratch.address - core_.MemoryBase(Memory::kUb));
        room = o.scratch.room;
    }
    sizes->ub_from = from;
    sizes->ub_out = static_cast<uint32_t>(out);
    sizes->ub_words = static_cast<uint32_t>(words);
    return out + words <= room ||
           (Fault(core_, "Matmul", Rule::kMatmulTiling, "", "a base block does not fit: C on its way in UB",
                  fmt::format("{} bytes {}", room, given ? "of SetLocalWorkspace" : "behind the buffers of the TPipe"),
                  fmt::format("{} bytes", out + words),
                  "give SetLocalWorkspace what MatmulGetTmpBufSize says, or use smaller base blocks", where_) &&
            false);
}

void Engine::CarveUb(const Sizes& s) {
    out_ = MakeSlot(TPosition::VECCALC, s.ub_from, s.ub_out);
    words_ = MakeSlot(TPosition::VECCALC, s.ub_from + s.ub_out, s.ub_words);
}

void Engine::LoadFromUb(const Factor& f, const Side& side, const LocalView& ub, uint32_t whole, const Window& w,
                        const LocalView& dst) {
    // The slot is free for MTE2; MTE3 fills it.
    framework_.Order(HardEvent::MTE2_MTE3, where_);
    const LocalView src = Typed(ub, f.moved);
    if (side.format == CubeFormat::NZ) {
        Ends ends;
        const LocalView at = From(src, (w.column / f.c0 * whole + w.row) * 32);
        ends.src = &at;
        MoveNz(f, ends, whole, w, dst);
    } else {
        // A column of fractals is 32 bytes of each row.
        for (uint32_t column = 0; column < w.columns; column += f.c0) {
            MoveCall call;
            const LocalView at = From(src, (w.row * whole + w.column + column) * f.bytes);
            const LocalView to = From(dst, uint64_t{column} * w.pitch * f.bytes);
            call.src = &at;
            call.dst = &to;
            call.dst_type = call.src_type = f.moved;
            call.block_count = w.rows;
            call.block_len = 1;
            call.src_gap = whole * f.bytes / 32 - 1;
            call.where = where_;
            data_move(call);
        }
    }
    framework_.Order(HardEvent::MTE3_MTE1, where_);
}

void Engine::BeginWithBias(const Object& o, const Block& block, const LocalView& c) {
    LocalView row = Typed(out_.view, o.kind->bias.type);
    framework_.Await(&out_.free, where_);
    if (o.bias.from == Input::From::kLocal) {
        row = From(o.bias.local, BytesOf(o.kind->bias.type, static_cast<uint64_t>(block.n)));
    } else {
        framework_.Order(HardEvent::V_MTE2, where_);
        MoveRow(o.bias, o.kind->bias.type, 1, block, row);
        framework_.Order(HardEvent::MTE2_V, where_);
    }
    const auto down = static_cast<uint32_t>(RoundUpTo(static_cast<uint64_t>(block.rows), 16) / 16);
    const auto across = static_cast<uint32_t>(RoundUpTo(static_cast<uint64_t>(block.columns), 16) / 16);
    // What the block before left in L0C and in UB has been read by V.
    pipe_barrier(PIPE_V, where_);
    for (uint32_t i = 0; i < down; ++i) {
        const LocalView fractals = From(c, uint64_t{i} * 1024);
        Ends ends;
        ends.dst = &fractals;
        ends.src = &row;
        ends.dst_type = ends.src_type = o.kind->bias.type;
        ends.where = where_;
        broadcast_ub_to_l0c(ends, static_cast<int32_t>(across), 1, 0, static_cast<uint8_t>(down - 1));
    }
    framework_.Order(HardEvent::V_M, where_);
}

// Fractals to UB, converted: columns of rows that are 32 bytes or a multiple. pitch: rows from column to column.
void Engine::FractalsToUb(const Object& o, const Block& block, const LocalView& c, const LocalView& ub,
                          uint64_t pitch) {
    const DataType type = o.kind->c.type;
    const auto down = static_cast<uint32_t>(RoundUpTo(static_cast<uint64_t>(block.rows), 16) / 16);
    const auto across = static_cast<uint32_t>(RoundUpTo(static_cast<uint64_t>(block.columns), 16) / 16);
    const bool bytes = BitsOf(type) == 8;
    AscendC::DataCopyEnhancedParams enhanced;
    enhanced.blockMode = AscendC::BlockMode::BLOCK_MODE_MATRIX;
    enhanced.isRelu = o.kind->config->enableRelu;
    const bool vector = o.quant == Object::Quant::kVector;
    if (NeedsQuant(*o.kind)) {
        enhanced.deqScale =
            bytes ? (vector ? DeqScale::VDEQ8 : DeqScale::DEQ8) : (vector ? DeqScale::VDEQ16 : DeqScale::DEQ16);
        enhanced.deqValue = vector ? reinterpret_cast<uint64_t>(words_.view.address) : o.quant_word;
    }
    Ends ends;
    ends.src_type = o.kind->a.type == DataType::kInt8 ? DataType::kInt32 : DataType::kFloat;
    ends.dst_type = type;
    ends.where = where_;
    // Two columns of 8 bits lie side by side.
    const uint64_t row = bytes ? 32 : BytesOf(type, 16);
    AscendC::DataCopyParams p;
    p.blockLen = static_cast<uint16_t>(down);
    p.blockCount = static_cast<uint16_t>(bytes ? 1 : across);
    p.dstGap = static_cast<uint16_t>(bytes ? 0 : (pitch - uint64_t{down} * 16) * row / 32);
    for (uint32_t column = 0; column < across; column += p.blockCount) {
        const LocalView from = From(Typed(c, ends.src_type), uint64_t{column} * down * 1024);
        const LocalView to = From(Typed(ub, type), (bytes ? column / 2 : column) * pitch * row);
        enhanced.sidStoreMode = static_cast<uint8_t>(bytes ? column % 2 : 0);
        ends.src = &from;
        ends.dst = &to;
        tensor_mov(ends, p, enhanced);
        if (vector) enhanced.deqValue += 128;
    }
}

void Engine::StoreThroughUb(const Object& o, const Block& block, const Output& output, const LocalView& c) {
    const Place place = PlaceOf(o, block, output);
    const DataType type = o.kind->c.type;
    const uint64_t bytes = BytesOf(type, 1), width = FractalColumns(o);
    const auto rows = static_cast<uint64_t>(block.rows), columns = static_cast<uint64_t>(block.columns);
    if (o.quant == Object::Quant::kVector && NeedsQuant(*o.kind)) {
        framework_.Order(HardEvent::V_MTE2, where_);
        MoveRow(o.quant_words, DataType::kInt32, 2, block, words_.view);
        framework_.Order(HardEvent::MTE2_V, where_);
    }
    framework_.Await(&out_.free, where_);
    framework_.Order(HardEvent::M_V, where_);
    pipe_barrier(PIPE_V, where_);
    if (output.to_local) {
        FractalsToUb(o, block, c, From(Typed(output.local, type), place.first * bytes), place.pitch);
        return;
    }
    const uint64_t pitch = RoundUpTo(rows, 16);
    FractalsToUb(o, block, c, out_.view, pitch);
    framework_.Order(HardEvent::V_MTE3, where_);
    if (output.atomic != 0) SetAtomic(static_cast<AtomicMode>(output.atomic), type, where_);
    const bool nz = o.kind->c.format == CubeFormat::NZ;
    for (uint64_t column = 0; column < columns; column += width) {
        MoveCall call;
        const LocalView from = From(Typed(out_.view, type), column * pitch * bytes);
        call.src = &from;
        call.dst_type = call.src_type = type;
        call.where = where_;
        call.gm = output.gm;
        const uint64_t past = place.first + column * (nz ? place.pitch : 1);
        call.gm.address += past * bytes;
        if (call.gm.size) call.gm.size -= std::min(past, call.gm.size);
        const uint64_t row = std::min(width, columns - column) * bytes / 32;
        if (nz) {
            call.block_len = rows * row;
        } else {
            call.block_count = static_cast<uint32_t>(rows);
            call.block_len = row;
            call.src_gap = static_cast<uint32_t>(width * bytes / 32 - row);
            call.dst_gap = static_cast<uint32_t>(place.pitch * bytes / 32 - row);
        }
        data_move(call);
    }
    if (output.atomic != 0) ClearAtomic();
    out_.free = framework_.Raise(HardEvent::MTE3_V, where_);
}

namespace {

bool Legal(runtime::Core& core, Rule rule, const char* operand, const char* message, std::string found,
           std::string legal, const char* hint, Where where) {
    return Fault(core, "Init", rule, operand, message, std::move(found), std::move(legal), hint, where) && false;
}

}  // namespace

bool CheckCoupledKind(runtime::Core& core, const Object& o, Where where) {
    const Kind& kind = *o.kind;
    const DataType a = kind.a.type, c = kind.c.type;
    const std::string on = fmt::format("not on {}", core.chip().name);
    if (a != DataType::kHalf && a != DataType::kInt8) {
        return Legal(core, Rule::kMatmulTypes, "A, B", "the cube unit does not multiply the type", CName(a),
                     "half, int8_t", "convert A and B to half", where);
    }
    const bool whole = a == DataType::kInt8;
    if (whole ? c == DataType::kBfloat16 : c != DataType::kFloat && c != DataType::kHalf) {
        return Legal(core, Rule::kMatmulTypes, "C", "the product does not leave L0C in the type", CName(c),
                     "float, half", "take float, and convert in UB", where);
    }
    if (o.tiling.isBias && kind.bias.type == DataType::kHalf) {
        return Legal(core, Rule::kMatmulTypes, "bias", "without a bias table nothing widens the bias", "half", "float",
                     "convert the bias to float", where);
    }
    if (kind.a.may_transpose && whole) {
        return Legal(core, Rule::kMatmulTranspose, "A", "the fractals of A in 8 bits cannot be turned", "ISTRANS true",
                     "false", "store A as M rows of K", where);
    }
    if (!kind.b.may_transpose && whole) {
        return Legal(core, Rule::kMatmulTranspose, "B", "the fractals of B in 8 bits cannot be turned", "ISTRANS false",
                     "true", "store B as N rows of K, and pass isTransposeB", where);
    }
    if (kind.copy_a || kind.copy_b || kind.copy_out) {
        return Legal(core, Rule::kMatmulRefused, "MM_CB", "this part of Matmul is out of scope", "callbacks, " + on,
                     "none", "let Matmul move the blocks", where);
    }
    if (kind.a.layout > AscendC::LayoutMode::NORMAL) {
        return Legal(core, Rule::kMatmulRefused, "LAYOUT", "this part of Matmul is out of scope",
                     "a layout of attention, " + on, "NONE, NORMAL", "call IterateAll for each product", where);
    }
    return true;
}

bool CheckCoupledProduct(runtime::Core& core, const Object& o, const char* call, Where where) {
    const auto fault = [&](const char* operand, const char* message, std::string found, const char* legal,
                           const char* hint) {
        return Fault(core, call, Rule::kMatmulRange, operand, message, std::move(found), legal, hint, where) && false;
    };
    for (const bool is_a : {true, false}) {
        const Input& input = is_a ? o.a : o.b;
        const Side& side = is_a ? o.kind->a : o.kind->b;
        const char* name = is_a ? "A" : "B";
        if (input.from == Input::From::kScalar)
            return fault(name, "no scalar stands for a matrix here", "a scalar", "a tensor", "fill a tensor");
        if (input.from != Input::From::kLocal || !InUb(core, input.local)) continue;
        const bool k_rows = is_a == input.transposed;
        const auto outer = static_cast<uint64_t>(is_a ? o.m : o.n), k = static_cast<uint64_t>(o.k);
        uint64_t rows = k_rows ? k : outer, columns = k_rows ? outer : k;
        if (side.format == CubeFormat::NZ)
            rows = RoundUpTo(rows, 16), columns = RoundUpTo(columns, 256 / BitsOf(side.type));
        const uint64_t row = BytesOf(side.type, columns), all = rows * row;
        if (row % 32 != 0) {
            return fault(name, "rows of a matrix in UB do not begin at 32 bytes", fmt::format("{} bytes in a row", row),
                         "a multiple of 32 bytes", "pad the rows, or keep the matrix in global memory");
        }
        if (all > input.local.room) {
            return fault(name, "the piece reads past the tensor", fmt::format("{} bytes", input.local.room),
                         fmt::format("{} bytes", all).c_str(), "give the buffer behind it as many in InitBuffer");
        }
    }
    if (o.quant_words.from == Input::From::kLocal)
        return fault("quantTensor", "the words of the scales lie in global memory here", "a LocalTensor",
                     "a GlobalTensor", "pass the words in global memory");
    return true;
}

bool CheckCoupledOutput(runtime::Core& core, const Object& o, const Output& output, const char* call, Where where) {
    const DataType type = o.kind->c.type;
    const bool nz = o.kind->c.format == CubeFormat::NZ;
    const auto fault = [&](const char* message, std::string found, const char* legal, const char* hint) {
        return Fault(core, call, Rule::kMatmulDestination, "C", message, std::move(found), legal, hint, where) && false;
    };
    if (output.to_local && std::string_view(call) == "IterateAll")
        return fault("IterateAll has results in global memory here", "a LocalTensor", "a GlobalTensor",
                     "use Iterate and GetTensorC");
    if (output.to_local && !nz)
        return fault("results in UB are NZ here", "CubeFormat::ND", "CubeFormat::NZ",
                     "use NZ for C, or a GlobalTensor");
    if (output.to_local || nz) return true;
    // Rows of the matrix and of the last block across.
    const int32_t last = o.n % o.tiling.baseN ? o.n % o.tiling.baseN : o.tiling.baseN;
    for (const int32_t columns : {output.sequential ? o.tiling.baseN
                                  : o.org_kc        ? o.org_kc
                                                    : o.org_n,
                                  std::min(o.n, o.tiling.baseN), last}) {
        const uint64_t row = BytesOf(type, static_cast<uint64_t>(columns));
        if (row % 32 == 0) continue;
        return fault("rows of the result do not begin and end at 32 bytes", fmt::format("{} bytes in a row", row),
                     "a multiple of 32 bytes", "use another N, or pad the rows of C");
    }
    if (o.scratch.address) return true;
    return Fault(core, call, Rule::kMatmulOrder, "", "C passes UB, and Matmul has no place of its own there",
                 "no SetLocalWorkspace before it", "SetLocalWorkspace first",
                 "give it what MatmulGetTmpBufSize says; free UB behind the buffers of the TPipe is taken", where);
}

}  // namespace sfumato::ascendc::mm
