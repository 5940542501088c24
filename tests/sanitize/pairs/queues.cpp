// SPDX-License-Identifier: Apache-2.0
// Queues: a step left out, taken too early, or of the wrong queue (framework.md 1.4, 2.4).
#include "sanitize/pairs/queues.h"

namespace sfumato::pairs {
namespace {

template <class T>
__aicore__ void no_queue_in(GM_ADDR* gm, bool wrong) {
    Queues<T> q(gm);
    auto a = q.in.template AllocTensor<T>();
    DataCopy(a, q.x, kTile);
    if (!wrong) q.in.EnQue(a);
    if (!wrong) a = q.in.template DeQue<T>();
    auto b = q.out.template AllocTensor<T>();
    Adds(b, a, static_cast<T>(1), kTile);
    q.in.FreeTensor(a);
    q.Store(b);
}

template <class T>
__aicore__ void no_queue_out(GM_ADDR* gm, bool wrong) {
    Queues<T> q(gm);
    auto a = q.Load();
    auto b = q.out.template AllocTensor<T>();
    Adds(b, a, static_cast<T>(1), kTile);
    q.in.FreeTensor(a);
    if (!wrong) q.out.EnQue(b);
    if (!wrong) b = q.out.template DeQue<T>();
    DataCopy(q.z, b, kTile);
    q.out.FreeTensor(b);
}

__aicore__ void input_freed_before_its_last_use(GM_ADDR* gm, bool wrong) {
    Queues q(gm);
    auto a = q.Load();
    auto b = q.out.AllocTensor<float>();
    Muls(b, a, 2.0f, kTile);
    if (wrong) q.in.FreeTensor(a);
    Add(b, b, a, kTile);
    if (!wrong) q.in.FreeTensor(a);
    q.Store(b);
}

__aicore__ void output_freed_before_the_store(GM_ADDR* gm, bool wrong) {
    Queues q(gm);
    auto a = q.Load();
    auto b = q.out.AllocTensor<float>();
    Adds(b, a, 1.0f, kTile);
    q.in.FreeTensor(a);
    q.out.EnQue(b);
    b = q.out.DeQue<float>();
    if (wrong) q.out.FreeTensor(b);
    DataCopy(q.z, b, kTile);
    if (!wrong) q.out.FreeTensor(b);
}

__aicore__ void computed_after_enque(GM_ADDR* gm, bool wrong) {
    Queues q(gm);
    auto a = q.Load();
    auto b = q.out.AllocTensor<float>();
    Muls(b, a, 2.0f, kTile / 2);
    if (!wrong) Muls(b[kTile / 2], a[kTile / 2], 3.0f, kTile / 2);
    q.out.EnQue(b);
    if (wrong) Muls(b[kTile / 2], a[kTile / 2], 3.0f, kTile / 2);
    q.in.FreeTensor(a);
    b = q.out.DeQue<float>();
    DataCopy(q.z, b, kTile);
    q.out.FreeTensor(b);
}

__aicore__ void loaded_after_enque(GM_ADDR* gm, bool wrong) {
    Queues q(gm);
    auto a = q.in.AllocTensor<float>();
    DataCopy(a, q.x, kTile / 2);
    if (!wrong) DataCopy(a[kTile / 2], q.x[kTile / 2], kTile / 2);
    q.in.EnQue(a);
    if (wrong) DataCopy(a[kTile / 2], q.x[kTile / 2], kTile / 2);
    a = q.in.DeQue<float>();
    auto b = q.out.AllocTensor<float>();
    Adds(b, a, 1.0f, kTile);
    q.in.FreeTensor(a);
    q.Store(b);
}

__aicore__ void used_before_deque(GM_ADDR* gm, bool wrong) {
    Queues q(gm);
    auto a = q.in.AllocTensor<float>();
    DataCopy(a, q.x, kTile);
    q.in.EnQue(a);
    auto b = q.out.AllocTensor<float>();
    if (!wrong) a = q.in.DeQue<float>();
    Adds(b, a, 1.0f, kTile);
    if (wrong) a = q.in.DeQue<float>();
    q.in.FreeTensor(a);
    q.Store(b);
}

// A tile computed in place and stored from the input queue, whose FreeTensor speaks for V alone.
__aicore__ void input_tile_stored(GM_ADDR* gm, bool wrong) {
    Queues q(gm, 1, 2);
    for (uint32_t i = 0; i < 2; ++i) {
        auto a = q.Load(i);
        Adds(a, a, 1.0f, kTile);
        Sync<HardEvent::V_MTE3>();
        DataCopy(q.z[i * kTile], a, kTile);
        if (!wrong) Sync<HardEvent::MTE3_V>();
        q.in.FreeTensor(a);
    }
}

// Two tiles in the queue: the second may be on its way when the first has come.
__aicore__ void second_tile_at_the_first_deque(GM_ADDR* gm, bool wrong) {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, kTile * sizeof(float));
    pipe.InitBuffer(out, 1, kTile * sizeof(float));
    auto first = in.AllocTensor<float>();
    DataCopy(first, Gm<float>(gm[0], kTile), kTile);
    in.EnQue(first);
    auto second = in.AllocTensor<float>();
    DataCopy(second, Gm<float>(gm[0] + kTile * sizeof(float), kTile), kTile);
    in.EnQue(second);
    auto sum = out.AllocTensor<float>();
    first = in.DeQue<float>();
    if (!wrong) second = in.DeQue<float>();
    Add(sum, first, second, kTile);
    if (wrong) second = in.DeQue<float>();
    in.FreeTensor(first);
    in.FreeTensor(second);
    out.EnQue(sum);
    sum = out.DeQue<float>();
    DataCopy(Gm<float>(gm[1], kTile), sum, kTile);
    out.FreeTensor(sum);
}

// Queues of another position wait for other pipes.
template <TPosition in, TPosition out>
__aicore__ void tile_through(GM_ADDR* gm) {
    Queues<float, in, out> q(gm);
    auto a = q.in.template AllocTensor<float>();
    DataCopy(a, q.x, kTile);
    q.in.EnQue(a);
    a = q.in.template DeQue<float>();
    auto b = q.out.template AllocTensor<float>();
    Adds(b, a, 1.0f, kTile);
    q.in.FreeTensor(a);
    q.out.EnQue(b);
    b = q.out.template DeQue<float>();
    DataCopy(q.z, b, kTile);
    q.out.FreeTensor(b);
}
__aicore__ void output_in_a_queue_for_input(GM_ADDR* gm, bool wrong) {
    if (wrong) tile_through<TPosition::VECIN, TPosition::VECIN>(gm);
    if (!wrong) tile_through<TPosition::VECIN, TPosition::VECOUT>(gm);
}
__aicore__ void input_in_a_queue_for_output(GM_ADDR* gm, bool wrong) {
    if (wrong) tile_through<TPosition::VECOUT, TPosition::VECOUT>(gm);
    if (!wrong) tile_through<TPosition::VECIN, TPosition::VECOUT>(gm);
}

// A bound queue of a pure move: its flag joins MTE2 and MTE3.
__aicore__ void computed_in_a_bound_queue(GM_ADDR* gm, bool wrong) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> bind;
    pipe.InitBuffer(bind, 1, kTile * sizeof(float));
    auto a = bind.AllocTensor<float>();
    DataCopy(a, Gm<float>(gm[0], kTile), kTile);
    bind.EnQue(a);
    a = bind.DeQue<float>();
    if (!wrong) Sync<HardEvent::MTE2_V>();
    Adds(a, a, 1.0f, kTile);
    Sync<HardEvent::V_MTE3>();
    DataCopy(Gm<float>(gm[1], kTile), a, kTile);
    bind.FreeTensor(a);
}

