// SPDX-License-Identifier: Apache-2.0
// Flags written by hand: reused, hoisted, skipped by a loop that does not run, waited for under another name
// (framework.md 2.3).
#include "sanitize/pairs/cube_tiles.h"
#include "sanitize/pairs/tiles.h"

namespace sfumato::pairs {
namespace {

// Ids

__aicore__ void one_id_for_two_loads(GM_ADDR* gm, bool wrong) {
    Tiles t(gm, 3);
    const event_t second = wrong ? EVENT_ID0 : EVENT_ID1;
    DataCopy(t.a, t.x, kTile);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    DataCopy(t.b, t.y, kTile);
    SetFlag<HardEvent::MTE2_V>(second);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(t.a, t.a, 1.0f, kTile);
    WaitFlag<HardEvent::MTE2_V>(second);
    Add(t.c, t.a, t.b, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.c, kTile);
}

__aicore__ void two_ids_fetched_before_either_is_used(GM_ADDR* gm, bool wrong) {
    Tiles t(gm, 3);
    const TEventID first = wrong ? t.pipe.FetchEventID<HardEvent::MTE2_V>() : t.pipe.AllocEventID<HardEvent::MTE2_V>();
    const TEventID second = t.pipe.FetchEventID<HardEvent::MTE2_V>();
    DataCopy(t.a, t.x, kTile);
    SetFlag<HardEvent::MTE2_V>(first);
    DataCopy(t.b, t.y, kTile);
    SetFlag<HardEvent::MTE2_V>(second);
    WaitFlag<HardEvent::MTE2_V>(first);
    WaitFlag<HardEvent::MTE2_V>(second);
    Add(t.c, t.a, t.b, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.c, kTile);
    if (!wrong) t.pipe.ReleaseEventID<HardEvent::MTE2_V>(first);
}

__aicore__ void another_id_is_waited_for(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(wrong ? EVENT_ID1 : EVENT_ID0);
    Adds(t.b, t.a, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

__aicore__ void another_event_is_waited_for(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(t.b, t.a, 1.0f, kTile);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    if (wrong) WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    if (!wrong) WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(t.z, t.b, kTile);
}

__aicore__ void flag_of_the_other_buffer(GM_ADDR* gm, bool wrong) {
    Tiles t(gm, 3);
    DataCopy(t.a, t.x, kTile);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    DataCopy(t.b, t.y, kTile);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID1);
    WaitFlag<HardEvent::MTE2_V>(wrong ? EVENT_ID0 : EVENT_ID1);
    Muls(t.c, t.b, 2.0f, kTile);
    WaitFlag<HardEvent::MTE2_V>(wrong ? EVENT_ID1 : EVENT_ID0);
    Add(t.c, t.c, t.a, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.c, kTile);
}

__aicore__ void id_of_a_queue_set_by_hand(GM_ADDR* gm, bool wrong) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TBuf<> buffers[2];
    pipe.InitBuffer(in, 1, kTile * sizeof(float));
    for (TBuf<>& buffer : buffers) pipe.InitBuffer(buffer, kTile * sizeof(float));
    LocalTensor<float> b = buffers[0].Get<float>(), c = buffers[1].Get<float>();
    auto a = in.AllocTensor<float>();
    DataCopy(a, Gm<float>(gm[0], kTile), kTile);
    in.EnQue(a);
    DataCopy(b, Gm<float>(gm[1], kTile), kTile);
    const TEventID id = wrong ? 0 : pipe.FetchEventID<HardEvent::MTE2_V>();
    SetFlag<HardEvent::MTE2_V>(id);
    a = in.DeQue<float>();
    WaitFlag<HardEvent::MTE2_V>(id);
    Add(c, a, b, kTile);
    in.FreeTensor(a);
    Sync<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(gm[2], kTile), c, kTile);
}

__aicore__ void id_given_back_as_another_event(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    const TEventID id = t.pipe.AllocEventID<HardEvent::MTE2_V>();
    DataCopy(t.a, t.x, kTile);
    SetFlag<HardEvent::MTE2_V>(id);
    WaitFlag<HardEvent::MTE2_V>(id);
    Adds(t.b, t.a, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
    if (wrong) t.pipe.ReleaseEventID<HardEvent::V_MTE2>(id);
    if (!wrong) t.pipe.ReleaseEventID<HardEvent::MTE2_V>(id);
}

__aicore__ void ids_never_given_back(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_MTE3>();
    for (int i = 0; i < 9; ++i) {
        const TEventID id = t.pipe.AllocEventID<HardEvent::MTE3_V>();
        DataCopy(t.z, t.a, kTile);
        SetFlag<HardEvent::MTE3_V>(id);
        WaitFlag<HardEvent::MTE3_V>(id);
        PipeBarrier<PIPE_ALL>();
        if (!wrong) t.pipe.ReleaseEventID<HardEvent::MTE3_V>(id);
    }
}

__aicore__ void id_of_a_newer_chip(GM_ADDR* gm, bool wrong) {
    Tiles<half> t(gm);
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>(wrong ? 4 : 3);
    Adds(t.b, t.a, half(1), kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

// Branches: the last tile is short, and takes another way

__aicore__ void set_hoisted_out_of_a_branch(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    const bool scaled = t.x.GetValue(0) > 2.0f;
    DataCopy(t.a, t.x, kTile);
    if (wrong || scaled) SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    if (scaled) {
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        Muls(t.a, t.a, 2.0f, kTile);
    }
    Sync<HardEvent::MTE2_MTE3>();
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.a, kTile);
}

// Only every second tile is used, and only then waited for.
__aicore__ void wait_left_in_a_branch(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    TBuf<> buffer;
    t.pipe.InitBuffer(buffer, 3 * kTile * sizeof(float));
    LocalTensor<float> rows = buffer.Get<float>();
    auto x = Gm<float>(gm[0], 3 * kTile);
    Duplicate(t.c, 0.0f, kTile);
    for (uint32_t i = 0; i < 3; ++i) {
        DataCopy(rows[i * kTile], x[i * kTile], kTile);
        SetFlag<HardEvent::MTE2_V>(i % 2);
        if (!wrong) WaitFlag<HardEvent::MTE2_V>(i % 2);
        if (i == 1) {
            if (wrong) WaitFlag<HardEvent::MTE2_V>(1);
            Add(t.c, t.c, rows[i * kTile], kTile);
        }
        Sync<HardEvent::V_MTE2>();
    }
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.c, kTile);
}

__aicore__ void iteration_left_before_its_set(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    auto x = Gm<float>(gm[0], 3 * kTile);
    Duplicate(t.c, 0.0f, kTile);
    SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
    for (uint32_t i = 0; i < 3; ++i) {
        WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
        DataCopy(t.a, x[i * kTile], kTile);
        Sync<HardEvent::MTE2_V>();
        if (wrong && i == 1) continue;
        if (i != 1) Add(t.c, t.c, t.a, kTile);
        SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
    }
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.c, kTile);
}

__aicore__ void iteration_left_before_its_wait(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    TBuf<> buffer;
    t.pipe.InitBuffer(buffer, 3 * kTile * sizeof(float));
    LocalTensor<float> rows = buffer.Get<float>();
    auto x = Gm<float>(gm[0], 3 * kTile);
    Duplicate(t.c, 0.0f, kTile);
    for (uint32_t i = 0; i < 3; ++i) {
        DataCopy(rows[i * kTile], x[i * kTile], kTile);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        if (wrong && i == 1) continue;
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        if (i != 1) Add(t.c, t.c, rows[i * kTile], kTile);
        Sync<HardEvent::V_MTE2>();
    }
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.c, kTile);
}

