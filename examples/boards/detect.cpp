// SPDX-License-Identifier: Apache-2.0
// What follows a detector of one class: boxes from what the network says of its anchors, a threshold, and non-maximum
// suppression. Each step is one call on a whole plane of `count` numbers; only the best box passes the scalar unit.
//
//   deltas   float [images][4][count]   dx, dy, dw, dh
//   anchors  float [4][count]           centre x, centre y, width, height
//   scores   float [images][count]
//   boxes    float [images][most][8]    x1, y1, x2, y2, score, and three zeros; rows that are left are zeros
//
// A block takes every GetBlockNum()-th image. count is a multiple of 64 (256 bytes, a repeat of Compare), up to 2560.
//
//   sfumato run examples/boards/detect.cpp --chip Ascend310B4 --blocks 1 --
//       deltas.npy anchors.npy scores.npy 'out:float32[2,16,8]=boxes.npy'
//       uint32:2 uint32:320 uint32:16 float32:0.3 float32:0.5
#include "kernel_operator.h"

using namespace AscendC;

namespace {

constexpr uint32_t kRow = 8;  // floats of a box, and in 32 bytes

class Detect {
public:
    __aicore__ inline void Init(GM_ADDR deltas, GM_ADDR anchors, GM_ADDR scores, GM_ADDR boxes, uint32_t count,
                                uint32_t most) {
        count_ = count;
        most_ = most;
        deltas_.SetGlobalBuffer((__gm__ float*)deltas);
        anchors_.SetGlobalBuffer((__gm__ float*)anchors);
        scores_.SetGlobalBuffer((__gm__ float*)scores);
        boxes_.SetGlobalBuffer((__gm__ float*)boxes);
        pipe_.InitBuffer(ins_, 1, 9 * count * sizeof(float));
        pipe_.InitBuffer(outs_, 1, most * kRow * sizeof(float));
        pipe_.InitBuffer(work_, 8 * count * sizeof(float));
        pipe_.InitBuffer(keeps_, count / 8);
        pipe_.InitBuffer(best_, 32);
    }

    __aicore__ inline void Image(uint32_t image, float least, float overlap) {
        LocalTensor<float> in = ins_.AllocTensor<float>();
        DataCopy(in, deltas_[image * 4 * count_], 4 * count_);
        DataCopy(in[4 * count_], anchors_, 4 * count_);
        DataCopy(in[8 * count_], scores_[image * count_], count_);
        ins_.EnQue(in);
        in = ins_.DeQue<float>();
        Decode(in);
        LocalTensor<float> out = outs_.AllocTensor<float>();
        Suppress(in[8 * count_], out, least, overlap);
        ins_.FreeTensor(in);
        outs_.EnQue(out);
        out = outs_.DeQue<float>();
        PipeBarrier<PIPE_ALL>();  // the scalar unit wrote the boxes, and a queue waits for the vector unit alone
        DataCopy(boxes_[image * most_ * kRow], out, most_ * kRow);
        outs_.FreeTensor(out);
    }

private:
    __aicore__ inline LocalTensor<float> Plane(uint32_t i) { return work_.Get<float>()[i * count_]; }

    // Corners and areas: the centre moves by parts of the anchor's size, and the size grows by e to the delta.
    __aicore__ inline void Decode(const LocalTensor<float>& in) {
        for (uint32_t axis = 0; axis < 2; ++axis) {
            LocalTensor<float> move = in[axis * count_], size = in[(2 + axis) * count_];
            LocalTensor<float> centre = in[(4 + axis) * count_], anchor = in[(6 + axis) * count_];
            Mul(move, move, anchor, count_);
            Add(centre, centre, move, count_);
            Exp(size, size, count_);
            Mul(size, size, anchor, count_);
            Muls(move, size, 0.5f, count_);
            Sub(Low(axis), centre, move, count_);
            Add(High(axis), centre, move, count_);
        }
        Mul(Areas(), in[2 * count_], in[3 * count_], count_);
    }

    // The best box of all goes out and takes those away that overlap it, itself among them, until none is good enough.
    __aicore__ inline void Suppress(const LocalTensor<float>& scores, const LocalTensor<float>& out, float least,
                                    float overlap) {
        LocalTensor<float> best = best_.Get<float>();
        Duplicate(out, 0.0f, most_ * kRow);
        for (uint32_t row = 0; row < most_; ++row) {
            ReduceMax(best, scores, Plane(5), count_, true);
            const float score = best.GetValue(0);
            if (score <= least) return;
            const uint32_t index = best.ReinterpretCast<uint32_t>().GetValue(1);
            for (uint32_t corner = 0; corner < 4; ++corner)
                out.SetValue(row * kRow + corner, Plane(corner).GetValue(index));
            out.SetValue(row * kRow + 4, score);
            DropNear(index, scores, overlap);
        }
    }

    // Intersection over union above `overlap`, as a product: intersection > overlap * union.
    __aicore__ inline void DropNear(uint32_t index, const LocalTensor<float>& scores, float overlap) {
        LocalTensor<float> common = Plane(5), side = Plane(6), other = Plane(7);
        LocalTensor<uint8_t> keeps = keeps_.Get<uint8_t>();
        for (uint32_t axis = 0; axis < 2; ++axis) {
            LocalTensor<float> length = axis == 0 ? common : side;
            Mins(length, High(axis), High(axis).GetValue(index), count_);
            Maxs(other, Low(axis), Low(axis).GetValue(index), count_);
            Sub(length, length, other, count_);
            Maxs(length, length, 0.0f, count_);
        }
        Mul(common, common, side, count_);
        Adds(other, Areas(), Areas().GetValue(index), count_);
        Sub(other, other, common, count_);
        Muls(other, other, overlap, count_);
        Compare(keeps, common, other, CMPMODE::LE, count_);
        Select(scores, keeps, scores, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, count_);
    }

    // Planes of work_: x1, y1, x2, y2, area, and three for what comes up on the way.
    __aicore__ inline LocalTensor<float> Low(uint32_t axis) { return Plane(axis); }
    __aicore__ inline LocalTensor<float> High(uint32_t axis) { return Plane(2 + axis); }
    __aicore__ inline LocalTensor<float> Areas() { return Plane(4); }

    TPipe pipe_;
    TQue<TPosition::VECIN, 1> ins_;
    TQue<TPosition::VECOUT, 1> outs_;
    TBuf<TPosition::VECCALC> work_, keeps_, best_;
    GlobalTensor<float> deltas_, anchors_, scores_, boxes_;
    uint32_t count_ = 0, most_ = 0;
};

}  // namespace

extern "C" __global__ __aicore__ void detect_custom(GM_ADDR deltas, GM_ADDR anchors, GM_ADDR scores, GM_ADDR boxes,
                                                    uint32_t images, uint32_t count, uint32_t most, float least,
                                                    float overlap) {
    Detect op;
    op.Init(deltas, anchors, scores, boxes, count, most);
    for (uint32_t image = GetBlockIdx(); image < images; image += GetBlockNum()) op.Image(image, least, overlap);
}
