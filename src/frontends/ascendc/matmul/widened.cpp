// SPDX-License-Identifier: Apache-2.0
// B of int8_t beside A of half, where results pass UB: (B + offset) x scale in half on its way to L1, each step
// rounded, as AscendAntiQuant has it (adv.md 2.12, decided).
#include <algorithm>

#include "frontends/ascendc/adv/rows.h"
#include "frontends/ascendc/matmul/engine.h"
#include "frontends/ascendc/matmul/views.h"
#include "sfumato/ascendc/issue_copy.h"

namespace sfumato::ascendc::mm {

using AscendC::HardEvent;

namespace {

constexpr uint32_t kWide = 32;             // columns of 8 bits in a block
constexpr uint32_t kRowBytes = 3 * kWide;  // of a row: as bytes, as halves

// wide: rows of kWide halves. n: the column of B of the first element; down: rows are columns of B.
void Apply(adv::RowSteps& steps, const Input& offset, const Input& scale, uint64_t n, bool down, uint32_t rows,
           uint32_t columns, const adv::Vec& wide, const adv::Vec& blocks) {
    const adv::Rows all{wide, rows, columns, kWide};
    const auto row = [&](const Input& of) {
        const adv::Vec whole{Typed(of.local, DataType::kHalf), DataType::kHalf};
        if (!down) return adv::OneRow(adv::Part(whole, n, columns));
        steps.Broadcast(blocks, adv::Part(whole, n, RoundUpTo(rows, 8)), rows);
        return adv::BlockEach(blocks);
    };
    const auto number = [](const Input& of) {
        return static_cast<double>(static_cast<float>(FromBits<half>(of.scalar)));
    };
    if (offset.from == Input::From::kScalar) {
        steps.Adds(wide, wide, number(offset));
        steps.Muls(wide, wide, number(scale));
        return;
    }
    steps.Add(all, all, row(offset));
    steps.Mul(all, all, row(scale));
}

}  // namespace

void Engine::LoadWidened(const Object& o, const Factor& f, uint32_t whole, const Window& w, const LocalView& dst) {
    Factor bytes = f;
    bytes.type = bytes.moved = DataType::kInt8;
    bytes.bytes = 1, bytes.c0 = kWide;
    const bool nz = o.kind->b.format == AscendC::CubeFormat::NZ;
    const uint32_t most = out_.view.room / kRowBytes / 16 * 16;
    const LocalView stage = Typed(out_.view, DataType::kInt8), halves = From(stage, uint64_t{most} * kWide);
    framework_.Order(HardEvent::MTE2_MTE3, where_);  // the slot in L1 is free for MTE2, and MTE3 fills it
    for (uint32_t c = 0; c < w.columns; c += kWide) {
        for (uint32_t r = 0; r < w.rows; r += most) {
            Window part;
            part.row = w.row + r, part.column = w.column + c;
            part.rows = part.pitch = std::min(most, w.rows - r), part.columns = std::min(kWide, w.columns - c);
            framework_.Await(&out_.free, where_);
            framework_.Order(HardEvent::V_MTE2, where_);
            Ends ends;
            ends.gm.address = o.b.gm.address + (part.column / kWide * whole + part.row) * kWide;
            nz ? MoveNz(bytes, ends, whole, part, stage) : MoveNd(bytes, o.b.gm, whole, part, stage);
            framework_.Order(HardEvent::MTE2_V, where_);
            adv::RowSteps steps(core_, where_, adv::Walk::kCounts);
            const uint64_t count = uint64_t{part.rows} * kWide;
            const adv::Vec raw = adv::Part({stage, DataType::kInt8}, 0, count);
            const adv::Vec wide = adv::Part({Typed(halves, DataType::kHalf), DataType::kHalf}, 0, count);
            steps.Cast(wide, raw, Rounding::kNone);
            Apply(steps, o.offset, o.scale, f.turned ? part.column : part.row, !f.turned, part.rows, part.columns, wide,
                  adv::As(raw, DataType::kHalf));
            framework_.Order(HardEvent::V_MTE3, where_);
            for (uint32_t i = 0; i < part.columns; i += f.c0) {
                const LocalView from = From(wide.view, uint64_t{i} * 2);
                const LocalView to = From(dst, ((uint64_t{c} + i) / f.c0 * w.pitch + r) * 32);
                MoveCall call{Between(&to, &from, f.moved, where_)};
                call.block_count = part.rows;
                call.block_len = 1;
                call.src_gap = 1;
                data_move(call);
            }
            out_.free = framework_.Raise(HardEvent::MTE3_V, where_);
        }
    }
    framework_.Order(HardEvent::MTE3_MTE1, where_);
}

}  // namespace sfumato::ascendc::mm