// Loops that do not run

__aicore__ void wait_in_a_loop_that_does_not_run(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    const uint32_t rounds = static_cast<uint32_t>(t.x.GetValue(0)) - 1;
    DataCopy(t.a, t.x, kTile);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    if (!wrong) WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    for (uint32_t i = 0; i < rounds; ++i) {
        if (wrong && i == 0) WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        Adds(t.a, t.a, 1.0f, kTile);
    }
    Sync<HardEvent::MTE2_MTE3>();
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.a, kTile);
}

__aicore__ void tail_relies_on_a_loop_that_does_not_run(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    const uint32_t rounds = static_cast<uint32_t>(t.x.GetValue(0)) - 1;
    DataCopy(t.a, t.x, kTile);
    if (!wrong) Sync<HardEvent::MTE2_V>();
    for (uint32_t i = 0; i < rounds; ++i) {
        if (wrong) Sync<HardEvent::MTE2_V>();
        Adds(t.a, t.a, 1.0f, kTile);
    }
    Muls(t.b, t.a, 2.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(t.z, t.b, kTile);
}

__aicore__ void set_in_a_loop_that_does_not_run(GM_ADDR* gm, bool wrong) {
    Tiles t(gm);
    const uint32_t rounds = static_cast<uint32_t>(t.x.GetValue(0)) - 1;
    DataCopy(t.a, t.x, kTile);
    Sync<HardEvent::MTE2_V>();
    Adds(t.b, t.a, 1.0f, kTile);
    for (uint32_t i = 0; i < rounds; ++i) {
        Adds(t.b, t.b, 1.0f, kTile);
        if (wrong && i + 1 == rounds) SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    }
    if (!wrong) SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(t.z, t.b, kTile);
}

// Two buffers in turn: x has four tiles

enum class Slip { kNone, kNoReverse, kOneId, kNoFirstSet, kNoLastWait, kForwardOnce, kReverseOfOne, kWrongTurn };

__aicore__ void ping_pong(GM_ADDR* gm, Slip slip) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 2 * kTile * sizeof(float));
    auto x = Gm<float>(gm[0], 4 * kTile), z = Gm<float>(gm[1], 4 * kTile);
    const auto reverse = [slip](int32_t turn) { return slip == Slip::kOneId ? 0 : turn; };
    for (int32_t turn = 0; turn < 2; ++turn) {
        if (slip == Slip::kNoReverse || slip == Slip::kNoFirstSet) continue;
        SetFlag<HardEvent::MTE3_MTE2>(reverse(turn));
    }
    for (int32_t i = 0; i < 4; ++i) {
        const int32_t turn = i % 2;
        LocalTensor<float> tile = buffer.GetWithOffset<float>(kTile, turn * kTile * sizeof(float));
        if (slip != Slip::kNoReverse)
            WaitFlag<HardEvent::MTE3_MTE2>(reverse(slip == Slip::kWrongTurn ? 1 - turn : turn));
        DataCopy(tile, x[i * kTile], kTile);
        if (slip != Slip::kForwardOnce || i == 0) SetFlag<HardEvent::MTE2_V>(turn);
        if (slip != Slip::kForwardOnce || i == 0) WaitFlag<HardEvent::MTE2_V>(turn);
        Adds(tile, tile, 1.0f, kTile);
        SetFlag<HardEvent::V_MTE3>(turn);
        WaitFlag<HardEvent::V_MTE3>(turn);
        DataCopy(z[i * kTile], tile, kTile);
        if (slip == Slip::kReverseOfOne && turn == 1) continue;
        if (slip != Slip::kNoReverse) SetFlag<HardEvent::MTE3_MTE2>(reverse(turn));
    }
    for (int32_t turn = 0; turn < 2; ++turn) {
        if (slip == Slip::kNoReverse || slip == Slip::kNoLastWait) continue;
        WaitFlag<HardEvent::MTE3_MTE2>(reverse(turn));
    }
}
template <Slip slip>
__aicore__ void two_buffers(GM_ADDR* gm, bool wrong) {
    ping_pong(gm, wrong ? slip : Slip::kNone);
}

}  // namespace

