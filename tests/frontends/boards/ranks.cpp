// SPDX-License-Identifier: Apache-2.0
// Operators that rank and choose, as they stand behind a detector: the best of many, those above a threshold, boxes
// that overlap.
#include "operators.h"

namespace sfumato::boards {
namespace {

// --- kernels

// The best 16 of 64 scores, each with its place, best first: pairs on Ascend310B, proposals on Ascend310P.
__global__ __aicore__ void best_pairs(GM_ADDR x, GM_ADDR scores, GM_ADDR places, uint32_t rows) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in_queue;
    TQue<TPosition::VECOUT, 1> score_queue, place_queue;
    TBuf<> index_buffer, works;
    pipe.InitBuffer(in_queue, 1, 64 * 4);
    pipe.InitBuffer(score_queue, 1, 64);
    pipe.InitBuffer(place_queue, 1, 64);
    pipe.InitBuffer(index_buffer, 64 * 4);
    pipe.InitBuffer(works, 2 * 64 * 8);
    const auto index = index_buffer.Get<int32_t>();
    CreateVecIndex(index, 0, 64);
    const auto pairs = works.GetWithOffset<float>(128, 0), merged = works.GetWithOffset<float>(128, 512);
    const Part part = PartOf(rows);
    for (uint32_t r = part.first; r < part.first + part.count; ++r) {
        auto in = in_queue.AllocTensor<float>();
        DataCopy(in, Gm<float>(x, rows * 64)[r * 64], 64);
        in_queue.EnQue(in);
        in = in_queue.DeQue<float>();
        Sort32(pairs, in, index.ReinterpretCast<uint32_t>(), 2);
        in_queue.FreeTensor(in);
        const uint16_t lengths[4] = {32, 32, 0, 0};
        MrgSort(merged, {pairs, pairs[64], {}, {}}, MrgSort4Info(lengths, false, 3, 1));
        auto best = score_queue.AllocTensor<float>();
        auto where = place_queue.AllocTensor<int32_t>();
        uint64_t kept = 0;
        const GatherMaskParams of_pairs{1, 1, 8, 0};
        GatherMask(best, merged, 1, true, 32, of_pairs, kept);
        GatherMask(where, merged.ReinterpretCast<int32_t>(), 2, true, 32, of_pairs, kept);
        score_queue.EnQue(best), place_queue.EnQue(where);
        best = score_queue.DeQue<float>(), where = place_queue.DeQue<int32_t>();
        DataCopy(Gm<float>(scores, rows * 16)[r * 16], best, 16);
        DataCopy(Gm<int32_t>(places, rows * 16)[r * 16], where, 16);
        score_queue.FreeTensor(best), place_queue.FreeTensor(where);
    }
}
__global__ __aicore__ void best_proposals(GM_ADDR x, GM_ADDR scores, GM_ADDR places, uint32_t rows) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in_queue;
    TQue<TPosition::VECOUT, 1> score_queue, place_queue;
    TBuf<> index_buffer, works;
    pipe.InitBuffer(in_queue, 1, 64 * 4);
    pipe.InitBuffer(score_queue, 1, 64);
    pipe.InitBuffer(place_queue, 1, 64);
    pipe.InitBuffer(index_buffer, 64 * 4 + 64);
    pipe.InitBuffer(works, 2 * 64 * 32);
    const auto index = index_buffer.GetWithOffset<float>(64, 0), labels = index_buffer.GetWithOffset<float>(16, 256);
    const auto proposals = works.GetWithOffset<float>(512, 0), merged = works.GetWithOffset<float>(512, 2048);
    for (uint32_t i = 0; i < 64; ++i) index.SetValue(i, static_cast<float>(i));
    Order<HardEvent::S_V>();
    Duplicate(proposals, 0.0f, 512);
    const Part part = PartOf(rows);
    for (uint32_t r = part.first; r < part.first + part.count; ++r) {
        auto in = in_queue.AllocTensor<float>();
        DataCopy(in, Gm<float>(x, rows * 64)[r * 64], 64);
        in_queue.EnQue(in);
        in = in_queue.DeQue<float>();
        ProposalConcat(proposals, in, 4, 4);
        ProposalConcat(proposals, index, 4, 5);
        in_queue.FreeTensor(in);
        RpSort16(proposals, proposals, 4);
        const uint16_t lengths[4] = {16, 16, 16, 16};
        MrgSort4(merged, {proposals, proposals[128], proposals[256], proposals[384]},
                 MrgSort4Info(lengths, false, 15, 1));
        auto best = score_queue.AllocTensor<float>();
        auto where = place_queue.AllocTensor<int32_t>();
        ProposalExtract(best, merged, 1, 4);
        ProposalExtract(labels, merged, 1, 5);
        Cast(where, labels, RoundMode::CAST_RINT, 16);
        score_queue.EnQue(best), place_queue.EnQue(where);
        best = score_queue.DeQue<float>(), where = place_queue.DeQue<int32_t>();
        DataCopy(Gm<float>(scores, rows * 16)[r * 16], best, 16);
        DataCopy(Gm<int32_t>(places, rows * 16)[r * 16], where, 16);
        score_queue.FreeTensor(best), place_queue.FreeTensor(where);
    }
}
// The same by the call, smallest first.
__global__ __aicore__ void top_k_call(GM_ADDR x, GM_ADDR scores, GM_ADDR places, uint32_t rows, TopkTiling t,
                                      uint32_t tmp_bytes) {
    TPipe pipe;
    TBuf<> in_buffer, values, indices, tmp;
    pipe.InitBuffer(in_buffer, rows * 64 * 4);
    pipe.InitBuffer(values, rows * 16 * 4);
    pipe.InitBuffer(indices, rows * 16 * 4);
    pipe.InitBuffer(tmp, tmp_bytes);
    auto in = in_buffer.Get<float>(), best = values.Get<float>();
    auto where = indices.Get<int32_t>();
    DataCopy(in, Gm<float>(x, rows * 64), rows * 64);
    Order<HardEvent::MTE2_V>();
    const LocalTensor<int32_t> no_index;
    const LocalTensor<bool> no_rows;
    TopK<float, false, false, false, TopKMode::TOPK_NORMAL>(best, where, in, no_index, no_rows, tmp.Get<uint8_t>(), 16,
                                                            t, {static_cast<int32_t>(rows), 64, 64}, false);
    Order<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(scores, rows * 16), best, rows * 16);
    DataCopy(Gm<int32_t>(places, rows * 16), where, rows * 16);
}

