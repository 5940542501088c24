// SPDX-License-Identifier: Apache-2.0
// Buffers, queues, workspace and the memories of the cube unit that nobody wrote, and what an earlier tile left behind.
#include "sanitize/pairs/blocks.h"
#include "sanitize/pairs/cube_tiles.h"

namespace sfumato::pairs {
namespace {

constexpr uint32_t kTail = 32;

inline const LoadData2DParams kTwoFractals(0, 2, 1, 0, 0, false, 0);
inline const MmadParams kLongProduct(kSide, kSide, 2 * kSide, 0, false, true);

// Two tiles through queues of one block each; the second may be short.
__aicore__ inline void Tiled(GM_ADDR* gm, uint32_t loaded, uint32_t computed) {
    auto x = Gm<float>(gm[0], 2 * kShare), z = Gm<float>(gm[1], 2 * kShare);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, kShare * sizeof(float));
    pipe.InitBuffer(out, 1, kShare * sizeof(float));
    for (uint32_t i = 0; i < 2; ++i) {
        const uint32_t load = i == 0 ? kShare : loaded, compute = i == 0 ? kShare : computed;
        LocalTensor<float> tile = in.AllocTensor<float>();
        DataCopy(tile, x[i * kShare], load);
        in.EnQue(tile);
        tile = in.DeQue<float>();
        LocalTensor<float> result = out.AllocTensor<float>();
        Adds(result, tile, 1.0f, static_cast<int32_t>(compute));
        out.EnQue(result);
        in.FreeTensor(tile);
        result = out.DeQue<float>();
        DataCopy(z[i * kShare], result, compute);
        out.FreeTensor(result);
    }
}

}  // namespace

