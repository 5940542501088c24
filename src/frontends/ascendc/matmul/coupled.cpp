// SPDX-License-Identifier: Apache-2.0
// Matmul where one core has the cube unit and UB, and L0C is read by pipe V: C, the bias and the scales pass UB, and
// inputs may lie there (adv.md 2.12, cube.md 5.4).
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/adv/rows.h"
#include "frontends/ascendc/matmul/checks.h"
#include "frontends/ascendc/matmul/place.h"
#include "frontends/ascendc/matmul/views.h"
#include "sfumato/ascendc/issue_copy.h"
#include "sfumato/ascendc/reduce_types.h"
#include "sfumato/tiling/cube_depth.h"

namespace sfumato::ascendc::mm {

using AscendC::CubeFormat;
using AscendC::DeqScale;
using AscendC::HardEvent;
using AscendC::TPosition;
using isa::Memory;

namespace {

// Squares of 32 x 32 bytes under one another: row r of 32 columns, at r x pitch, becomes column r of 32 rows.
void TurnSquares(const LocalView& src, uint64_t pitch, uint32_t rows, const LocalView& dst, Where where) {
    constexpr uint32_t kHalf = 16, kSide = 32;
    const auto set = [](BlockList* list, uint32_t i, const LocalView& view, uint64_t offset) {
        list->address[i] = reinterpret_cast<uint64_t>(view.address) + offset;
        list->room[i] = view.room - offset;
    };
    for (uint32_t first = 0; first < rows; first += kSide) {
        for (const uint32_t row : {0U, kHalf}) {
            for (const uint32_t column : {0U, kHalf}) {
                BlockList to, from;
                for (uint32_t i = 0; i < kHalf; ++i) {
                    // A square without all its rows has its last one again: no product reads it.
                    set(&from, i, src, std::min(first + row + i, rows - 1) * pitch);
                    set(&to, i, dst, uint64_t{first + column + i} * kSide);
                }
                pipe_barrier(PIPE_V, where);
                vnchwconv(to, from, DataType::kInt8, {row != 0, column != 0, 1, 0, 0}, where);
            }
        }
    }
}

bool FillsInUb(const Kind& kind) { return kind.c.format == CubeFormat::ND_ALIGN; }

}  // namespace

bool InUb(const runtime::Core& core, const LocalView& view) {
    return core.chip().position[static_cast<size_t>(view.position)] == Memory::kUb;
}

bool Engine::PlanUb(const Object& o, uint64_t rows, uint64_t columns, Sizes* sizes) {
    const DataType type = o.kind->c.type;
    const uint64_t wide = RoundUpTo(columns, FractalColumns(o));
    const Factor b = FactorOf(o, false, true);
    const uint64_t turned = b.turned_in_ub || b.widened ? tiling::kTurnBytes : 0;
    const uint64_t mask = FillsInUb(*o.kind) && BitsOf(type) == 8 ? 32 : 0;
    const uint64_t fractals = BytesOf(type, RoundUpTo(rows, 16) * wide) + mask;
    const uint64_t out = RoundUpTo(std::max({fractals, columns * 4, turned}), 32);
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
           (Refuse(
               core_, "Matmul", where_,
               {Rule::kMatmulTiling, "", "a base block does not fit: C on its way in UB",
                fmt::format("{} bytes {}", room, given ? "of SetLocalWorkspace" : "behind the buffers of the TPipe"),
                fmt::format("{} bytes", out + words),
                "give SetLocalWorkspace what MatmulGetTmpBufSize says, or use smaller base blocks"}));
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
            const LocalView at = From(src, (w.row * whole + w.column + column) * f.bytes);
            const LocalView to = From(dst, uint64_t{column} * w.pitch * f.bytes);
            MoveCall call{Between(&to, &at, f.moved, where_)};
            call.block_count = w.rows;
            call.block_len = 1;
            call.src_gap = whole * f.bytes / 32 - 1;
            data_move(call);
        }
    }
    framework_.Order(HardEvent::MTE3_MTE1, where_);
}

