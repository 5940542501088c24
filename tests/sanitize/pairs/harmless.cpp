// SPDX-License-Identifier: Apache-2.0
// What right programs do that looks like a fault: reads through references, stores of the same bytes, whole blocks at
// the end of an array, parameters that nothing uses, lanes and fields that nobody reads, long loops. The wrong halves
// do nearly the same.
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

// Works on whole blocks, of which the array has one less.
__aicore__ void block_past_the_end_loaded(GM_ADDR* gm, bool wrong) {
    Tiles<float> t(gm);
    const uint32_t count = wrong ? 32 : 24;
    DataCopy(t.a, Gm<float>(gm[0], count), count);
    Sync<HardEvent::MTE2_V>();
    Muls(t.b, t.a, 2.0f, 24);
    Sync<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(gm[1], 24), t.b, 24);
}

// Rows that are moved back over each other.
__aicore__ void rows_moved_back(GM_ADDR* gm, bool wrong) {
    Tiles<float> t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Muls(t.b, t.a, wrong ? 2.0f : 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.a, DataCopyParams(2, 3, 1, 1));
    DataCopy(t.z[8], t.b[8], DataCopyParams(2, 3, 1, 1));
}

// A stride between columns, of which there is one; between repeats, of which there is one.
__aicore__ void stride_of_one_column(GM_ADDR* gm, bool wrong) {
    Tiles<half> t(gm);
    const auto columns = static_cast<uint16_t>(wrong ? 2 * kLine : kLine), rows = static_cast<uint16_t>(wrong ? 2 : 4);
    DataCopy(t.a, t.x, Nd2NzParams(1, rows, columns, 0, columns, 0, 1, 0));
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(t.z, t.a, kTile);
}
__aicore__ void stride_of_one_repeat(GM_ADDR* gm, bool wrong) {
    Tiles<half> t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Duplicate(t.b, half(0), kTile);
    WholeReduceSum(t.b, t.a, kLine, wrong ? 2 : 1, 70000, 1, 1);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}
__aicore__ void no_stride_of_one_repeat(GM_ADDR* gm, bool wrong) {
    Tiles<half> t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Duplicate(t.b, half(0), kTile);
    WholeReduceMax(t.b, t.a, kLine, wrong ? 2 : 1, 0, 1, 1);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}
// A buffer of a position without a memory.
__aicore__ void buffer_that_is_never_used(GM_ADDR* gm, bool wrong) {
    Tiles<float> t(gm);
    TBuf<TPosition::CO2> results;
    t.pipe.InitBuffer(results, kTile * sizeof(float));
    if (wrong) t.a = results.Get<float>();
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(t.z, t.a, kTile);
}
__aicore__ void queue_that_is_never_used(GM_ADDR* gm, bool wrong) {
    Tiles<float> t(gm);
    TQue<TPosition::CO2, 1> results;
    t.pipe.InitBuffer(results, 1, kTile * sizeof(float));
    if (wrong) t.a = results.AllocTensor<float>();
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(t.z, t.a, kTile);
}

// Proposals with fields that nobody writes: nobody reads them either.
constexpr uint32_t kProposals = 16, kFields = 8;
__aicore__ void fields_that_go_along(GM_ADDR* gm, bool wrong) {
    constexpr int32_t kLeft = 0, kScore = 4;
    Tiles<half> t(gm);
    TBuf<> rooms[2];
    for (TBuf<>& room : rooms) t.pipe.InitBuffer(room, kProposals * kFields * sizeof(half));
    LocalTensor<half> proposals = rooms[0].Get<half>(), sorted = rooms[1].Get<half>();
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    ProposalConcat(proposals, t.a, 1, kScore);
    RpSort16(sorted, proposals, 1);
    ProposalExtract(t.b, sorted, 1, wrong ? kLeft : kScore);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kProposals);
}
__aicore__ void reserved_elements_of_proposals(GM_ADDR* gm, bool wrong) {
    constexpr int32_t kWritten = 6;
    Tiles<half> t(gm);
    TBuf<> room;
    t.pipe.InitBuffer(room, kProposals * kFields * sizeof(half));
    LocalTensor<half> proposals = room.Get<half>();
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    for (int32_t field = wrong ? 1 : 0; field < kWritten; ++field) ProposalConcat(proposals, t.a, 1, field);
    Sync<HardEvent::V_MTE3>();
    DataCopy(Gm<half>(gm[1], kProposals * kFields), proposals, kProposals * kFields);
}

