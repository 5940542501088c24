// SPDX-License-Identifier: Apache-2.0
// Mistakes of vector kernels: order, units, tails, sizes of the boards' memories.
#include "wrong.h"

namespace sfumato::boards {
namespace {

// A buffer of UB and a tensor over it.
template <class T>
struct Room {
    Room(TPipe& pipe, uint32_t count) { pipe.InitBuffer(buffer, count * sizeof(T)), tensor = buffer.Get<T>(); }
    TBuf<> buffer;
    LocalTensor<T> tensor;
};
constexpr uint32_t kTile = 256;

void LoadNotAwaited(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    Room<float> a(pipe, kTile);
    DataCopy(a.tensor, Gm<float>(x, kFloats), kTile);
    if (!wrong) Order<HardEvent::MTE2_V>();
    Muls(a.tensor, a.tensor, 2.0f, kTile);
    Order<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(y, kFloats), a.tensor, kTile);
}

void StoreNotAwaited(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> queue;
    Room<float> out(pipe, kTile);
    pipe.InitBuffer(queue, 1, kTile * 4);
    for (uint32_t i = 0; i < 4; ++i) {
        auto in = queue.AllocTensor<float>();
        DataCopy(in, Gm<float>(x, kFloats)[i * kTile], kTile);
        queue.EnQue(in);
        in = queue.DeQue<float>();
        Adds(out.tensor, in, 1.0f, kTile);
        queue.FreeTensor(in);
        Order<HardEvent::V_MTE3>();
        DataCopy(Gm<float>(y, kFloats)[i * kTile], out.tensor, kTile);
        if (!wrong) Order<HardEvent::MTE3_V>();
    }
}

// Outside of the picture no load waits for the flag of the row before.
void FlagOfSkippedRows(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    Room<float> row(pipe, 64);
    Duplicate(row.tensor, 0.0f, 64);
    Order<HardEvent::V_MTE2>();
    Order<HardEvent::V_MTE3>();
    for (uint32_t i = 0; i < 8; ++i) {
        const bool inside = i > 1 && i < 6;
        if (inside) {
            if (!wrong) Order<HardEvent::MTE3_MTE2>();
            DataCopy(row.tensor, Gm<float>(x, kFloats)[i * 64], 64);
            Order<HardEvent::MTE2_MTE3>();
        }
        DataCopy(Gm<float>(y, kFloats)[i * 64], row.tensor, 64);
        if (wrong) SetFlag<HardEvent::MTE3_MTE2>(0), WaitFlag<HardEvent::MTE3_MTE2>(0);
    }
}

void TailWithDataCopyPad(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 128);
    auto tile = queue.AllocTensor<half>();
    if (wrong)
        DataCopyPad(tile, Gm<half>(x, 37), DataCopyExtParams{1, 37 * 2, 0, 0, 0}, DataCopyPadExtParams<half>{});
    else
        DataCopy(tile, Gm<half>(x, 48), 48);
    queue.EnQue(tile);
    tile = queue.DeQue<half>();
    DataCopy(Gm<half>(y, 48), tile, 48);
    queue.FreeTensor(tile);
}

void TailOfNoWholeBlock(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 128);
    const uint32_t count = wrong ? 37 : UpTo(37, 16);
    auto tile = queue.AllocTensor<half>();
    DataCopy(tile, Gm<half>(x, kBytes / 2), count);
    queue.EnQue(tile);
    tile = queue.DeQue<half>();
    DataCopy(Gm<half>(y, kBytes / 2), tile, UpTo(37, 16));
    queue.FreeTensor(tile);
}

// The result is 30 halves short of a block; what is rounded up lies behind the array.
void TailPastTheArray(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> queue;
    pipe.InitBuffer(queue, 2, 128);
    const auto from = Gm<half>(x, kBytes / 2), to = Gm<half>(y, kBytes / 2);
    const uint32_t tail = kBytes / 2 - 34;
    auto tile = queue.AllocTensor<half>();
    DataCopy(tile, from[tail - 14], 48);
    queue.EnQue(tile);
    tile = queue.DeQue<half>();
    DataCopy(to[wrong ? tail : tail - 14], tile, 48);
    queue.FreeTensor(tile);
}

void BlockLengthInElements(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 4 * 64 * 4);
    auto tile = queue.AllocTensor<float>();
    // Four rows of 64 out of rows of 128.
    const uint16_t row = wrong ? 64 : 8;
    DataCopy(tile, Gm<float>(x, kFloats), DataCopyParams(4, row, row, 0));
    queue.EnQue(tile);
    tile = queue.DeQue<float>();
    DataCopy(Gm<float>(y, kFloats), tile, 4 * 64);
    queue.FreeTensor(tile);
}