std::vector<Pair> EventPairs() {
    const Memory x = Input<float>("x", kTile), y = Input<float>("y", kTile), z = Output<float>("z", kTile);
    const std::vector<Memory> three = {Input<float>("x", 3 * kTile), z};
    const std::vector<Memory> four = {Input<float>("x", 4 * kTile), Output<float>("z", 4 * kTile)};
    return Together({
        {
            {"one_id_for_two_loads", "flag-set-twice", one_id_for_two_loads, {x, y, z}},
            {"two_ids_fetched_before_either_is_used",
             "flag-set-twice",
             two_ids_fetched_before_either_is_used,
             {x, y, z}},
            {"another_id_is_waited_for", "wait-never-satisfied", another_id_is_waited_for},
            {"another_event_is_waited_for", "wait-never-satisfied", another_event_is_waited_for},
            {"flag_of_the_other_buffer", "race", flag_of_the_other_buffer, {x, y, z}},
            {"id_of_a_queue_set_by_hand", "event-id-held", id_of_a_queue_set_by_hand, {x, y, z}},
            {"id_given_back_as_another_event", "event-id-release", id_given_back_as_another_event},
            {"ids_never_given_back", "event-ids-exhausted", ids_never_given_back},
            {"set_hoisted_out_of_a_branch", "flag-left-set", set_hoisted_out_of_a_branch},
            {"wait_left_in_a_branch", "flag-set-twice", wait_left_in_a_branch, three},
            {"iteration_left_before_its_set", "wait-never-satisfied", iteration_left_before_its_set, three},
            {"iteration_left_before_its_wait", "flag-set-twice", iteration_left_before_its_wait, three},
            {"wait_in_a_loop_that_does_not_run", "flag-left-set", wait_in_a_loop_that_does_not_run},
            {"tail_relies_on_a_loop_that_does_not_run", "race", tail_relies_on_a_loop_that_does_not_run},
            {"set_in_a_loop_that_does_not_run", "wait-never-satisfied", set_in_a_loop_that_does_not_run},
            {"ping_pong_without_reverse_flags", "race", two_buffers<Slip::kNoReverse>, four},
            {"ping_pong_with_one_id", "flag-set-twice", two_buffers<Slip::kOneId>, four},
            {"ping_pong_without_the_first_set", "wait-never-satisfied", two_buffers<Slip::kNoFirstSet>, four},
            {"ping_pong_without_the_last_wait", "flag-left-set", two_buffers<Slip::kNoLastWait>, four},
            {"ping_pong_that_waits_once", "race", two_buffers<Slip::kForwardOnce>, four},
            {"ping_pong_with_one_reverse_flag", "wait-never-satisfied", two_buffers<Slip::kReverseOfOne>, four},
            {"ping_pong_in_the_wrong_turn", "flag-set-twice", two_buffers<Slip::kWrongTurn>, four},
        },
        On("Ascend910A", {{"id_of_a_newer_chip",
                           "event-id-range",
                           id_of_a_newer_chip,
                           {Input<half>("x", kTile), Output<half>("z", kTile)}}}),
    });
}

}  // namespace sfumato::pairs