void Engine::LoadTurned(const Factor& f, const Side& side, const Input& input, uint32_t whole, const Window& w,
                        const LocalView& dst) {
    constexpr uint32_t kSide = 32, kSquare = kSide * kSide;  // elements and bytes
    const bool nz = side.format == CubeFormat::NZ, in_ub = input.from == Input::From::kLocal;
    const auto squares = static_cast<uint32_t>(RoundUpTo(w.columns, kSide) / kSide);  // down the rows of storage
    const uint32_t most = std::min(out_.view.room / (2 * kSquare), squares);
    const LocalView stage = Typed(out_.view, f.moved), turned = From(stage, uint64_t{most} * kSquare);
    framework_.Order(HardEvent::MTE2_MTE3, where_);  // the slot in L1 is free for MTE2, and MTE3 fills it
    for (uint32_t n = 0; n < w.rows; n += kSide) {
        for (uint32_t k = 0; k < w.columns; k += most * kSide) {
            Window part;
            part.row = w.column + k, part.column = w.row + n;
            part.rows = std::min(most * kSide, w.columns - k), part.columns = std::min(kSide, w.rows - n);
            part.pitch = static_cast<uint32_t>(RoundUpTo(part.rows, kSide));
            framework_.Await(&out_.free, where_);
            const uint64_t first =
                nz ? (part.column / kSide * whole + part.row) * kSide : part.row * whole + part.column;
            const LocalView from = in_ub ? From(Typed(input.local, f.moved), first) : stage;
            if (!in_ub) {
                framework_.Order(HardEvent::V_MTE2, where_);
                Ends ends;
                ends.gm.address = input.gm.address + first;
                nz ? MoveNz(f, ends, whole, part, stage) : MoveNd(f, input.gm, whole, part, stage);
                framework_.Order(HardEvent::MTE2_V, where_);
            }
            TurnSquares(from, in_ub && !nz ? whole : kSide, part.rows, turned, where_);
            framework_.Order(HardEvent::V_MTE3, where_);
            const LocalView to = From(dst, (uint64_t{k} / kSide * w.pitch + n) * kSide);
            MoveCall call;
            call.src = &turned;
            call.dst = &to;
            call.dst_type = call.src_type = f.moved;
            call.block_count = part.pitch / kSide;
            call.block_len = std::min(kSide, w.pitch - n);
            call.src_gap = static_cast<uint32_t>(kSide - call.block_len);
            call.dst_gap = static_cast<uint32_t>(w.pitch - call.block_len);
            call.where = where_;
            data_move(call);
            out_.free = framework_.Raise(HardEvent::MTE3_V, where_);
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
    const auto [down, across] = FractalsOf(block);
    // What the block before left in L0C and in UB has been read by V.
    pipe_barrier(PIPE_V, where_);
    for (uint32_t i = 0; i < down; ++i) {
        const LocalView fractals = From(c, uint64_t{i} * 1024);
        const Ends ends = Between(&fractals, &row, o.kind->bias.type, where_);
        broadcast_ub_to_l0c(ends, static_cast<int32_t>(across), 1, 0, static_cast<uint8_t>(down - 1));
    }
    framework_.Order(HardEvent::V_M, where_);
}

// Fractals to UB, converted: columns of rows that are 32 bytes or a multiple. pitch: rows from column to column.
void Engine::FractalsToUb(const Object& o, const Block& block, const LocalView& c, const LocalView& ub,
                          uint64_t pitch) {
    const DataType type = o.kind->c.type;
    const auto [down, across] = FractalsOf(block);
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
    if (columns * bytes % 32 != 0) FillRowsInUb(o, block, pitch);
    framework_.Order(HardEvent::V_MTE3, where_);
    if (output.atomic != 0) SetAtomic(static_cast<AtomicMode>(output.atomic), type, where_);
    const bool nz = o.kind->c.format == CubeFormat::NZ;
    for (uint64_t column = 0; column < columns; column += width) {
        const LocalView from = From(Typed(out_.view, type), column * pitch * bytes);
        MoveCall call{Between(nullptr, &from, type, where_, output.gm)};
        const uint64_t past = place.first + column * (nz ? place.pitch : 1);
        call.gm.address += past * bytes;
        if (call.gm.size) call.gm.size -= std::min(past, call.gm.size);
        const uint64_t row = RoundUpTo(std::min(width, columns - column) * bytes, 32) / 32;
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

void Engine::FillRowsInUb(const Object& o, const Block& block, uint64_t pitch) {
    core_.Called("filled rows", where_);
    const DataType type = o.kind->c.type;
    const uint64_t bytes = BytesOf(type, 1), width = FractalColumns(o), each = 32 / bytes;
    const auto rows = static_cast<uint64_t>(block.rows), columns = static_cast<uint64_t>(block.columns);
    // The block of 32 bytes in which each row ends.
    const uint64_t last = columns / width * width * pitch + columns % width / each * each, kept = columns % each;
    adv::RowSteps steps(core_, where_, adv::Walk::kCounts);
    pipe_barrier(PIPE_V, where_);
    const adv::Vec ends{From(Typed(out_.view, type), last * bytes), type};
    if (bytes > 1) return steps.FillInBlock({ends, rows, each, width}, kept, each, 0);
    // No instruction writes single bytes: all but those to keep are masked out, 16 bits at a time.
    const uint64_t pairs = kept / 2, all = 0xFFFF;
    const adv::Vec words = adv::As(ends, DataType::kUint16);
    const adv::Vec mask =
        adv::Part({Typed(out_.view, DataType::kUint16), DataType::kUint16}, sizes_.ub_out / 2 - 16, 16);
    steps.Fill(mask, 0);
    if (pairs) steps.FillInBlock({mask, 1, 16, 16}, 0, pairs, all);
    if (kept % 2) steps.FillInBlock({mask, 1, 16, 16}, pairs, pairs + 1, 0xFF);
    steps.And({words, rows, 16, 16}, {words, rows, 16, 16}, adv::OneRow(mask));
}

}  // namespace sfumato::ascendc::mm