__aicore__ void second_hop_left_out(GM_ADDR* gm, bool wrong) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> bind;
    pipe.InitBuffer(bind, 1, kTile * sizeof(float));
    auto a = bind.AllocTensor<float>();
    DataCopy(a, Gm<float>(gm[0], kTile), kTile);
    bind.EnQue<TPosition::GM, TPosition::VECIN>(a);
    a = bind.DeQue<TPosition::GM, TPosition::VECIN, float>();
    Adds(a, a, 1.0f, kTile);
    if (!wrong) bind.EnQue<TPosition::VECOUT, TPosition::GM>(a);
    if (!wrong) a = bind.DeQue<TPosition::VECOUT, TPosition::GM, float>();
    DataCopy(Gm<float>(gm[1], kTile), a, kTile);
    bind.FreeTensor(a);
}

// Steps that the queue itself misses

__aicore__ void next_tile_without_a_second_block(GM_ADDR* gm, bool wrong) {
    Queues q(gm, wrong ? 1 : 2, 2);
    auto a = q.in.AllocTensor<float>();
    DataCopy(a, q.x, kTile);
    q.in.EnQue(a);
    for (uint32_t i = 0; i < 2; ++i) {
        a = q.in.DeQue<float>();
        if (i == 0) {
            auto next = q.in.AllocTensor<float>();
            DataCopy(next, q.x[kTile], kTile);
            q.in.EnQue(next);
        }
        auto b = q.out.AllocTensor<float>();
        Adds(b, a, 1.0f, kTile);
        q.in.FreeTensor(a);
        q.Store(b, i);
    }
}