std::vector<Pair> UninitialisedMemoryPairs() {
    return {
        Pair("short_tile_computed_whole", "stale-read",
             [](GM_ADDR* gm, bool wrong) { Tiled(gm, kTail, wrong ? kShare : kTail); },
             {Input<float>("x", 2 * kShare), InOut<float>("z", 2 * kShare)}),
        Pair("result_of_the_last_tile_stored_again", "stale-read",
             [](GM_ADDR* gm, bool wrong) {
                 auto x = Gm<float>(gm[0], 2 * kShare), z = Gm<float>(gm[1], 2 * kShare);
                 TPipe pipe;
                 TBuf<> in;
                 TQue<TPosition::VECOUT, 1> out;
                 pipe.InitBuffer(in, 2 * kShare * sizeof(float));
                 pipe.InitBuffer(out, 1, kShare * sizeof(float));
                 LocalTensor<float> tiles = in.Get<float>();
                 DataCopy(tiles, x, 2 * kShare);
                 Sync<HardEvent::MTE2_V>();
                 for (uint32_t i = 0; i < 2; ++i) {
                     LocalTensor<float> result = out.AllocTensor<float>();
                     Muls(result, tiles[i * kShare], 2.0f, i == 1 && wrong ? kTail : kShare);
                     out.EnQue(result);
                     result = out.DeQue<float>();
                     DataCopy(z[i * kShare], result, kShare);
                     out.FreeTensor(result);
                 }
             },
             {Input<float>("x", 2 * kShare), Output<float>("z", 2 * kShare)}),
        Pair("tensor_enqueued_without_a_load", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 auto x = Gm<float>(gm[0], kShare), z = Gm<float>(gm[1], kShare);
                 TPipe pipe;
                 TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
                 pipe.InitBuffer(queue, 1, kShare * sizeof(float));
                 LocalTensor<float> tile = queue.AllocTensor<float>();
                 if (!wrong) DataCopy(tile, x, kShare);
                 queue.EnQue(tile);
                 tile = queue.DeQue<float>();
                 DataCopy(z, tile, kShare);
                 queue.FreeTensor(tile);
             }),
        Pair("wrong_half_of_a_double_buffer", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto both = b.New<float>(2 * kShare);
                 DataCopy(both, Gm<float>(gm[0], kShare), kShare);
                 b.Order<HardEvent::MTE2_MTE3>();
                 DataCopy(Gm<float>(gm[1], kShare), both[wrong ? kShare : 0], kShare);
             }),
        Pair(
            "workspace_summed_before_anybody_wrote_it", "uninitialised-read",
            [](GM_ADDR* gm, bool wrong) {
                Block b;
                auto x = Gm<float>(gm[0], kShare), z = Gm<float>(gm[1], kShare), work = Gm<float>(gm[2], kShare);
                if (!wrong) DataCopy(work, b.Plus(x, kShare, 1.0f), kShare);
                PipeBarrier<PIPE_ALL>();
                DataCopy(z, b.Plus(work, kShare, 2.0f), kShare);
            },
            WithWorkspace(1)),
        Pair("gap_between_two_shares_of_the_workspace", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 const uint32_t mine = b.index * kShare;
                 auto work = Gm<float>(gm[2], 2 * kShare);
                 DataCopy(work[mine], b.Plus(Gm<float>(gm[0], 2 * kShare)[mine], kShare, 1.0f), wrong ? 56 : kShare);
                 SyncAll();
                 if (b.index == 1) DataCopy(Gm<float>(gm[1], 2 * kShare), b.Plus(work, 2 * kShare, 1.0f), 2 * kShare);
             },
             {.gm = WithWorkspace(2), .blocks = 2}),
        Pair("output_taken_for_an_accumulator", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto z = Gm<float>(gm[1], kShare);
                 auto tile = b.Loaded(Gm<float>(gm[0], kShare), kShare);
                 if (wrong) Add(tile, tile, b.Loaded(z, kShare), kShare);
                 Muls(tile, tile, 2.0f, kShare);
                 b.Order<HardEvent::V_MTE3>();
                 PipeBarrier<PIPE_ALL>();
                 DataCopy(z, tile, kShare);
             }),
        Pair("scalar_taken_from_an_unwritten_lane", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto tile = b.New<float>(kShare);
                 DataCopy(tile, Gm<float>(gm[0], kShare), kTail);
                 b.Order<HardEvent::MTE2_S>();
                 const float last = tile.GetValue(wrong ? kTail : kTail - 1);
                 DataCopy(Gm<float>(gm[1], kShare), b.Filled(last, kShare), kShare);
             }),
        Pair("length_read_from_an_unwritten_buffer", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 Block b;
                 auto lengths = b.New<int32_t>(8);
                 if (!wrong) DataCopy(lengths, Gm<int32_t>(gm[2], 8), 8);
                 b.Order<HardEvent::MTE2_S>();
                 auto tile = b.Plus(Gm<float>(gm[0], kShare), kShare, 1.0f);
                 if (lengths.GetValue(0) > 0) Adds(tile, tile, 1.0f, kShare);
                 b.Order<HardEvent::V_MTE3>();
                 DataCopy(Gm<float>(gm[1], kShare), tile, kShare);
             },
             {Input<float>("x", kShare), Output<float>("z", kShare), Input<int32_t>("lengths", 8)}),
        Pair("mmad_past_the_loaded_k", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 CubeTiles q(gm);
                 DataCopy(q.a1, Gm<half>(gm[0], kFractal), kFractal);
                 DataCopy(q.b1, Gm<half>(gm[1], 2 * kFractal), 2 * kFractal);
                 Sync<HardEvent::MTE2_MTE1>();
                 LoadData(q.a2, q.a1, kOneFractal);
                 LoadData(q.b2, q.b1, kTwoFractals);
                 Sync<HardEvent::MTE1_M>();
                 Mmad(q.c, q.a2, q.b2, wrong ? kLongProduct : kProduct);
                 Sync<HardEvent::M_FIX>();
                 Fixpipe(Gm<float>(gm[2], kFractal), q.c, kToRows);
             },
             {.gm = {Input<half>("a", kFractal), Input<half>("b", 2 * kFractal), Output<float>("z", kFractal)},
              .core = CoreChoice::kCube}),
        // Eight rows of the fractal are loaded; what the others hold does not matter to the rows stored.
        Pair("rows_stored_past_the_loaded_m", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 const auto rows = static_cast<uint16_t>(wrong ? kSide : kSide / 2);
                 CubeTiles q(gm);
                 q.Right();
                 DataCopy(q.a1, Gm<half>(gm[0], kFractal), kFractal / 2);
                 Sync<HardEvent::MTE2_MTE1>();
                 LoadData(q.a2, q.a1, kOneFractal);
                 Sync<HardEvent::MTE1_M>();
                 Mmad(q.c, q.a2, q.b2, MmadParams(rows, kSide, kSide, 0, false, true));
                 Sync<HardEvent::M_FIX>();
                 Fixpipe(Gm<float>(gm[2], kFractal), q.c, FixpipeParamsV220(kSide, rows, kSide, kSide, false));
             },
             {.gm = {Input<half>("a", kFractal), Input<half>("b", kFractal), InOut<float>("z", kFractal)},
              .core = CoreChoice::kCube}),
        Pair("right_matrix_never_loaded_to_l0b", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 CubeTiles q(gm);
                 DataCopy(q.a1, Gm<half>(gm[0], kFractal), kFractal);
                 DataCopy(q.b1, Gm<half>(gm[1], kFractal), kFractal);
                 Sync<HardEvent::MTE2_MTE1>();
                 LoadData(q.a2, q.a1, kOneFractal);
                 if (!wrong) LoadData(q.b2, q.b1, kOneFractal);
                 Sync<HardEvent::MTE1_M>();
                 Mmad(q.c, q.a2, q.b2, kProduct);
                 Sync<HardEvent::M_FIX>();
                 Fixpipe(Gm<float>(gm[2], kFractal), q.c, kToRows);
             },
             {.gm = Matrices(), .core = CoreChoice::kCube}),
        Pair("first_mmad_adds_to_l0c", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 CubeTiles q(gm);
                 q.Right();
                 DataCopy(q.a1, Gm<half>(gm[0], kFractal), kFractal);
                 Sync<HardEvent::MTE2_MTE1>();
                 LoadData(q.a2, q.a1, kOneFractal);
                 Sync<HardEvent::MTE1_M>();
                 Mmad(q.c, q.a2, q.b2, wrong ? kSum : kProduct);
                 Sync<HardEvent::M_FIX>();
                 Fixpipe(Gm<float>(gm[2], kFractal), q.c, kToRows);
             },
             {.gm = Matrices(), .core = CoreChoice::kCube}),
        Pair("bias_table_never_filled", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 CubeTiles q(gm);
                 TBuf<TPosition::C1> c1_buffer;
                 TBuf<TPosition::C2> c2_buffer;
                 q.pipe.InitBuffer(c1_buffer, kSide * sizeof(float));
                 q.pipe.InitBuffer(c2_buffer, kSide * sizeof(float));
                 LocalTensor<float> c1 = c1_buffer.Get<float>(), c2 = c2_buffer.Get<float>();
                 q.Right();
                 DataCopy(q.a1, Gm<half>(gm[0], kFractal), kFractal);
                 DataCopy(c1, Gm<float>(gm[3], kSide), kSide);
                 Sync<HardEvent::MTE2_MTE1>();
                 LoadData(q.a2, q.a1, kOneFractal);
                 if (!wrong) DataCopy(c2, c1, kSide);
                 Sync<HardEvent::MTE1_M>();
                 Mmad(q.c, q.a2, q.b2, c2, kSum);
                 Sync<HardEvent::M_FIX>();
                 Fixpipe(Gm<float>(gm[2], kFractal), q.c, kToRows);
             },
             {.gm = {Input<half>("a", kFractal), Input<half>("b", kFractal), Output<float>("z", kFractal),
                     Input<float>("bias", kSide)},
              .core = CoreChoice::kCube}),
        Pair("second_fractal_of_l1_never_loaded", "uninitialised-read",
             [](GM_ADDR* gm, bool wrong) {
                 CubeTiles q(gm);
                 DataCopy(q.a1, Gm<half>(gm[0], 2 * kFractal), wrong ? kFractal : 2 * kFractal);
                 DataCopy(q.b1, Gm<half>(gm[1], 2 * kFractal), 2 * kFractal);
                 Sync<HardEvent::MTE2_MTE1>();
                 LoadData(q.a2, q.a1, kTwoFractals);
                 LoadData(q.b2, q.b1, kTwoFractals);
                 Sync<HardEvent::MTE1_M>();
                 Mmad(q.c, q.a2, q.b2, kLongProduct);
                 Sync<HardEvent::M_FIX>();
                 Fixpipe(Gm<float>(gm[2], kFractal), q.c, kToRows);
             },
             {.gm = {Input<half>("a", 2 * kFractal), Input<half>("b", 2 * kFractal), Output<float>("z", kFractal)},
              .core = CoreChoice::kCube}),
    };
}

}  // namespace sfumato::pairs