// Lanes behind the tail overflow, as nobody wrote them.
template <auto compute>
__aicore__ void LanesBehindTheTail(GM_ADDR* gm, bool wrong) {
    constexpr uint32_t kTail = 48;
    Tiles<half> t(gm);
    DataCopy(t.a, t.x, kTail);
    Sync<HardEvent::MTE2_V>();
    compute(t, wrong);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTail);
}
constexpr auto kScaled = [](auto& t, bool wrong) { Muls(t.b, t.a, half(wrong ? 30000 : 3), kTile); };
constexpr auto kCubed = [](auto& t, bool wrong) {
    if (wrong) Muls(t.a, t.a, half(2), 1), Adds(t.a, t.a, half(60), 1);
    Mul(t.b, t.a, t.a, kTile);
    Mul(t.b, t.b, t.a, kTile);
};

// Loops that look as if they wait for somebody, and end.
template <uint32_t kTimes>
__aicore__ void LoadedAgainAndAgain(GM_ADDR* gm, bool wrong) {
    Block b;
    auto table = Gm<int32_t>(gm[0], kLine);
    int32_t sum = 0;
    for (uint32_t i = 0; i < kTimes || (wrong && table.GetValue(1) == 2); ++i) sum += table.GetValue(1) & 1;
    DataCopy(Gm<int32_t>(gm[1], kLine), b.Filled<int32_t>(sum, kLine), kLine);
}
template <uint32_t kTimes>
__aicore__ void CopiedAgainAndAgain(GM_ADDR* gm, bool wrong) {
    Block b;
    auto table = Gm<int32_t>(gm[0], kLine);
    LocalTensor<int32_t> seen = b.New<int32_t>(kLine);
    for (uint32_t i = 0; i < kTimes || (wrong && seen.GetValue(1) == 2); ++i) {
        DataCopy(seen, table, kLine);
        b.Order<HardEvent::MTE2_S>();
        if (seen.GetValue(0) != 1) return;
    }
    DataCopy(Gm<int32_t>(gm[1], kLine), b.Filled<int32_t>(3, kLine), kLine);
}

// Slices behind what Get was asked for, inside the TBuf.
__aicore__ void slice_behind_get(GM_ADDR* gm, bool wrong) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 2 * kTile * sizeof(float));
    LocalTensor<float> rest = buffer.Get<float>(kLine)[wrong ? 2 * kTile + kLine : kTile];
    DataCopy(rest, Gm<float>(gm[0], kTile), kTile);
    Sync<HardEvent::MTE2_MTE3>();
    DataCopy(Gm<float>(gm[1], kTile), rest, kTile);
}
__aicore__ void halves_behind_get_with_offset(GM_ADDR* gm, bool wrong) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 3 * kTile * sizeof(half));
    LocalTensor<half> rest = buffer.GetWithOffset<half>(kLine, kTile * sizeof(half))[wrong ? 3 * kTile : kTile];
    Duplicate(rest, half(3), kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(Gm<half>(gm[1], kTile), rest, kTile);
}

std::vector<Memory> Odd() { return {Input<float>("x", kOdd), Output<float>("z", kOdd)}; }
std::vector<Memory> Hundred() { return {Input<float>("x", 100), Output<float>("z", 100)}; }

