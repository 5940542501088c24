// SPDX-License-Identifier: Apache-2.0
// Sources that a high-level call was allowed to overwrite, and that are read behind it: isReuseSource of each call.
#include <type_traits>

#include "sanitize/pairs/tiles.h"

namespace sfumato::pairs {
namespace {

constexpr uint32_t kRow = 8;  // eight rows of eight
constexpr CumSumConfig kCumSumReusing{true, true, false}, kCumSumKeeping{true, false, false};

// One more tile, for what stands beside the data of norms.
struct Room : Tiles<float> {
    explicit __aicore__ Room(GM_ADDR* gm) : Tiles(gm) {
        pipe.InitBuffer(beside, kTile * sizeof(float));
        Duplicate(beside.Get<float>(), 1.0f, kTile);
    }
    // Eight ones.
    __aicore__ LocalTensor<float> Beside(uint32_t i) { return beside.Get<float>()[i * kRow]; }
    TBuf<> beside;
};

// The tile of x is in `a`, 0 in `b`, 1 in `c`. What the call leaves in `b` and `a` as it was are added up; in the wrong
// half the call may overwrite `a`.
template <auto call>
__aicore__ void Again(GM_ADDR* gm, bool wrong) {
    Room t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Duplicate(t.b, 0.0f, kTile);
    Duplicate(t.c, 1.0f, kTile);
    if (wrong) call(std::true_type(), t);
    if (!wrong) call(std::false_type(), t);
    Add(t.b, t.b, t.a, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

// Of rows of eight.
template <class Tiling>
Tiling Rows() {
    Tiling tiling;
    tiling.bLength = 1, tiling.sLength = tiling.hLength = tiling.originalHLength = kRow;
    return tiling;
}

template <auto call>
Pair Of(const char* name) {
    return {name, "source-reused", Again<call>};
}

std::vector<Pair> Elementwise() {
    return {
        Of<[](auto reuses, auto& t) { Sigmoid<float, reuses>(t.b, t.a, kTile); }>("source_of_sigmoid"),
        Of<[](auto reuses, auto& t) { Erf<float, reuses>(t.b, t.a, kTile); }>("source_of_erf"),
        Of<[](auto reuses, auto& t) { Silu<float, reuses>(t.b, t.a, kTile); }>("source_of_silu"),
    };
}

std::vector<Pair> Rowwise() {
    return {
        Of<[](auto reuses, auto& t) {
            SoftMax<float, reuses>(t.b, t.a, SoftMaxTiling(), {kRow, kRow, kRow, kRow});
        }>("source_of_softmax"),
        Of<[](auto reuses, auto& t) {
            LayerNorm<float, reuses>(t.b, t.Beside(0), t.Beside(1), t.a, t.Beside(2), t.Beside(3), 0.001f,
                                     Rows<LayerNormTiling>());
        }>("source_of_layer_norm"),
        Of<[](auto reuses, auto& t) {
            DeepNorm<float, reuses>(t.b, t.Beside(0), t.Beside(1), t.a, t.a, t.Beside(2), t.Beside(3), 2.0f, 0.001f,
                                    Rows<DeepNormTiling>());
        }>("source_of_deep_norm"),
        Of<[](auto reuses, auto& t) {
            Normalize<float, float, reuses>(t.b, t.Beside(0), t.Beside(1), t.Beside(2), t.a, t.Beside(3), t.Beside(4),
                                            0.001f, {kRow, kRow, kRow});
        }>("source_of_normalize"),
        Of<[](auto reuses, auto& t) {
            BatchNormTiling tiling;
            tiling.originalBLength = tiling.meanVarSize = kRow;
            BatchNorm<float, reuses>(t.b, t.Beside(0), t.Beside(1), t.a, t.Beside(2), t.Beside(3), 0.001f, tiling);
        }>("source_of_batch_norm"),
        Of<[](auto reuses, auto& t) {
            WelfordUpdate<float, float, reuses>(t.b, t.c, t.b, t.c, t.a, {1, kTile, kTile, 0.5f});
        }>("source_of_welford_update"),
        Of<[](auto reuses, auto& t) {
            WelfordFinalizePara para;
            para.rnLength = 1, para.abLength = kTile, para.abRec = para.rRec = 1.0f / kTile;
            WelfordFinalize<reuses>(t.b, t.b[kRow], t.a, t.c, para);
        }>("means_of_welford_finalize"),
        Of<[](auto reuses, auto& t) {
            LayerNormGrad<float, reuses>(t.b, t.c, t.a, t.a, t.Beside(0), t.Beside(1), t.Beside(2), 0.001f,
                                         Rows<LayerNormGradTiling>());
        }>("source_of_layer_norm_grad"),
        Of<[](auto reuses, auto& t) {
            LayerNormGradBeta<float, reuses>(t.b, t.b[kRow], t.c, t.a, Rows<LayerNormGradBetaTiling>());
        }>("gradient_of_layer_norm_grad_beta"),
        Of<[](auto reuses, auto& t) {
            const CumSumInfo info{kRow, kRow};
            CumSum<float, reuses ? kCumSumReusing : kCumSumKeeping>(t.b, t.c, t.a, info);
        }>("source_of_cum_sum"),
        Of<[](auto reuses, auto& t) {
            const uint32_t shape[] = {kRow, kRow};
            ReduceMax<float, Pattern::Reduce::AR, reuses>(t.b, t.a, shape, true);
        }>("source_of_reduce_max"),
        Of<[](auto reuses, auto& t) {
            const uint32_t dst[] = {1, kTile}, src[] = {1, kTile};
            BroadCast<float, 2, 0, reuses>(t.b, t.a, dst, src);
        }>("source_of_broad_cast"),
        Of<[](auto reuses, auto& t) {
            AscendQuant<float, reuses>(t.b.template ReinterpretCast<int8_t>(), t.a, 2.0f, 1.0f, kTile);
            Duplicate(t.b, 0.0f, kTile);
        }>("source_of_quant"),
        Of<[](auto reuses, auto& t) {
            const auto as = [](const LocalTensor<float>& tile) { return tile.ReinterpretCast<int16_t>(); };
            ReduceXorSum<int16_t, reuses>(as(t.b), as(t.a), as(t.c), kTile);
            Duplicate(t.b, 0.0f, kTile);
        }>("source_of_reduce_xor_sum"),
    };
}

// A mask whose rows are longer than those of the data.
__aicore__ void byte_mask_of_select(GM_ADDR* gm, bool wrong) {
    constexpr uint32_t kColumns = 16, kBytes = 32;
    Room t(gm);
    LocalTensor<uint8_t> mask = t.c.ReinterpretCast<uint8_t>();
    TBuf<> room;
    t.pipe.InitBuffer(room, 2048);
    LocalTensor<uint8_t> tmp = room.Get<uint8_t>();
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Duplicate(t.c, 0.0f, kTile);
    const SelectWithBytesMaskShapeInfo shape{kTile / kColumns, kColumns, kBytes};
    if (wrong) SelectWithBytesMask<float, uint8_t, true>(t.b, t.a, 0.0f, mask, tmp, shape);
    if (!wrong) SelectWithBytesMask<float, uint8_t, false>(t.b, t.a, 0.0f, mask, tmp, shape);
    Add(t.b, t.b, t.c, kBytes);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

__aicore__ void source_of_top_k(GM_ADDR* gm, bool wrong) {
    constexpr int32_t kLargest = 8, kColumns = 32;
    Tiles t(gm);
    TBuf<> indices;
    t.pipe.InitBuffer(indices, kTile * sizeof(int32_t));
    LocalTensor<int32_t> index = indices.Get<int32_t>();
    LocalTensor<bool> finished = t.c.ReinterpretCast<bool>();
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    const TopKInfo rows{1, kColumns, kColumns};
    if (wrong) TopK<float, false, false, true>(t.b, index, t.a, index, finished, kLargest, TopkTiling(), rows);
    if (!wrong) TopK<float, false, false, false>(t.b, index, t.a, index, finished, kLargest, TopkTiling(), rows);
    Add(t.b, t.b, t.a, kLargest);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kLargest);
}

std::vector<Pair> Others() {
    return {
        {"byte_mask_of_select", "source-reused", byte_mask_of_select},
        {"source_of_top_k", "source-reused", source_of_top_k, {Input<float>("x", kTile), Output<float>("z", 8)}},
    };
}

std::vector<Pair> On910B() {
    return {
        Of<[](auto reuses, auto& t) { Exp<float, 2, reuses>(t.b, t.a, kTile); }>("source_of_exp"),
        Of<[](auto reuses, auto& t) {
            GroupNormTiling tiling;
            tiling.n = tiling.d = 1, tiling.g = tiling.hw = kRow;
            GroupNorm<float, reuses>(t.b, t.Beside(0), t.Beside(1), t.a, t.Beside(2), t.Beside(3), 0.001f, tiling);
        }>("source_of_group_norm"),
    };
}

}  // namespace

std::vector<Pair> SourceReusedPairs() {
    const std::vector<Pair> anywhere = Together({Elementwise(), Rowwise(), Others()});
    return Together({anywhere, On910B(), On("Ascend310P3", anywhere)});
}

}  // namespace sfumato::pairs
