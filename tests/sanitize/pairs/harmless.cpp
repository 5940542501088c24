// SPDX-License-Identifier: Apache-2.0
// What right programs do that looks like a fault: reads through references, stores of the same bytes, whole blocks at
// the end of an array. The wrong halves do nearly the same.
#include "sanitize/pairs/blocks.h"
#include "sanitize/pairs/tiles.h"

namespace sfumato::pairs {
namespace {

constexpr uint32_t kLine = 16;  // elements of 4 bytes
constexpr uint32_t kOdd = 25;   // elements of an array that ends inside a block of 32 bytes

std::vector<Memory> Table() { return {InOut<int32_t>("table", 4 * kLine), Output<int32_t>("z", 2 * kLine)}; }

// References: all blocks read the table, and one stores into it.
template <class Change>
__aicore__ void ReadByAll(GM_ADDR* gm, const Change& change) {
    Block b;
    auto table = Gm<int32_t>(gm[0], 4 * kLine);
    const int32_t difference = table(1) - table(0);
    change(table, b.index);
    DataCopy(Gm<int32_t>(gm[1], 2 * kLine)[b.index * kLine], b.Filled<int32_t>(difference + 7, kLine), kLine);
}
__aicore__ void reference_that_is_assigned(GM_ADDR* gm, bool wrong) {
    ReadByAll(gm, [wrong](auto& table, uint32_t block) {
        if (wrong && block == 1) table(1) = 5;
    });
}
__aicore__ void reference_that_is_added_to(GM_ADDR* gm, bool wrong) {
    ReadByAll(gm, [wrong](auto& table, uint32_t block) {
        auto& first = table(0);
        if (wrong && block == 1) first += 3;
    });
}
__aicore__ void references_that_are_swapped(GM_ADDR* gm, bool wrong) {
    ReadByAll(gm, [wrong](auto& table, uint32_t block) {
        if (wrong && block == 1) std::swap(table(0), table(1));
        if (!wrong && block == 1) table(1) = 2;  // what it is: a read
    });
}
__aicore__ void element_that_nobody_wrote(GM_ADDR* gm, bool wrong) {
    Tiles<int32_t> t(gm);
    Duplicate(t.b, 7, kTile);
    if (!wrong) Duplicate(t.a, 1, kTile);
    Sync<HardEvent::V_S>();
    const int32_t never = t.a(3);
    Sync<HardEvent::S_V>();
    Adds(t.b, t.b, never, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

// A tail that is moved back to full length stores the overlap twice.
__aicore__ void MovedBack(GM_ADDR* gm, float second) {
    constexpr uint32_t kTotal = 100;
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, kTile * sizeof(float));
    pipe.InitBuffer(out, 2, kTile * sizeof(float));
    for (uint32_t at : {0u, kTotal - kTile}) {
        auto a = in.AllocTensor<float>();
        DataCopy(a, Gm<float>(gm[0], kTotal)[at], kTile);
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        Muls(b, a, at == 0 ? 2.0f : second, kTile);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopy(Gm<float>(gm[1], kTotal)[at], b, kTile);
        out.FreeTensor(b);
    }
}
__aicore__ void tail_moved_back_in_one_core(GM_ADDR* gm, bool wrong) { MovedBack(gm, wrong ? 3.0f : 2.0f); }
__aicore__ void tail_moved_back_to_another_core(GM_ADDR* gm, bool wrong) {
    constexpr uint32_t kTotal = 100;
    Block b;
    const uint32_t at = b.index == 0 ? 0 : kTotal - kShare;
    auto tile = b.Plus(Gm<float>(gm[0], kTotal)[at], kShare, wrong ? 1.0f + b.index : 1.0f);
    DataCopy(Gm<float>(gm[1], kTotal)[at], tile, kShare);
}
__aicore__ void overlap_read_back(GM_ADDR* gm, bool wrong) {
    constexpr uint32_t kTotal = 104;
    Block b;
    const uint32_t at = b.index == 0 ? 0 : kTotal - kShare, skip = wrong && b.index == 1 ? 2 * kShare - kTotal : 0;
    auto tile = b.Plus(Gm<float>(gm[0], kTotal)[at], kShare, 1.0f);
    DataCopy(Gm<float>(gm[1], kTotal)[at + skip], tile[skip], kShare - skip);
    b.Order<HardEvent::MTE3_MTE2>();
    auto sum = b.Plus(Gm<float>(gm[1], kTotal)[at], kShare, 1.0f);
    DataCopy(Gm<float>(gm[2], 2 * kShare)[b.index * kShare], sum, kShare);
}

// Whole blocks where the array ends inside one.
__aicore__ void whole_block_stored_at_the_end(GM_ADDR* gm, bool wrong) {
    Tiles<float> t(gm);
    Duplicate(t.a, 2.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    auto z = Gm<float>(gm[1], wrong ? 32 : kOdd);
    if (wrong) DataCopy(z, t.a, 32);
    if (!wrong) DataCopyPad(z, t.a, DataCopyExtParams(1, kOdd * sizeof(float), 0, 0, 0));
}
__aicore__ void whole_block_loaded_at_the_end(GM_ADDR* gm, bool wrong) {
    Tiles<float> t(gm);
    if (wrong) DataCopy(t.a, Gm<float>(gm[0], 32), 32);
    if (!wrong)
        DataCopyPad(t.a, Gm<float>(gm[0], kOdd), DataCopyExtParams(1, kOdd * sizeof(float), 0, 0, 0),
                    DataCopyPadExtParams<float>(true, 0, 7, 0.0f));
    Sync<HardEvent::MTE2_V>();
    Muls(t.b, t.a, 2.0f, kOdd);
    Sync<HardEvent::V_MTE3>();
    DataCopyPad(Gm<float>(gm[1], kOdd), t.b, DataCopyExtParams(1, kOdd * sizeof(float), 0, 0, 0));
}
template <class T, uint32_t kCount>
__aicore__ void AddedAtTheEnd(GM_ADDR* gm, bool wrong) {
    constexpr uint32_t kWhole = (kCount * sizeof(T) + 31) / 32 * 32 / sizeof(T);
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 256);
    LocalTensor<T> a = buffer.Get<T>();
    Duplicate(a, static_cast<T>(1), kWhole);
    Sync<HardEvent::V_MTE3>();
    SetAtomicAdd<T>();
    auto sum = Gm<T>(gm[0], wrong ? kWhole : kCount);
    if (wrong) DataCopy(sum, a, kWhole);
    if (!wrong) DataCopyPad(sum, a, DataCopyExtParams(1, kCount * sizeof(T), 0, 0, 0));
    SetAtomicNone();
}

__aicore__ void whole_block_of_a_workspace(GM_ADDR* gm, bool wrong) {
    Tiles<float> t(gm);
    const uint32_t count = wrong ? 32 : 24;
    Duplicate(t.a, 2.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(gm[2], count), t.a, count);
    Sync<HardEvent::MTE3_MTE2>();
    if (!wrong) DataCopy(t.b, Gm<float>(gm[2], count), count);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(Gm<float>(gm[1], 24), wrong ? t.a : t.b, 24);
}

std::vector<Memory> Odd() { return {Input<float>("x", kOdd), Output<float>("z", kOdd)}; }
std::vector<Memory> Hundred() { return {Input<float>("x", 100), Output<float>("z", 100)}; }

}  // namespace

std::vector<Pair> HarmlessPairs() {
    const std::vector<Memory> tiles = {Input<int32_t>("x", kTile), Output<int32_t>("z", kTile)};
    const std::vector<Pair> anywhere = {
        {.name = "element_that_nobody_wrote",
         .rule = "uninitialised-read",
         .program = element_that_nobody_wrote,
         .gm = tiles},
        {.name = "tail_moved_back_in_one_core",
         .rule = "race",
         .program = tail_moved_back_in_one_core,
         .gm = Hundred()},
        {.name = "tail_moved_back_to_another_core",
         .rule = "race-cores",
         .program = tail_moved_back_to_another_core,
         .gm = Hundred(),
         .blocks = 2},
        {.name = "overlap_read_back",
         .rule = "race-cores",
         .program = overlap_read_back,
         .gm = {Input<float>("x", 104), Output<float>("z", 104), Output<float>("sum", 2 * kShare)},
         .blocks = 2},
    };
    const auto references = [](const char* name, void (*program)(GM_ADDR*, bool)) {
        return Pair{.name = name, .rule = "race-cores", .program = program, .gm = Table(), .blocks = 2};
    };
    return Together(
        {anywhere,
         On("Ascend310P3", anywhere),
         {references("reference_that_is_assigned", reference_that_is_assigned),
          references("reference_that_is_added_to", reference_that_is_added_to),
          references("references_that_are_swapped", references_that_are_swapped),
          {"whole_block_stored_at_the_end", "gm-padding", whole_block_stored_at_the_end, Odd()},
          {"whole_block_loaded_at_the_end", "gm-padding", whole_block_loaded_at_the_end, Odd()},
          {"whole_block_of_a_workspace",
           "gm-padding",
           whole_block_of_a_workspace,
           {Input<float>("x", kTile), Output<float>("z", 24), Workspace<float>("workspace", kOdd)}},
          {"float_added_at_the_end", "gm-padding", AddedAtTheEnd<float, kOdd>, {Zeroed(InOut<float>("sum", kOdd))}},
          {"half_added_at_the_end", "gm-padding", AddedAtTheEnd<half, kOdd>, {Zeroed(InOut<half>("sum", kOdd))}},
          {"int32_added_at_the_end", "gm-padding", AddedAtTheEnd<int32_t, kOdd>, {Zeroed(InOut<int32_t>("sum", kOdd))}},
          {"int16_added_at_the_end",
           "gm-padding",
           AddedAtTheEnd<int16_t, kOdd>,
           {Zeroed(InOut<int16_t>("sum", kOdd))}}}});
}

}  // namespace sfumato::pairs