__aicore__ void two_tiles_in_a_queue_of_depth_one(GM_ADDR* gm, bool wrong) {
    Queues q(gm, 2, 2);
    auto first = q.in.AllocTensor<float>();
    DataCopy(first, q.x, kTile);
    q.in.EnQue(first);
    if (!wrong) first = q.in.DeQue<float>();
    auto second = q.in.AllocTensor<float>();
    DataCopy(second, q.x[kTile], kTile);
    q.in.EnQue(second);
    if (wrong) first = q.in.DeQue<float>();
    second = q.in.DeQue<float>();
    for (uint32_t i = 0; i < 2; ++i) {
        auto b = q.out.AllocTensor<float>();
        Adds(b, i == 0 ? first : second, 1.0f, kTile);
        q.in.FreeTensor(i == 0 ? first : second);
        q.Store(b, i);
    }
}

__aicore__ void output_never_enqueued(GM_ADDR* gm, bool wrong) {
    Queues q(gm);
    auto a = q.Load();
    auto b = q.out.AllocTensor<float>();
    Adds(b, a, 1.0f, kTile);
    q.in.FreeTensor(a);
    if (!wrong) q.out.EnQue(b);
    b = q.out.DeQue<float>();
    DataCopy(q.z, b, kTile);
    q.out.FreeTensor(b);
}

__aicore__ void input_never_freed(GM_ADDR* gm, bool wrong) {
    Queues q(gm);
    auto a = q.Load();
    auto b = q.out.AllocTensor<float>();
    Adds(b, a, 1.0f, kTile);
    if (!wrong) q.in.FreeTensor(a);
    q.Store(b);
}

__aicore__ void input_never_freed_in_a_loop(GM_ADDR* gm, bool wrong) {
    Queues q(gm, 2, 3);
    for (uint32_t i = 0; i < 3; ++i) {
        auto a = q.Load(i);
        auto b = q.out.AllocTensor<float>();
        Adds(b, a, 1.0f, kTile);
        if (!wrong) q.in.FreeTensor(a);
        q.Store(b, i);
    }
}

__aicore__ void freed_into_the_other_queue(GM_ADDR* gm, bool wrong) {
    Queues q(gm);
    auto a = q.Load();
    auto b = q.out.AllocTensor<float>();
    Adds(b, a, 1.0f, kTile);
    if (wrong) q.out.FreeTensor(a);
    if (!wrong) q.in.FreeTensor(a);
    q.Store(b);
}

