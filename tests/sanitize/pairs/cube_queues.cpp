// SPDX-License-Identifier: Apache-2.0
// A product of matrices with a queue for each memory, and one step of one queue left out or taken too early
// (framework.md 2.4).
#include "sanitize/pairs/cube_tiles.h"

namespace sfumato::pairs {
namespace {

enum class Slip {
    kNone,
    kA1,  // EnQue and DeQue left out
    kA2,
    kCO1,
    kCO2,
    kA1Freed,  // FreeTensor before the last use
    kA2Freed,
    kCO1Freed,
    kA1Late,   // loaded after EnQue
    kA1Kept,   // never freed
    kCO1Twice  // DeQue twice
};

struct Queues {
    explicit __aicore__ Queues(bool through_ub) {
        pipe.InitBuffer(a1, 1, kFractal * sizeof(half));
        pipe.InitBuffer(b1, 1, kFractal * sizeof(half));
        pipe.InitBuffer(a2, 1, kFractal * sizeof(half));
        pipe.InitBuffer(b2, 1, kFractal * sizeof(half));
        pipe.InitBuffer(co1, 1, kFractal * sizeof(float));
        if (through_ub) pipe.InitBuffer(co2, 1, kFractal * sizeof(float));
    }

    TPipe pipe;
    TQue<TPosition::A1, 1> a1;
    TQue<TPosition::B1, 1> b1;
    TQue<TPosition::A2, 1> a2;
    TQue<TPosition::B2, 1> b2;
    TQue<TPosition::CO1, 1> co1;
    TQue<TPosition::CO2, 1> co2;
};

__aicore__ void queued_product(GM_ADDR* gm, Slip slip, bool through_ub) {
    Queues q(through_ub);
    auto z = Gm<float>(gm[2], kFractal);
    auto far_b = q.b1.AllocTensor<half>();
    DataCopy(far_b, Gm<half>(gm[1], kFractal), kFractal);
    q.b1.EnQue(far_b);
    auto far = q.a1.AllocTensor<half>();
    if (slip == Slip::kA1Late) q.a1.EnQue(far);
    DataCopy(far, Gm<half>(gm[0], kFractal), kFractal);
    if (slip != Slip::kA1 && slip != Slip::kA1Late) q.a1.EnQue(far);

    far_b = q.b1.DeQue<half>();
    auto near_b = q.b2.AllocTensor<half>();
    LoadData(near_b, far_b, kOneFractal);
    q.b2.EnQue(near_b);
    q.b1.FreeTensor(far_b);
    if (slip != Slip::kA1) far = q.a1.DeQue<half>();
    auto near = q.a2.AllocTensor<half>();
    if (slip == Slip::kA1Freed) q.a1.FreeTensor(far);
    LoadData(near, far, kOneFractal);
    if (slip != Slip::kA2) q.a2.EnQue(near);
    if (slip != Slip::kA1Freed && slip != Slip::kA1Kept) q.a1.FreeTensor(far);

    near_b = q.b2.DeQue<half>();
    if (slip != Slip::kA2) near = q.a2.DeQue<half>();
    auto c = q.co1.AllocTensor<float>();
    if (slip == Slip::kA2Freed) q.a2.FreeTensor(near);
    Mmad(c, near, near_b, kProduct);
    if (slip != Slip::kCO1) q.co1.EnQue(c);
    if (slip != Slip::kA2Freed) q.a2.FreeTensor(near);
    q.b2.FreeTensor(near_b);

    if (slip != Slip::kCO1) c = q.co1.DeQue<float>();
    if (slip == Slip::kCO1Twice) c = q.co1.DeQue<float>();
    if (slip == Slip::kCO1Freed) q.co1.FreeTensor(c);
    if (!through_ub) {
        Fixpipe(z, c, kToRows);
        if (slip != Slip::kCO1Freed) q.co1.FreeTensor(c);
        return;
    }
    auto out = q.co2.AllocTensor<float>();
    DataCopyEnhancedParams by_fractals;
    by_fractals.blockMode = BlockMode::BLOCK_MODE_MATRIX;
    DataCopy(out, c, {1, 1, 0, 0}, by_fractals);
    if (slip != Slip::kCO2) q.co2.EnQue(out);
    q.co1.FreeTensor(c);
    if (slip != Slip::kCO2) out = q.co2.DeQue<float>();
    DataCopy(z, out, kFractal);
    q.co2.FreeTensor(out);
}

template <Slip slip>
__aicore__ void by_fixpipe(GM_ADDR* gm, bool wrong) {
    queued_product(gm, wrong ? slip : Slip::kNone, false);
}
template <Slip slip>
__aicore__ void by_ub(GM_ADDR* gm, bool wrong) {
    queued_product(gm, wrong ? slip : Slip::kNone, true);
}

std::vector<Pair> ThroughUb() {
    return {
        {"no_queue_of_a1", "race", by_ub<Slip::kA1>, Matrices()},
        {"no_queue_of_a2", "race", by_ub<Slip::kA2>, Matrices()},
        {"no_queue_of_co1", "race", by_ub<Slip::kCO1>, Matrices()},
        {"no_queue_of_co2", "race", by_ub<Slip::kCO2>, Matrices()},
    };
}

}  // namespace

std::vector<Pair> CubeQueuePairs() {
    return Together({
        OnCube({
            {"no_queue_of_a1", "race", by_fixpipe<Slip::kA1>, Matrices()},
            {"no_queue_of_a2", "race", by_fixpipe<Slip::kA2>, Matrices()},
            {"no_queue_of_co1", "race", by_fixpipe<Slip::kCO1>, Matrices()},
            {"a1_loaded_after_enque", "race", by_fixpipe<Slip::kA1Late>, Matrices()},
            {"a1_freed_before_its_use", "tensor-freed", by_fixpipe<Slip::kA1Freed>, Matrices()},
            {"a2_freed_before_its_use", "tensor-freed", by_fixpipe<Slip::kA2Freed>, Matrices()},
            {"co1_freed_before_its_use", "tensor-freed", by_fixpipe<Slip::kCO1Freed>, Matrices()},
            {"a1_never_freed", "tensor-not-freed", by_fixpipe<Slip::kA1Kept>, Matrices()},
            {"co1_taken_twice", "queue-empty", by_fixpipe<Slip::kCO1Twice>, Matrices()},
        }),
        On("Ascend310P3", ThroughUb()),
        On("Ascend910A", ThroughUb()),
        On("Ascend310B1", {{"no_queue_of_co1", "race", by_fixpipe<Slip::kCO1>, Matrices()}}),
    });
}

}  // namespace sfumato::pairs