// The scores above a threshold, close together, and how many.
__global__ __aicore__ void above(GM_ADDR x, GM_ADDR y, GM_ADDR count, uint32_t total, float threshold) {
    constexpr uint32_t kTile = 64;  // a repeat: the bits of each begin in a block of their own
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in_queue;
    TQue<TPosition::VECOUT, 1> out_queue;
    TBuf<> masks, limits, numbers;
    pipe.InitBuffer(in_queue, 1, kTile * 4);
    pipe.InitBuffer(out_queue, 1, kTile * 4);
    pipe.InitBuffer(masks, 32);
    pipe.InitBuffer(limits, kTile * 4);
    pipe.InitBuffer(numbers, 32);
    const auto bits = masks.Get<uint8_t>();
    const auto limit = limits.Get<float>();
    Duplicate(limit, threshold, static_cast<int32_t>(kTile));
    uint64_t found = 0;
    for (uint32_t at = 0; at < total; at += kTile) {
        auto in = in_queue.AllocTensor<float>();
        DataCopy(in, Gm<float>(x, total)[at], kTile);
        in_queue.EnQue(in);
        in = in_queue.DeQue<float>();
        Compare(bits, in, limit, CMPMODE::GT, kTile);
        auto out = out_queue.AllocTensor<float>();
        Duplicate(out, -1.0f, static_cast<int32_t>(kTile));
        uint64_t kept = 0;
        GatherMask(out, in, bits.ReinterpretCast<uint32_t>(), true, kTile, {1, 1, 8, 8}, kept);
        in_queue.FreeTensor(in);
        out_queue.EnQue(out);
        out = out_queue.DeQue<float>();
        // What lies behind the last one is written again by the next tile.
        PipeBarrier<PIPE_MTE3>();
        DataCopy(Gm<float>(y, total + kTile)[found], out, kTile);
        out_queue.FreeTensor(out);
        found += kept;
    }
    const auto number = numbers.Get<int32_t>();
    Duplicate(number, static_cast<int32_t>(found), 8);
    Order<HardEvent::V_MTE3>();
    DataCopy(Gm<int32_t>(count, 8), number, 8);
}

