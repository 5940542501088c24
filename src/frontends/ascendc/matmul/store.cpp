// SPDX-License-Identifier: Apache-2.0
// A base block out of L0C: its place, its conversion, its atomic mode (adv.md 2.7, 2.9).
#include <algorithm>

#include "frontends/ascendc/matmul/checks.h"
#include "frontends/ascendc/matmul/place.h"
#include "frontends/ascendc/matmul/views.h"
#include "sfumato/ascendc/issue_copy.h"

namespace sfumato::ascendc::mm {

using AscendC::CubeFormat;
using AscendC::HardEvent;

namespace {

// The conversion from the accumulator (adv.md 2.9, cube.md 5.2).
QuantMode_t ModeOf(const Object& o) {
    const bool whole = o.kind->a.type == DataType::kInt8 || o.kind->a.type == DataType::kInt4;
    const bool vector = o.quant == Object::Quant::kVector;
    switch (o.kind->c.type) {
        case DataType::kHalf: return !whole ? F322F16 : vector ? VDEQF16 : DEQF16;
        case DataType::kBfloat16: return F322BF16;
        case DataType::kInt8: return whole ? (vector ? VREQ8 : REQ8) : vector ? VQF322B8_PRE : QF322B8_PRE;
        default: return NoQuant;
    }
}

}  // namespace

bool NeedsQuant(const Kind& kind) {
    const bool whole = kind.a.type == DataType::kInt8 || kind.a.type == DataType::kInt4;
    return kind.c.type == DataType::kInt8 || (whole && kind.c.type == DataType::kHalf);
}

uint32_t FractalColumns(const Object& o) {
    if (o.kind->c.type == DataType::kInt8) return 32;
    return o.kind->c.type == DataType::kFloat && o.kind->config->isEnableChannelSplit ? 8 : 16;
}

Place PlaceOf(const Object& o, const Block& block, const Output& output) {
    const auto& t = o.tiling;
    const uint64_t bytes = BytesOf(o.kind->c.type, 1);
    const bool in_piece = output.layout == Layout::kInPiece, sequential = output.layout == Layout::kSequential;
    Place place;
    if (o.kind->c.format == CubeFormat::NZ) {
        const uint64_t c = FractalColumns(o);
        // Of a result in UB or L1 the whole is the piece.
        const int32_t whole = output.to_gm ? o.org_m : o.m;
        place.pitch = RoundUpTo(static_cast<uint64_t>(in_piece ? whole : sequential ? t.baseM : block.rows), 16);
        if (in_piece)
            place.first = static_cast<uint64_t>(block.n) / c * place.pitch * c + static_cast<uint64_t>(block.m) * c;
        place.end = place.first + RoundUpTo(static_cast<uint64_t>(block.columns), c) / c * place.pitch * c;
        place.end -= (place.pitch - static_cast<uint64_t>(block.rows)) * c;
        return place;
    }
    const int32_t row = output.to_gm ? (o.org_kc ? o.org_kc : o.org_n) : o.n;
    place.pitch = static_cast<uint64_t>(in_piece ? row : sequential ? t.baseN : block.columns);
    if (o.kind->c.format == CubeFormat::ND_ALIGN && output.layout != Layout::kInWorkspace)
        place.pitch = RoundUpTo(place.pitch * bytes, 32) / bytes;
    if (in_piece) place.first = static_cast<uint64_t>(block.m) * place.pitch + static_cast<uint64_t>(block.n);
    place.end =
        place.first + static_cast<uint64_t>(block.rows - 1) * place.pitch + static_cast<uint64_t>(block.columns);
    return place;
}

void Engine::StoreByCall(const Object& o, const Block& block, const Output& output, const Place& place,
                         const LocalView& c) {
    framework_.Order(HardEvent::M_FIX, where_);
    AscendC::DataCopyOutParams p;
    p.cBurstNum = static_cast<uint16_t>(FractalsOf(block).across);
    p.burstLen = static_cast<uint16_t>(block.rows * 16 * 4 / 32);
    p.dstStride = static_cast<uint32_t>(place.pitch);
    p.oriNSize = static_cast<uint16_t>(block.columns);
    p.enUnitFlag = o.kind->config->enUnitFlag;
    p.quantScalar = o.quant_word;
    const AscendC::LocalTensor<int8_t> tensor(c);
    o.kind->copy_out(output.gm.address + BytesOf(o.kind->c.type, place.first), tensor, &p, o.user_info, o.self_data);
}

void Engine::StoreByFixpipe(const Object& o, const Block& block, const Output& output, const Place& place,
                            const LocalView& c) {
    const DataType type = o.kind->c.type;
    const bool whole = o.kind->a.type == DataType::kInt8 || o.kind->a.type == DataType::kInt4;
    AscendC::FixpipeParamsV220 p;
    const bool nz = o.kind->c.format == CubeFormat::NZ;
    p.mSize = static_cast<uint16_t>(block.rows);
    p.nSize = static_cast<uint16_t>(block.columns);
    p.srcStride = static_cast<uint16_t>(FractalsOf(block).down * 16);
    p.isChannelSplit = nz && FractalColumns(o) == 8;
    p.dstStride = static_cast<uint32_t>(nz ? place.pitch * BytesOf(type, FractalColumns(o)) / 32 : place.pitch);
    p.quantPre = ModeOf(o);
    p.deqScalar = o.quant_word;
    p.reluEn = o.kind->config->enableRelu;
    Slot* words = nullptr;
    LocalView in_l1;
    if (o.quant == Object::Quant::kVector && NeedsQuant(*o.kind)) {
        words = &q1_.Take();
        framework_.Await(&words->free, where_);
        MoveRow(o.quant_words, DataType::kInt32, 2, block, words->view);
        framework_.Order(HardEvent::MTE2_FIX, where_);
        in_l1 = words->view;
        in_l1.size = in_l1.room / 8;
    }
    framework_.Order(HardEvent::M_FIX, where_);
    Ends ends;
    ends.src = &c;
    ends.src_type = whole ? DataType::kInt32 : DataType::kFloat;
    ends.dst_type = type;
    ends.where = where_;
    LocalView local;
    if (output.to_gm) {
        ends.gm = output.gm;
        ends.gm.address += BytesOf(type, place.first);
        if (ends.gm.size) ends.gm.size -= std::min(place.first, ends.gm.size);
    } else {
        local = output.local;
        const auto past = static_cast<uint32_t>(BytesOf(type, place.first));
        local.address += past;
        local.room -= std::min(past, local.room);
        ends.dst = &local;
    }
    if (output.atomic != 0) SetAtomic(static_cast<AtomicMode>(output.atomic), type, where_);
    fixpipe(ends, words ? &in_l1 : nullptr, p, nz ? AscendC::CO2Layout::NZ : AscendC::CO2Layout::ROW_MAJOR);
    if (output.atomic != 0) ClearAtomic();
    if (words) words->free = framework_.Raise(HardEvent::FIX_MTE2, where_);
}

void Engine::Store(const Object& o, const Block& block, const Output& output) {
    Results& results = results_[client_];
    if (!results.current || results.owner != o.self) {
        Find(core_, "GetTensorC", where_,
             {Rule::kMatmulPairing, "", "another Matmul has taken the block's place in L0C",
              "an Iterate of another object between Iterate and GetTensorC", "GetTensorC first",
              "fetch the block, and call End, before another object iterates"});
        return;
    }
    const Place place = PlaceOf(o, block, output);
    const LocalView& c = results.current->view;
    if (ThroughUb()) {
        StoreThroughUb(o, block, output, c);
    } else if (o.kind->copy_out) {
        StoreByCall(o, block, output, place, c);
    } else {
        StoreByFixpipe(o, block, output, place, c);
    }
    // The piece that is as wide as the matrix ends its rows.
    const int32_t row = o.org_kc ? o.org_kc : o.org_n;
    const bool ends = o.n == row && block.n + block.columns == row && output.layout == Layout::kInPiece && output.to_gm;
    const bool fills =
        o.kind->c.format == CubeFormat::ND_ALIGN && ends && place.pitch > static_cast<uint64_t>(row) && !ThroughUb();
    framework_.Await(&results.current->free, where_);
    if (fills) {
        core_.Called("filled rows", where_);
        results.current->free = framework_.Raise(HardEvent::FIX_M, where_);
        FillRows(o, block, place, output);
    }
    results.current->free = framework_.Raise(ThroughUb() ? HardEvent::V_M : HardEvent::FIX_M, where_);
    results.stored = true;
    if (fills) results.owner = nullptr;  // the block is gone
}

void Engine::FillRows(const Object& o, const Block& block, const Place& place, const Output& output) {
    Slot& slot = *results_[client_].current;
    const bool whole = o.kind->a.type == DataType::kInt8 || o.kind->a.type == DataType::kInt4;
    framework_.Await(&slot.free, where_);
    LocalView c = slot.view;
    c.size = c.room / 4;
    AscendC::MmadParams zeros;
    zeros.m = static_cast<uint16_t>(std::max(block.rows, 2));
    zeros.n = 16;
    MultiplyZeros(whole ? DataType::kInt8 : DataType::kHalf, zeros, nullptr, c);
    framework_.Order(HardEvent::M_FIX, where_);
    AscendC::FixpipeParamsV220 p;
    p.mSize = static_cast<uint16_t>(block.rows);
    p.srcStride = static_cast<uint16_t>(FractalsOf(block).down * 16);
    p.dstStride = static_cast<uint32_t>(place.pitch);
    p.quantPre = NeedsQuant(*o.kind) && o.kind->c.type == DataType::kHalf ? DEQF16
                 : NeedsQuant(*o.kind)                                    ? (whole ? REQ8 : QF322B8_PRE)
                                                                          : ModeOf(o);
    p.deqScalar = uint64_t{1} << 46 | 0x3f800000;  // 1, no offset, signed
    Ends ends;
    ends.src = &c;
    ends.src_type = whole ? DataType::kInt32 : DataType::kFloat;
    ends.dst_type = o.kind->c.type;
    ends.where = where_;
    const uint64_t first = place.first + static_cast<uint64_t>(block.columns), row = static_cast<uint64_t>(o.n);
    for (uint64_t column = row; column < place.pitch; column += 16) {
        const uint64_t past = first + column - row;
        p.nSize = static_cast<uint16_t>(std::min<uint64_t>(16, place.pitch - column));
        ends.gm = output.gm;
        ends.gm.address += BytesOf(o.kind->c.type, past);
        if (ends.gm.size) ends.gm.size -= std::min(past, ends.gm.size);
        fixpipe(ends, nullptr, p, AscendC::CO2Layout::ROW_MAJOR);
    }
}

}  // namespace sfumato::ascendc::mm