void RowOfNoWholeBlock(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    const uint32_t pitch = wrong ? 100 : 104;
    Room<float> a(pipe, 4 * pitch);
    DataCopy(a.tensor, Gm<float>(x, kFloats), 4 * pitch / 8 * 8);
    Order<HardEvent::MTE2_V>();
    for (uint32_t r = 0; r < 4; ++r) Adds(a.tensor[r * pitch], a.tensor[r * pitch], 1.0f, 100);
    Order<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(y, kFloats), a.tensor, 4 * pitch / 8 * 8);
}

void WholeUbOfAnotherBoard(GM_ADDR, GM_ADDR, bool wrong) {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    const uint32_t tile = (wrong ? 256 * 1024 : 248 * 1024) / 4;
    pipe.InitBuffer(in, 2, tile);
    pipe.InitBuffer(out, 2, tile);
}

// The last tile is shorter than the others, and is added up whole.
void TailInTheSum(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    Room<float> row(pipe, 128), work(pipe, 128), sum(pipe, 8);
    DataCopy(row.tensor, Gm<float>(x, kFloats), 104);
    Order<HardEvent::MTE2_V>();
    Duplicate(sum.tensor, 0.0f, 8);
    ReduceSum(sum.tensor, row.tensor, work.tensor, wrong ? 128 : 104);
    Order<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(y, kFloats), sum.tensor, 8);
}

void SumNeverCleared(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> queue;
    Room<float> sum(pipe, 64);
    pipe.InitBuffer(queue, 2, 64 * 4);
    if (!wrong) Duplicate(sum.tensor, 0.0f, 64);
    for (uint32_t i = 0; i < 4; ++i) {
        auto in = queue.AllocTensor<float>();
        DataCopy(in, Gm<float>(x, kFloats)[i * 64], 64);
        queue.EnQue(in);
        in = queue.DeQue<float>();
        Add(sum.tensor, sum.tensor, in, 64);
        queue.FreeTensor(in);
    }
    Order<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(y, kFloats), sum.tensor, 64);
}

// Parts of blocks are rounded up by all but the last: they overlap.
void WritePart(GM_ADDR y, bool wrong, float value) {
    TPipe pipe;
    Room<float> a(pipe, 64);
    Duplicate(a.tensor, value, 64);
    Order<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(y, kFloats)[static_cast<uint32_t>(GetBlockIdx()) * (wrong ? 60 : 64)], a.tensor, 64);
}

void PartsThatOverlap(GM_ADDR, GM_ADDR y, bool wrong) { WritePart(y, wrong, static_cast<float>(GetBlockIdx())); }
void EqualPartsThatOverlap(GM_ADDR, GM_ADDR y, bool wrong) { WritePart(y, wrong, 1.0f); }

// Each block stores its part, and loads that of the block before.
void PartOfAnotherCore(GM_ADDR, GM_ADDR y, bool wrong) {
    TPipe pipe;
    Room<float> a(pipe, 64);
    const auto block = static_cast<uint32_t>(GetBlockIdx());
    Duplicate(a.tensor, static_cast<float>(block), 64);
    Order<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(y, kFloats)[block * 64], a.tensor, 64);
    Order<HardEvent::MTE3_MTE2>();
    DataCopy(a.tensor, Gm<float>(y, kFloats)[(wrong && block != 0 ? block - 1 : block) * 64], 64);
}

void OffsetInBytes(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    const uint32_t each = kFloats / static_cast<uint32_t>(GetBlockNum());
    pipe.InitBuffer(queue, 1, each * 4);
    const uint32_t at = static_cast<uint32_t>(GetBlockIdx()) * each * (wrong ? 4 : 1);
    auto tile = queue.AllocTensor<float>();
    DataCopy(tile, Gm<float>(x, kFloats)[at], each);
    queue.EnQue(tile);
    tile = queue.DeQue<float>();
    DataCopy(Gm<float>(y, kFloats)[at], tile, each);
    queue.FreeTensor(tile);
}

void TensorNeverFreed(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> queue;
    pipe.InitBuffer(queue, 2, 256);
    for (uint32_t i = 0; i < 4; ++i) {
        auto tile = queue.AllocTensor<float>();
        DataCopy(tile, Gm<float>(x, kFloats)[i * 64], 64);
        queue.EnQue(tile);
        tile = queue.DeQue<float>();
        DataCopy(Gm<float>(y, kFloats)[i * 64], tile, 64);
        if (!wrong) queue.FreeTensor(tile);
    }
}