// Boxes by falling score, four planes of corners: 1 for each that no better one overlaps by more than half.
__global__ __aicore__ void suppress(GM_ADDR boxes, GM_ADDR keep, uint32_t total) {
    TPipe pipe;
    TBuf<> planes, works, masks, flags;
    pipe.InitBuffer(planes, 4 * total * 4);
    pipe.InitBuffer(works, 5 * total * 4);
    pipe.InitBuffer(masks, UpTo(total / 8, 32));
    pipe.InitBuffer(flags, total * 4);
    const auto n = static_cast<int32_t>(total);
    const auto plane = [&](uint32_t i) { return planes.GetWithOffset<float>(total, i * total * 4); };
    const auto work = [&](uint32_t i) { return works.GetWithOffset<float>(total, i * total * 4); };
    const auto x1 = plane(0), y1 = plane(1), x2 = plane(2), y2 = plane(3), area = work(0), w = work(1), h = work(2),
               most = work(3), sum = work(4);
    const auto bits = masks.Get<uint8_t>();
    const auto kept = flags.Get<int32_t>();
    DataCopy(planes.Get<float>(), Gm<float>(boxes, 4 * total), 4 * total);
    Order<HardEvent::MTE2_V>();
    Sub(w, x2, x1, n);
    Sub(h, y2, y1, n);
    Mul(area, w, h, n);
    Duplicate(kept, 1, n);
    const auto least = [&](const auto& out, const auto& low, const auto& high, float from, float to) {
        Maxs(most, low, from, n);
        Mins(out, high, to, n);
        Sub(out, out, most, n);
        Maxs(out, out, 0.0f, n);
    };
    Order<HardEvent::V_S>();
    for (uint32_t i = 0; i + 1 < total; ++i) {
        if (kept.GetValue(i) == 0) continue;
        least(w, x1, x2, x1.GetValue(i), x2.GetValue(i));
        least(h, y1, y2, y1.GetValue(i), y2.GetValue(i));
        Mul(w, w, h, n);
        Adds(sum, area, area.GetValue(i), n);
        Sub(sum, sum, w, n);
        Muls(sum, sum, 0.5f, n);
        Compare(bits, w, sum, CMPMODE::GT, total);
        Order<HardEvent::V_S>();
        for (uint32_t j = i + 1; j < total; ++j) {
            if (bits.GetValue(j / 8) >> j % 8 & 1) kept.SetValue(j, 0);
        }
    }
    Order<HardEvent::S_MTE3>();
    DataCopy(Gm<int32_t>(keep, total), kept, total);
}

// Where the largest of each row stands, as a classifier ends: value and place by one instruction.
__global__ __aicore__ void argmax(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer, results;
    pipe.InitBuffer(buffer, 2 * columns * sizeof(float));
    pipe.InitBuffer(results, UpTo(rows, 8) * 4 + 32);
    const auto row = buffer.GetWithOffset<float>(columns, 0), work = buffer.GetWithOffset<float>(columns, columns * 4);
    const auto one = results.GetWithOffset<float>(8, 0);
    const auto places = results.GetWithOffset<int32_t>(UpTo(rows, 8), 32);
    const auto from = Gm<float>(x, rows * columns);
    Duplicate(places, -1, static_cast<int32_t>(UpTo(rows, 8)));
    for (uint32_t r = 0; r < rows; ++r) {
        DataCopy(row, from[r * columns], columns);
        Order<HardEvent::MTE2_V>();
        ReduceMax(one, row, work, static_cast<int32_t>(columns), true);
        Order<HardEvent::V_S>();
        places.SetValue(r, one.template ReinterpretCast<int32_t>().GetValue(1));
        Order<HardEvent::S_MTE2>();
    }
    Order<HardEvent::S_MTE3>();
    DataCopy(Gm<int32_t>(y, UpTo(rows, 8)), places, UpTo(rows, 8));
}

// --- what they must give

