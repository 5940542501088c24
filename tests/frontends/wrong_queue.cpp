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

std::vector<Program> QueuePrograms() {
    return {
        {.name = "queue_without_buffers",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TQue<TPosition::VECIN, 1> queue;
             Wrong(), queue.AllocTensor<half>();
         },
         .report = {.rule = "queue-uninitialised", .instruction = "AllocTensor",
                    .message = "AllocTensor: the queue has no buffers",
                    .found = "a queue that was never given to InitBuffer", .legal = "a queue after InitBuffer",
                    .hint = "call pipe.InitBuffer(queue, num, bytes) first"}},
        {.name = "queue_of_ended_pipe",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             In in(1);
             TBuf<> buffer;
             in.pipe.Reset();
             Earlier(), in.pipe.InitBuffer(buffer, 32);
             Wrong(), in.queue.DeQue<half>();
         },
         .report = {.rule = "queue-uninitialised", .instruction = "DeQue",
                    .message = "DeQue: the queue has no buffers",
                    .found = "its TPipe has ended or was reset, and InitBuffer at {earlier} took the memory",
                    .legal = "a queue after InitBuffer",
                    .hint = "call pipe.InitBuffer(queue, num, bytes) first"}},
        {.name = "queue_initialised_twice",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TQue<TPosition::VECIN, 1> queue;
             Earlier(), pipe.InitBuffer(queue, 1, 64);
             Wrong(), pipe.InitBuffer(queue, 1, 64);
         },
         .report = {.rule = "buffer-twice", .instruction = "InitBuffer", .operand = "VECIN",
                    .message = "InitBuffer: the queue already has buffers",
                    .found = "initialised at {earlier}", .legal = "one InitBuffer for a queue"}},
        {.name = "queue_of_no_blocks",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TQue<TPosition::VECOUT, 1> queue;
             Wrong(), pipe.InitBuffer(queue, 0, 64);
         },
         .report = {.rule = "buffer-empty", .instruction = "InitBuffer", .operand = "VECOUT",
                    .message = "InitBuffer: a queue needs at least one block of at least one byte",
                    .found = "0 blocks of 64 bytes", .legal = "num >= 1, len >= 1"}},
        {.name = "alloc_without_free",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             In in(1);
             Earlier(), in.queue.AllocTensor<half>();
             Wrong(), in.queue.AllocTensor<half>();
         },
         .report = {.rule = "queue-no-idle", .instruction = "AllocTensor", .operand = "VECIN",
                    .message = "AllocTensor: no block of the queue is free",
                    .found = "1 of 1 blocks in use, the oldest since {earlier}",
                    .legal = "at most as many tensors at once as InitBuffer made blocks",
                    .hint = "free a tensor first, or give the queue more blocks"}},
        {.name = "too_many_tensors_of_a_position",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TQue<TPosition::VECIN, 1> queue;
             pipe.InitBuffer(queue, 9, 32);
             for (int i = 0; i < 8; ++i) queue.AllocTensor<half>();
             Wrong(), queue.AllocTensor<half>();
         },
         .report = {.rule = "tensors-per-position", .instruction = "AllocTensor", .operand = "VECIN",
                    .message = "AllocTensor: too many tensors of VECIN at once",
                    .found = "9 tensors", .legal = "at most 8 on Ascend910B: each holds an event id",
                    .hint = "free tensors earlier; on the chip this hangs"},
         .others = {"buffers-per-position"}},
        {.name = "deque_of_empty_queue",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { In in(1); Wrong(), in.queue.DeQue<half>(); },
         .report = {.rule = "queue-empty", .instruction = "DeQue", .operand = "VECIN",
                    .message = "DeQue: the queue is empty",
                    .found = "DeQue without an EnQue before it", .legal = "as many DeQue as EnQue, EnQue first",
                    .hint = "on the chip this waits for ever"}},
        {.name = "enque_of_full_queue",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             In in(2);
             auto a = in.queue.AllocTensor<half>(), b = in.queue.AllocTensor<half>();
             in.queue.EnQue(a);
             Wrong(), in.queue.EnQue(b);
         },
         .report = {.rule = "queue-full", .instruction = "EnQue", .operand = "VECIN",
                    .message = "EnQue: the queue is full",
                    .found = "1 tensors enqueued", .legal = "a depth of 1: so many EnQue without DeQue",
                    .hint = "DeQue first, or give the queue a larger depth"}},
        {.name = "enque_twice",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             In in(2);
             auto a = in.queue.AllocTensor<half>();
             Earlier(), in.queue.EnQue(a);
             Wrong(), in.queue.EnQue(a);
         },
         .report = {.rule = "queue-order", .instruction = "EnQue", .operand = "VECIN",
                    .message = "EnQue: the tensor is already in the queue",
                    .found = "EnQue at {earlier} and no DeQue since",
                    .legal = "AllocTensor, EnQue, DeQue, FreeTensor, in this order"}},
        {.name = "free_while_enqueued",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             In in(2);
             auto a = in.queue.AllocTensor<half>();
             Earlier(), in.queue.EnQue(a);
             Wrong(), in.queue.FreeTensor(a);
         },
         .report = {.rule = "queue-order", .instruction = "FreeTensor", .operand = "VECIN",
                    .message = "FreeTensor: the tensor is still in the queue",
                    .found = "EnQue at {earlier} and no DeQue since",
                    .legal = "AllocTensor, EnQue, DeQue, FreeTensor, in this order"}},
        {.name = "free_twice",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             In in(1);
             auto a = in.queue.AllocTensor<half>();
             Earlier(), in.queue.FreeTensor(a);
             Wrong(), in.queue.FreeTensor(a);
         },
         .report = {.rule = "tensor-freed-twice", .instruction = "FreeTensor", .operand = "VECIN",
                    .message = "FreeTensor: the tensor was already freed",
                    .found = "freed at {earlier}", .legal = "one FreeTensor for each AllocTensor or DeQue",
                    .hint = "remove the second FreeTensor"}},
        {.name = "enque_after_free",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             In in(1);
             auto a = in.queue.AllocTensor<half>();
             Earlier(), in.queue.FreeTensor(a);
             Wrong(), in.queue.EnQue(a);
         },
         .report = {.rule = "tensor-freed", .instruction = "EnQue", .operand = "VECIN",
                    .message = "EnQue: the tensor was freed before",
                    .found = "freed at {earlier}", .legal = "one FreeTensor for each AllocTensor or DeQue",
                    .hint = "free the tensor after its last use"}},
        {.name = "use_after_free",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             In in(1);
             auto a = in.queue.AllocTensor<half>();
             Earlier(), in.queue.FreeTensor(a);
             Wrong(), Add(a, a, a, 16);
         },
         .report = {.rule = "tensor-freed", .instruction = "Add", .operand = "dst",
                    .message = "Add: dst was freed before",
                    .found = "freed at {earlier}", .legal = "a tensor between AllocTensor or DeQue and FreeTensor",
                    .hint = "free the tensor after its last use"}},
        {.name = "use_after_memory_handed_out_again",
         .kernel = [](GM_ADDR gm, GM_ADDR) __aicore__ {
             In in(1);
             TQue<TPosition::VECOUT, 1> out;
             auto a = in.queue.AllocTensor<half>();
             in.pipe.Destroy();
             TPipe second;
             Earlier(), second.InitBuffer(out, 1, 64);
             Wrong(), DataCopy(Gm<half>(gm, 32), a, 32);
         },
         .report = {.rule = "tensor-freed", .instruction = "DataCopy", .operand = "src",
                    .message = "DataCopy: the memory of src was handed out again",
                    .found = "its TPipe has ended or was reset, and InitBuffer at {earlier} took the memory",
                    .legal = "a tensor between AllocTensor or DeQue and FreeTensor",
                    .hint = "make no new buffers while a tensor is in use"}},
        {.name = "free_of_another_queues_tensor",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             In in(1);
             TQue<TPosition::VECOUT, 1> out;
             in.pipe.InitBuffer(out, 1, 64);
             auto a = in.queue.AllocTensor<half>();
             Wrong(), out.FreeTensor(a);
         },
         .report = {.rule = "queue-foreign-tensor", .instruction = "FreeTensor", .operand = "VECOUT",
                    .message = "FreeTensor: the tensor does not come from this queue",
                    .found = "a tensor of another queue",
                    .legal = "a tensor AllocTensor or DeQue of this queue returned"}},
        {.name = "enque_of_a_buffers_tensor",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             In in(1);
             TBuf<> buffer;
             in.pipe.InitBuffer(buffer, 64);
             auto a = buffer.Get<half>();
             Wrong(), in.queue.EnQue(a);
         },
         .report = {.rule = "queue-foreign-tensor", .instruction = "EnQue", .operand = "VECIN",
                    .message = "EnQue: the tensor does not come from this queue",
                    .found = "a tensor of a TBuf", .legal = "a tensor AllocTensor or DeQue of this queue returned"}},
        {.name = "enque_of_no_tensor",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { In in(1); LocalTensor<half> a; Wrong(), in.queue.EnQue(a); },
         .report = {.rule = "queue-foreign-tensor", .instruction = "EnQue", .operand = "VECIN",
                    .message = "EnQue: the tensor does not come from this queue",
                    .found = "a LocalTensor that was never given memory",
                    .legal = "a tensor AllocTensor or DeQue of this queue returned"}},
        {.name = "alloc_by_value_in_place",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { InPlace in(1); Wrong(), in.queue.AllocTensor<half>(); },
         .report = {.rule = "queue-in-place", .instruction = "AllocTensor", .operand = "VECIN",
                    .message = "AllocTensor: a queue of depth 0 works in place",
                    .found = "AllocTensor that returns a tensor", .legal = "AllocTensor(tensor), DeQue(tensor)"}},
        {.name = "deque_by_value_in_place",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             InPlace in(1);
             LocalTensor<half> a;
             in.queue.AllocTensor<half>(a);
             in.queue.EnQue(a);
             Wrong(), in.queue.DeQue<half>();
         },
         .report = {.rule = "queue-in-place", .instruction = "DeQue", .operand = "VECIN",
                    .message = "DeQue: a queue of depth 0 works in place",
                    .found = "DeQue that returns a tensor", .legal = "AllocTensor(tensor), DeQue(tensor)"}},
        {.name = "state_of_queue_in_place",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { InPlace in(1); Wrong(), in.queue.VacantInQue(); },
         .report = {.rule = "queue-in-place", .instruction = "VacantInQue", .operand = "VECIN",
                    .message = "VacantInQue: a queue of depth 0 has no state to ask for",
                    .found = "depth 0", .legal = "a depth of at least 1"}},
        {.name = "enque_between_positions_without_flag",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
             pipe.InitBuffer(queue, 1, 64);
             auto a = queue.AllocTensor<half>();
             Wrong(), queue.EnQue<TPosition::VECOUT, TPosition::VECIN>(a);
         },
         .report = {.rule = "queue-hop", .instruction = "EnQue", .operand = "VECIN",
                    .message = "EnQue: no flag joins these two positions",
                    .found = "EnQue<VECOUT, VECIN>", .legal = "EnQue<GM, VECIN> and EnQue<VECOUT, GM>"}},
        {.name = "tensor_left_in_queue",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             In in(1);
             auto a = in.queue.AllocTensor<half>();
             Wrong(), in.queue.EnQue(a);
         },
         .report = {.severity = Severity::kWarning, .rule = "queue-left-full", .instruction = "EnQue",
                    .operand = "VECIN",
                    .message = "EnQue: a tensor is still in the queue when its TPipe ends",
                    .found = "EnQue without DeQue",
                    .legal = "AllocTensor, EnQue, DeQue and FreeTensor in equal number",
                    .hint = "add the DeQue and FreeTensor"}},
        {.name = "tensor_never_freed",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { In in(1); Wrong(), in.queue.AllocTensor<half>(); },
         .report = {.severity = Severity::kWarning, .rule = "tensor-not-freed", .instruction = "AllocTensor",
                    .operand = "VECIN",
                    .message = "AllocTensor: a tensor is never given back",
                    .found = "AllocTensor or DeQue without FreeTensor",
                    .legal = "AllocTensor, EnQue, DeQue and FreeTensor in equal number",
                    .hint = "add the FreeTensor"}},
        {.name = "event_ids_exhausted",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             for (int i = 0; i < 4; ++i) pipe.AllocEventID<HardEvent::V_MTE3>();
             Wrong(), pipe.AllocEventID<HardEvent::V_MTE3>();
         },
         .report = {.rule = "event-ids-exhausted", .instruction = "AllocEventID", .operand = "V_MTE3",
                    .message = "AllocEventID: no event id is free",
                    .found = "all 4 ids of V_MTE3 are taken", .legal = "ReleaseEventID gives an id back",
                    .core = "core0"},
         .chip = "Ascend910A"},
        {.name = "event_ids_exhausted_fetch",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             for (int i = 0; i < 8; ++i) pipe.AllocEventID<HardEvent::MTE2_V>();
             Wrong(), pipe.FetchEventID<HardEvent::MTE2_V>();
         },
         .report = {.rule = "event-ids-exhausted", .instruction = "FetchEventID", .operand = "MTE2_V",
                    .message = "FetchEventID: no event id is free",
                    .found = "all 8 ids of MTE2_V are taken",
                    .legal = "ids are given back by ReleaseEventID, DeQue and AllocTensor"}},
        {.name = "event_id_not_taken",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ { TPipe pipe; Wrong(), pipe.ReleaseEventID<HardEvent::MTE2_V>(3); },
         .report = {.rule = "event-id-release", .instruction = "ReleaseEventID", .operand = "MTE2_V",
                    .message = "ReleaseEventID: the id was not taken with AllocEventID for this event",
                    .found = "id 3", .legal = "an id AllocEventID of the same event returned, released once"}},
        {.name = "event_id_released_twice",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             TPipe pipe;
             const auto id = pipe.AllocEventID<HardEvent::MTE2_V>();
             pipe.ReleaseEventID<HardEvent::MTE2_V>(id);
             Wrong(), pipe.ReleaseEventID<HardEvent::MTE2_V>(id);
         },
         .report = {.rule = "event-id-release", .instruction = "ReleaseEventID", .operand = "MTE2_V",
                    .message = "ReleaseEventID: the id was not taken with AllocEventID for this event",
                    .found = "id 0", .legal = "an id AllocEventID of the same event returned, released once"}},
        {.name = "event_id_of_a_queue",
         .kernel = [](GM_ADDR, GM_ADDR) __aicore__ {
             In in(1);
             auto a = in.queue.AllocTensor<half>();
             in.queue.EnQue(a);
             Wrong(), SetFlag<HardEvent::MTE2_V>(0);
             WaitFlag<HardEvent::MTE2_V>(0);
             a = in.queue.DeQue<half>();
             in.queue.FreeTensor(a);
         },
         .report = {.severity = Severity::kWarning, .rule = "event-id-held", .instruction = "SetFlag",
                    .operand = "MTE2_V id 0",
                    .message = "SetFlag: a queue holds this event id now",
                    .found = "id 0 written by hand", .legal = "ids from AllocEventID or FetchEventID",
                    .hint = "take the id from the TPipe: on the chip the flag of the queue would be disturbed"},
         .others = {"event-id-held"}},
    };
}

}  // namespace sfumato::wrong