// The second result is added to what is there, too.
void AtomicModeLeftOn(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    Room<float> a(pipe, 64);
    Duplicate(a.tensor, 0.0f, 64);
    Order<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(y, kFloats), a.tensor, 64);
    Order<HardEvent::MTE3_MTE2>();
    DataCopy(a.tensor, Gm<float>(x, kFloats), 64);
    Order<HardEvent::MTE2_MTE3>();
    PipeBarrier<PIPE_MTE3>();
    SetAtomicAdd<float>();
    DataCopy(Gm<float>(y, kFloats), a.tensor, 64);
    if (!wrong) SetAtomicNone();
    DataCopy(Gm<float>(y, kFloats)[64], a.tensor, 64);
}

void ComparedTail(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    Room<float> a(pipe, 128), b(pipe, 128);
    Room<uint8_t> bits(pipe, 32);
    DataCopy(a.tensor, Gm<float>(x, kFloats), 128);
    DataCopy(b.tensor, Gm<float>(x, kFloats)[128], 128);
    Order<HardEvent::MTE2_V>();
    Duplicate(bits.tensor.ReinterpretCast<half>(), half(0), 16);
    Compare(bits.tensor, a.tensor, b.tensor, CMPMODE::LT, wrong ? 100 : 128);
    Order<HardEvent::V_MTE3>();
    DataCopy(Gm<uint8_t>(y, kBytes), bits.tensor, 32);
}

// The host wrote numbers of elements; Gather takes bytes.
void PlacesInElements(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    Room<half> in(pipe, 64), out(pipe, 64);
    Room<uint32_t> places(pipe, 64);
    DataCopy(in.tensor, Gm<half>(x, 64), 64);
    for (uint32_t i = 0; i < 64; ++i) places.tensor.SetValue(i, (63 - i) * (wrong ? 1 : 2));
    Order<HardEvent::S_V>();
    Order<HardEvent::MTE2_V>();
    Gather(out.tensor, in.tensor, places.tensor, 0, 64);
    Order<HardEvent::V_MTE3>();
    DataCopy(Gm<half>(y, 64), out.tensor, 64);
}

// 128 is what a repeat of halves has.
void MaskOfAnotherType(GM_ADDR x, GM_ADDR y, bool wrong) {
    TPipe pipe;
    Room<float> a(pipe, 256);
    DataCopy(a.tensor, Gm<float>(x, 256), 256);
    Order<HardEvent::MTE2_V>();
    Muls(a.tensor, a.tensor, 2.0f, wrong ? 128 : 64, wrong ? 2 : 4, UnaryRepeatParams(1, 1, 8, 8));
    Order<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(y, 256), a.tensor, 256);
}

}  // namespace

std::vector<Wrong> WrongVector() {
    return {
        {"load_not_awaited", kOn310B, LoadNotAwaited, {"all"}},
        {"store_not_awaited", kOn310P, StoreNotAwaited, {"all"}},
        {"flag_of_skipped_rows", kOn310B, FlagOfSkippedRows, {"all"}},
        {"tail_with_data_copy_pad", kOn310P, TailWithDataCopyPad},
        {"tail_of_no_whole_block", kOn310P, TailOfNoWholeBlock},
        {"tail_past_the_array", kOn310P, TailPastTheArray},
        {"block_length_in_elements", kOn310B, BlockLengthInElements},
        {"row_of_no_whole_block", kOn310P, RowOfNoWholeBlock},
        {"whole_ub_of_another_board", kOn310B, WholeUbOfAnotherBoard},
        {"tail_in_the_sum", kOn310B, TailInTheSum, {"eager", "init"}},
        {"sum_never_cleared", kOn310P, SumNeverCleared, {"eager", "init"}},
        {"parts_that_overlap", kOn310P, PartsThatOverlap, {"eager", "races", 8}},
        {"parts_that_overlap_on_one_core", kOn310B, PartsThatOverlap, {"eager", "races", 8}},
        {"equal_parts_that_overlap", kOn310P, EqualPartsThatOverlap, {"eager", "races", 8}},
        {"equal_parts_on_one_core", kOn310B, EqualPartsThatOverlap, {"eager", "races", 8}},
        {"part_of_another_core", kOn310P, PartOfAnotherCore, {"eager", "races", 2}},
        {"part_of_another_block", kOn310B, PartOfAnotherCore, {"eager", "races", 2}},
        {"offset_in_bytes", kOn310P, OffsetInBytes, {"eager", "", 8}},
        {"tensor_never_freed", kOn310B, TensorNeverFreed},
        {"atomic_mode_left_on", kOn310B, AtomicModeLeftOn, {"eager", "init"}},
        {"places_in_elements", kOn310B, PlacesInElements},
        {"mask_of_another_type", kOn310P, MaskOfAnotherType},
        {"compared_tail", kOn310P, ComparedTail},
    };
}

}  // namespace sfumato::boards