constexpr uint32_t kRows = 7;
struct Ranked {
    std::vector<float> x, scores;
    std::vector<int32_t> places;
};
Ranked Rank(bool largest) {
    Ranked ranked{{}, {}, {}};
    Values random(111);
    for (uint32_t r = 0; r < kRows; ++r) {
        std::vector<std::pair<float, int32_t>> row;
        for (int32_t i = 0; i < 64; ++i)
            row.emplace_back(static_cast<float>(i * 29 % 64) + 100.0f * static_cast<float>(r), i);
        for (size_t i = 64; i-- > 1;)
            std::swap(row[i].first, row[static_cast<size_t>(random.Integer(0, static_cast<int64_t>(i)))].first);
        for (const auto& one : row) ranked.x.push_back(one.first);
        std::sort(row.begin(), row.end(), [&](const auto& a, const auto& b) { return largest ? a > b : a < b; });
        for (size_t i = 0; i < 16; ++i) ranked.scores.push_back(row[i].first), ranked.places.push_back(row[i].second);
    }
    return ranked;
}
Program BestOn(const Board& board) {
    const Ranked want = Rank(true);
    return Made("best_of_row", board, {In(want.x), Out(want.scores), Out(want.places)},
                [pads = board.pads](auto gm) { (pads ? best_pairs : best_proposals)(gm[0], gm[1], gm[2], kRows); });
}
Program TopKCallOn(const Board& board) {
    const Ranked want = Rank(false);
    fe::PlatFormInfos info{board.chip};
    const platform_ascendc::PlatformAscendC platform(&info);
    TopkTiling tiling;
    EXPECT_TRUE(TopKTilingFunc(platform, 64, kRows, 16, 4, false, TopKMode::TOPK_NORMAL, false, tiling));
    uint32_t most = 0, least = 0;
    GetTopKMaxMinTmpSize(platform, 64, kRows, false, false, TopKMode::TOPK_NORMAL, false, 4, most, least);
    return Made("top_k_call", board, {In(want.x), Out(want.scores), Out(want.places)},
                [=](auto gm) { top_k_call(gm[0], gm[1], gm[2], kRows, tiling, least); });
}
Program AboveOn(const Board& board) {
    constexpr uint32_t total = 1024;
    const auto x = Floats(total, 0, 1000, 0.001, 112);
    std::vector<float> y;
    for (const float v : x) {
        if (v > 0.75f) y.push_back(v);
    }
    const std::vector<int32_t> count(8, static_cast<int32_t>(y.size()));
    // The last tile's row ends 64 behind its first.
    const size_t last = static_cast<size_t>(std::count_if(x.begin(), x.end() - 64, [](float v) { return v > 0.75f; }));
    y.resize(last + 64, -1.0f);
    Argument rows = Out(y);
    const size_t end = (total + 64) * sizeof(float);
    rows.before.resize(end, kFill), rows.after.resize(end, kFill);
    return Made("above", board, {In(x), rows, Out(count)}, [](auto gm) { above(gm[0], gm[1], gm[2], total, 0.75f); });
}
Program SuppressOn(const Board& board) {
    constexpr uint32_t total = 64;
    const auto corners = Integers<int32_t>(4 * total, 0, 60, 113);
    std::vector<float> boxes(4 * total);
    for (uint32_t i = 0; i < total; ++i) {
        for (uint32_t side = 0; side < 2; ++side) {
            const auto low = static_cast<float>(corners[i * 4 + side] / 4),
                       size = static_cast<float>(10 + corners[i * 4 + 2 + side] / 6);
            boxes[side * total + i] = low, boxes[(side + 2) * total + i] = low + size;
        }
    }
    std::vector<int32_t> keep(total, 1);
    const auto at = [&](uint32_t plane, uint32_t i) { return boxes[plane * total + i]; };
    const auto area = [&](uint32_t i) { return (at(2, i) - at(0, i)) * (at(3, i) - at(1, i)); };
    for (uint32_t i = 0; i < total; ++i) {
        for (uint32_t j = i + 1; keep[i] && j < total; ++j) {
            const float w = std::max(0.0f, std::min(at(2, i), at(2, j)) - std::max(at(0, i), at(0, j)));
            const float h = std::max(0.0f, std::min(at(3, i), at(3, j)) - std::max(at(1, i), at(1, j)));
            if (w * h > (area(i) + area(j) - w * h) / 2) keep[j] = 0;
        }
    }
    return Made("suppress", board, {In(boxes), Out(keep)}, [](auto gm) { suppress(gm[0], gm[1], total); });
}

Program ArgmaxOn(const Board& board) {
    constexpr uint32_t rows = 13, columns = 1000;
    const auto x = Floats(rows * columns, -300, 300, 0.5, 28);
    std::vector<int32_t> y(16, -1);
    for (uint32_t r = 0; r < rows; ++r)
        y[r] = static_cast<int32_t>(std::max_element(&x[r * columns], &x[r * columns] + columns) - &x[r * columns]);
    return Made("argmax", board, {In(x), Out(y)}, [](auto gm) { argmax(gm[0], gm[1], rows, columns); });
}
}  // namespace

std::vector<Operator> RankOperators() {
    return {
        {"best_of_row", kBoth, BestOn},
        {"top_k_call", k310P, TopKCallOn, Blocks::kOne},
        {"argmax", kBoth, ArgmaxOn, Blocks::kOne},
        {"above", kBoth, AboveOn, Blocks::kOne},
        {"suppress", kBoth, SuppressOn, Blocks::kOne},
    };
}

}  // namespace sfumato::boards