std::vector<Memory> Halves() { return {Input<half>("x", kTile), Output<half>("z", kTile)}; }
std::vector<Pair> Proposals() {
    const Memory x = Input<half>("x", kTile);
    return {{"fields_that_go_along", "uninitialised-read", fields_that_go_along, {x, Output<half>("z", kProposals)}},
            {"reserved_elements_of_proposals",
             "uninitialised-read",
             reserved_elements_of_proposals,
             {x, Output<half>("z", kProposals * kFields)}}};
}
// What every chip has.
std::vector<Pair> Unused() {
    const std::vector<Memory> tail = {Input<half>("x", 48), Output<half>("z", 48)};
    const std::vector<Memory> line = {Input<int32_t>("table", kLine), Output<int32_t>("z", kLine)};
#if defined(__SANITIZE_THREAD__)
    constexpr uint32_t kMillion = 20000;  // as many as are no poll there: kMostPolls
#else
    constexpr uint32_t kMillion = 1000000;
#endif
    return {
        {"block_past_the_end_loaded",
         "gm-padding",
         block_past_the_end_loaded,
         {Input<float>("x", kOdd), Output<float>("z", 24)}},
        {"whole_block_of_a_workspace",
         "gm-padding",
         whole_block_of_a_workspace,
         {Input<float>("x", kTile), Output<float>("z", 24), Workspace<float>("workspace", kOdd)}},
        {"rows_moved_back", "race", rows_moved_back, {Input<float>("x", kTile), InOut<float>("z", kTile)}},
        {"stride_of_one_column", "parameter-range", stride_of_one_column, Halves()},
        {"stride_of_one_repeat", "stride-range", stride_of_one_repeat, Halves()},
        {"scaled_lanes_behind_the_tail", "saturation-hidden", LanesBehindTheTail<kScaled>, tail},
        {"cubed_lanes_behind_the_tail", "saturation-hidden", LanesBehindTheTail<kCubed>, tail},
        {"element_loaded_a_million_times", "deadlock", LoadedAgainAndAgain<kMillion>, line},
        {"line_copied_a_hundred_thousand_times", "deadlock", CopiedAgainAndAgain<kMillion / 10>, line},
        {"slice_behind_get", "tensor-offset", slice_behind_get},
        {"halves_behind_get_with_offset", "tensor-offset", halves_behind_get_with_offset, Halves()},
    };
}

}  // namespace

std::vector<Pair> HarmlessPairs() {
    const std::vector<Memory> tiles = {Input<int32_t>("x", kTile), Output<int32_t>("z", kTile)};
    const std::vector<Pair> anywhere = {
        Pair("element_that_nobody_wrote", "uninitialised-read", element_that_nobody_wrote, tiles),
        Pair("tail_moved_back_in_one_core", "race", tail_moved_back_in_one_core, Hundred()),
        Pair("tail_moved_back_to_another_core", "race-cores", tail_moved_back_to_another_core,
             {.gm = Hundred(), .blocks = 2}),
        Pair("overlap_read_back", "race-cores", overlap_read_back,
             {.gm = {Input<float>("x", 104), Output<float>("z", 104), Output<float>("sum", 2 * kShare)}, .blocks = 2}),
    };
    const auto references = [](const char* name, void (*program)(GM_ADDR*, bool)) {
        return Pair(name, "race-cores", program, {.gm = Table(), .blocks = 2});
    };
    return Together(
        {anywhere,
         On("Ascend310P3", anywhere),
         {references("reference_that_is_assigned", reference_that_is_assigned),
          references("reference_that_is_added_to", reference_that_is_added_to),
          references("references_that_are_swapped", references_that_are_swapped)},
         Unused(),
         On("Ascend310P3", Unused()),
         On("Ascend310P3", Proposals()),
         On("Ascend910A", Proposals()),
         On("Ascend910A", {{"no_stride_of_one_repeat", "parameter-range", no_stride_of_one_repeat, Halves()}}),
         {{"buffer_that_is_never_used", "position-unsupported", buffer_that_is_never_used},
          {"queue_that_is_never_used", "position-unsupported", queue_that_is_never_used},
          {"whole_block_stored_at_the_end", "gm-padding", whole_block_stored_at_the_end, Odd()},
          {"whole_block_loaded_at_the_end", "gm-padding", whole_block_loaded_at_the_end, Odd()},
          {"float_added_at_the_end", "gm-padding", AddedAtTheEnd<float, kOdd>, {Zeroed(InOut<float>("sum", kOdd))}},
          {"half_added_at_the_end", "gm-padding", AddedAtTheEnd<half, kOdd>, {Zeroed(InOut<half>("sum", kOdd))}},
          {"int32_added_at_the_end", "gm-padding", AddedAtTheEnd<int32_t, kOdd>, {Zeroed(InOut<int32_t>("sum", kOdd))}},
          {"int16_added_at_the_end",
           "gm-padding",
           AddedAtTheEnd<int16_t, kOdd>,
           {Zeroed(InOut<int16_t>("sum", kOdd))}}}});
}

}  // namespace sfumato::pairs