__aicore__ void input_tile_enqueued_for_output(GM_ADDR* gm, bool wrong) {
    Queues q(gm);
    auto a = q.Load();
    auto b = q.out.AllocTensor<float>();
    Adds(b, a, 1.0f, kTile);
    if (wrong) q.out.EnQue(a);
    if (!wrong) q.out.EnQue(b);
    q.in.FreeTensor(a);
    b = q.out.DeQue<float>();
    DataCopy(q.z, b, kTile);
    q.out.FreeTensor(b);
}

// Freed where it is used and once more at the end of the iteration.
__aicore__ void input_freed_twice(GM_ADDR* gm, bool wrong) {
    Queues q(gm);
    auto a = q.Load();
    auto b = q.out.AllocTensor<float>();
    Adds(b, a, 1.0f, kTile);
    q.in.FreeTensor(a);
    q.Store(b);
    if (wrong) q.in.FreeTensor(a);
}

__aicore__ void tail_left_in_the_queue(GM_ADDR* gm, bool wrong) {
    Queues q(gm, 2);
    auto a = q.Load();
    if (wrong) q.in.EnQue(q.in.AllocTensor<float>());
    auto b = q.out.AllocTensor<float>();
    Adds(b, a, 1.0f, kTile);
    q.in.FreeTensor(a);
    q.Store(b);
}

template <class T>
std::vector<Pair> Basic() {
    const std::vector<Memory> tile = {Input<T>("x", kTile), Output<T>("z", kTile)};
    return {{"no_queue_in", "race", no_queue_in<T>, tile}, {"no_queue_out", "race", no_queue_out<T>, tile}};
}

}  // namespace

std::vector<Pair> QueuePairs() {
    const Memory x = Input<float>("x", kTile), y = Input<float>("y", kTile), z = Output<float>("z", kTile);
    const Memory two_in = Input<float>("x", 2 * kTile), two_out = Output<float>("z", 2 * kTile);
    return Together({
        Basic<float>(),
        On("Ascend310P3", Basic<half>()),
        On("Ascend910A", Basic<half>()),
        On("Ascend310B1", Basic<half>()),
        {
            {"input_freed_before_its_last_use", "tensor-freed", input_freed_before_its_last_use},
            {"output_freed_before_the_store", "tensor-freed", output_freed_before_the_store},
            {"computed_after_enque", "race", computed_after_enque},
            {"loaded_after_enque", "race", loaded_after_enque},
            {"used_before_deque", "race", used_before_deque},
            {"input_tile_stored", "race", input_tile_stored, {two_in, two_out}},
            {"second_tile_at_the_first_deque", "race", second_tile_at_the_first_deque, {two_in, z}},
            {"output_in_a_queue_for_input", "race", output_in_a_queue_for_input},
            {"input_in_a_queue_for_output", "race", input_in_a_queue_for_output},
            {"computed_in_a_bound_queue", "race", computed_in_a_bound_queue},
            {"second_hop_left_out", "race", second_hop_left_out},
            {"next_tile_without_a_second_block", "queue-no-idle", next_tile_without_a_second_block, {two_in, two_out}},
            {"two_tiles_in_a_queue_of_depth_one", "queue-full", two_tiles_in_a_queue_of_depth_one, {two_in, two_out}},
            {"output_never_enqueued", "queue-empty", output_never_enqueued},
            {"input_never_freed", "tensor-not-freed", input_never_freed},
            {"input_never_freed_in_a_loop",
             "queue-no-idle",
             input_never_freed_in_a_loop,
             {Input<float>("x", 3 * kTile), Output<float>("z", 3 * kTile)}},
            {"freed_into_the_other_queue", "queue-foreign-tensor", freed_into_the_other_queue},
            {"input_tile_enqueued_for_output", "queue-foreign-tensor", input_tile_enqueued_for_output},
            {"input_freed_twice", "tensor-freed-twice", input_freed_twice},
            {"tail_left_in_the_queue", "queue-left-full", tail_left_in_the_queue},
        },
    });
}

}  // namespace sfumato::pairs
