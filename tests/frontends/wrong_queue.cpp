// SPDX-License-Identifier: Apache-2.0
// Wrong programs: the life of a queue's tensors.
#include "wrong_programs.h"

namespace sfumato::wrong {
namespace {

// A pipe and a queue with blocks of 64 bytes.
template <TPosition position, int32_t depth>
struct Fixture {
    explicit Fixture(uint8_t blocks) { pipe.InitBuffer(queue, blocks, 64); }
    TPipe pipe;
    TQue<position, depth> queue;
};
using In = Fixture<TPosition::VECIN, 1>;
using InPlace = Fixture<TPosition::VECIN, 0>;

}  // namespace

const Table<Program> kQueue = {
    {"queue_without_buffers", "queue-uninitialised", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TQue<TPosition::VECIN, 1> queue;
         Wrong(), queue.AllocTensor<half>();
     }},
    {"queue_of_ended_pipe", "queue-uninitialised", [](GM_ADDR, GM_ADDR) __aicore__ {
         In in(1);
         TBuf<> buffer;
         in.pipe.Reset();
         Earlier(), in.pipe.InitBuffer(buffer, 32);
         Wrong(), in.queue.DeQue<half>();
     }},
    {"queue_initialised_twice", "buffer-twice", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TQue<TPosition::VECIN, 1> queue;
         Earlier(), pipe.InitBuffer(queue, 1, 64);
         Wrong(), pipe.InitBuffer(queue, 1, 64);
     }},
    {"queue_of_no_blocks", "buffer-empty", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TQue<TPosition::VECOUT, 1> queue;
         Wrong(), pipe.InitBuffer(queue, 0, 64);
     }},
    {"alloc_without_free", "queue-no-idle", [](GM_ADDR, GM_ADDR) __aicore__ {
         In in(1);
         Earlier(), in.queue.AllocTensor<half>();
         Wrong(), in.queue.AllocTensor<half>();
     }},
    {"too_many_tensors_of_a_position", "tensors-per-position", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TQue<TPosition::VECIN, 1> queue;
         pipe.InitBuffer(queue, 9, 32);
         for (int i = 0; i < 8; ++i) queue.AllocTensor<half>();
         Wrong(), queue.AllocTensor<half>();
     }},
    {"deque_of_empty_queue", "queue-empty",
     [](GM_ADDR, GM_ADDR) __aicore__ { In in(1); Wrong(), in.queue.DeQue<half>(); }},
    {"enque_of_full_queue", "queue-full", [](GM_ADDR, GM_ADDR) __aicore__ {
         In in(2);
         auto a = in.queue.AllocTensor<half>(), b = in.queue.AllocTensor<half>();
         in.queue.EnQue(a);
         Wrong(), in.queue.EnQue(b);
     }},
    {"enque_twice", "queue-order", [](GM_ADDR, GM_ADDR) __aicore__ {
         In in(2);
         auto a = in.queue.AllocTensor<half>();
         Earlier(), in.queue.EnQue(a);
         Wrong(), in.queue.EnQue(a);
     }},
    {"free_while_enqueued", "queue-order", [](GM_ADDR, GM_ADDR) __aicore__ {
         In in(2);
         auto a = in.queue.AllocTensor<half>();
         Earlier(), in.queue.EnQue(a);
         Wrong(), in.queue.FreeTensor(a);
     }},
    {"free_twice", "tensor-freed-twice", [](GM_ADDR, GM_ADDR) __aicore__ {
         In in(1);
         auto a = in.queue.AllocTensor<half>();
         Earlier(), in.queue.FreeTensor(a);
         Wrong(), in.queue.FreeTensor(a);
     }},
    {"enque_after_free", "tensor-freed", [](GM_ADDR, GM_ADDR) __aicore__ {
         In in(1);
         auto a = in.queue.AllocTensor<half>();
         Earlier(), in.queue.FreeTensor(a);
         Wrong(), in.queue.EnQue(a);
     }},
    {"use_after_free", "tensor-freed", [](GM_ADDR, GM_ADDR) __aicore__ {
         In in(1);
         auto a = in.queue.AllocTensor<half>();
         Earlier(), in.queue.FreeTensor(a);
         Wrong(), Add(a, a, a, 16);
     }},
    {"use_after_memory_handed_out_again", "tensor-freed", [](GM_ADDR gm, GM_ADDR) __aicore__ {
         In in(1);
         TQue<TPosition::VECOUT, 1> out;
         auto a = in.queue.AllocTensor<half>();
         in.pipe.Destroy();
         TPipe second;
         Earlier(), second.InitBuffer(out, 1, 64);
         Wrong(), DataCopy(Gm<half>(gm, 32), a, 32);
     }},
    {"free_of_another_queues_tensor", "queue-foreign-tensor", [](GM_ADDR, GM_ADDR) __aicore__ {
         In in(1);
         TQue<TPosition::VECOUT, 1> out;
         in.pipe.InitBuffer(out, 1, 64);
         auto a = in.queue.AllocTensor<half>();
         Wrong(), out.FreeTensor(a);
     }},
    {"enque_of_a_buffers_tensor", "queue-foreign-tensor", [](GM_ADDR, GM_ADDR) __aicore__ {
         In in(1);
         TBuf<> buffer;
         in.pipe.InitBuffer(buffer, 64);
         auto a = buffer.Get<half>();
         Wrong(), in.queue.EnQue(a);
     }},
    {"enque_of_no_tensor", "queue-foreign-tensor",
     [](GM_ADDR, GM_ADDR) __aicore__ { In in(1); LocalTensor<half> a; Wrong(), in.queue.EnQue(a); }},
    {"alloc_by_value_in_place", "queue-in-place",
     [](GM_ADDR, GM_ADDR) __aicore__ { InPlace in(1); Wrong(), in.queue.AllocTensor<half>(); }},
    {"deque_by_value_in_place", "queue-in-place", [](GM_ADDR, GM_ADDR) __aicore__ {
         InPlace in(1);
         LocalTensor<half> a;
         in.queue.AllocTensor<half>(a);
         in.queue.EnQue(a);
         Wrong(), in.queue.DeQue<half>();
     }},
    {"state_of_queue_in_place", "queue-in-place",
     [](GM_ADDR, GM_ADDR) __aicore__ { InPlace in(1); Wrong(), in.queue.VacantInQue(); }},
    {"enque_between_positions_without_flag", "queue-hop", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
         pipe.InitBuffer(queue, 1, 64);
         auto a = queue.AllocTensor<half>();
         Wrong(), queue.EnQue<TPosition::VECOUT, TPosition::VECIN>(a);
     }},
    {"tensor_left_in_queue", "queue-left-full", [](GM_ADDR, GM_ADDR) __aicore__ {
         In in(1);
         auto a = in.queue.AllocTensor<half>();
         Wrong(), in.queue.EnQue(a);
     }},
    {"tensor_never_freed", "tensor-not-freed",
     [](GM_ADDR, GM_ADDR) __aicore__ { In in(1); Wrong(), in.queue.AllocTensor<half>(); }},
    {"event_ids_exhausted", "event-ids-exhausted", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         for (int i = 0; i < 4; ++i) pipe.AllocEventID<HardEvent::V_MTE3>();
         Wrong(), pipe.AllocEventID<HardEvent::V_MTE3>();
     }, {.chip = "Ascend910A"}},
    {"event_ids_exhausted_fetch", "event-ids-exhausted", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         for (int i = 0; i < 8; ++i) pipe.AllocEventID<HardEvent::MTE2_V>();
         Wrong(), pipe.FetchEventID<HardEvent::MTE2_V>();
     }},
    {"event_id_not_taken", "event-id-release",
     [](GM_ADDR, GM_ADDR) __aicore__ { TPipe pipe; Wrong(), pipe.ReleaseEventID<HardEvent::MTE2_V>(3); }},
    {"event_id_released_twice", "event-id-release", [](GM_ADDR, GM_ADDR) __aicore__ {
         TPipe pipe;
         const auto id = pipe.AllocEventID<HardEvent::MTE2_V>();
         pipe.ReleaseEventID<HardEvent::MTE2_V>(id);
         Wrong(), pipe.ReleaseEventID<HardEvent::MTE2_V>(id);
     }},
    {"event_id_of_a_queue", "event-id-held", [](GM_ADDR, GM_ADDR) __aicore__ {
         In in(1);
         auto a = in.queue.AllocTensor<half>();
         in.queue.EnQue(a);
         Wrong(), SetFlag<HardEvent::MTE2_V>(0);
         WaitFlag<HardEvent::MTE2_V>(0);
         a = in.queue.DeQue<half>();
         in.queue.FreeTensor(a);
     }},
};

}  // namespace sfumato::wrong
