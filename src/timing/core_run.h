// SPDX-License-Identifier: Apache-2.0
// One core that runs one block in the model: the scalar unit issues events into the queues of the pipes, and each pipe
// runs the first of its queue as soon as it may (docs/spec/timing.md 3).
#pragma once

#include <array>
#include <vector>

#include "soc/timing.h"
#include "timing/drawing.h"
#include "timing/event_queue.h"
#include "timing/ledger.h"
#include "timing/path.h"

namespace sfumato::timing {

class CoreRun {
public:
    // What a core needs of the others.
    class Launch {
    public:
        virtual ~Launch() = default;
        // The first transfer of the pipe begins then; TransferEnded tells its end.
        virtual void StartAt(Cycles at, uint32_t core, isa::Pipe pipe) = 0;
        virtual void SetCrossAt(Cycles at, uint32_t core, const Event& set, Path::Node node) = 0;
        virtual void RaiseAt(Cycles at, uint32_t core, uint64_t counter, Path::Node node) = 0;
        // False: not yet; the core is asked to run again when it may be.
        virtual bool Reached(uint32_t core, const Event& await, Cycles* at, Path::Node* node) = 0;
        virtual void Ended(Cycles at, uint32_t core) = 0;
        // The record as the log prints it, of an event that has one.
        virtual std::string TakeText(uint32_t core, uint64_t index) = 0;
        // An event of a call of the program ran then.
        virtual void Placed(uint32_t core, uint32_t scope, Cycles begin, Cycles end) = 0;
    };
    struct Common {
        const soc::TimingConstants& constants;
        double scalar_cycles;  // before each record
        Launch& launch;
        Path& path;
        Ledger& ledger;
        Drawing* drawing;  // may be null
    };
    // Events arrive in `stream`.
    CoreRun(const Common& common, uint32_t core, bool cube, Cycles begin, Path::Node node, EventQueue& stream);

    // As far as it is known. False: the stream ended before the block.
    bool Run();
    bool ended() const { return ended_; }
    Cycles end() const { return scalar_; }
    Path::Node end_node() const { return base_node_; }
    // The first transfer of the pipe.
    const Event& Transfer(isa::Pipe pipe) const;
    // alone: cycles it would take without others.
    void TransferEnded(isa::Pipe pipe, Cycles at, double alone);
    // Nodes that lead on from here.
    void CollectLeaves(std::vector<Path::Node*>& leaves);
    // Bytes the transfer costs and why it loses time (bits of `Without`), kept for its slice.
    void SetCharged(isa::Pipe pipe, double bytes, uint32_t causes);
    const Ledger::Pipes& pipes() const { return pipes_; }

private:
    static constexpr size_t kDepth = 32;
    static constexpr uint8_t kEveryPipe = (1u << isa::kPipeCount) - 1;
    static constexpr uint8_t Bit(isa::Pipe pipe) { return static_cast<uint8_t>(1u << static_cast<int>(pipe)); }
    // Of those that unit flags tie together.
    static constexpr isa::Pipe Other(isa::Pipe pipe) { return pipe == isa::Pipe::kM ? isa::Pipe::kFix : isa::Pipe::kM; }
    struct Entry {
        Event event;
        Cycles issued = 0, base = 0;
        Path::Node base_node = Path::kStart;
        uint64_t other = 0;  // unit flags: how many records of the other unit come before
    };
    struct Queue {
        std::array<Entry, kDepth> ring;
        size_t first = 0, count = 0;
        uint64_t issued = 0, ran = 0;  // instructions with a unit flag
        uint64_t entered = 0;          // all
        // When the latest instructions were done, by their number.
        struct Done {
            Cycles at = 0;
            Path::Node node = Path::kStart;
        };
        uint64_t completed = 0;
        std::array<Done, kDepth> latest{};
        std::array<Cycles, kDepth> left{};  // when the latest left the queue
        Cycles free = 0, done = 0;          // the next may begin; all is complete
        Path::Node free_node = Path::kStart, done_node = Path::kStart;
        Cause cause = Cause::kStart;          // of `free`
        Cycles last_begin = 0, last_end = 0;  // of instructions
        bool moves = false;                   // its first is a transfer that has begun
        Cycles begin = 0;                     // of it
        double charged = 0;
        uint32_t causes = 0;
        Entry& front() { return ring[first]; }
    };
    struct Flag {
        uint64_t key;
        Cycles at;
        Path::Node node;
        isa::Pipe from;
    };

    Queue& QueueOf(isa::Pipe pipe) { return queues_[static_cast<size_t>(pipe)]; }
    Ledger::Pipe& PipeOf(isa::Pipe pipe) { return pipes_[static_cast<size_t>(pipe)]; }
    bool Issue();
    bool IssueOne(Event& event);
    bool Enqueue(Event& event);
    bool Quiet() const;
    void JoinAll(const Event& event);
    void Scalar(const Event& event, double cycles);
    // The scalar unit goes on no earlier than `at`; the wait is drawn in `row`.
    void Join(Cycles at, Path::Node node, const Event& event, trace::Row row);
    bool RunPipe(isa::Pipe pipe);
    bool RunFirst(Queue& queue, isa::Pipe pipe);
    void WaitForFlag(Queue& queue, isa::Pipe pipe, const Event& wait, const Flag& flag, Cycles here);
    void RunWork(Queue& queue, isa::Pipe pipe);
    void Complete(Queue& queue, isa::Pipe pipe, Cycles begin, Cycles end, Cycles done, Path::Step step, CostParts cost);
    void Leave(Queue& queue, Cycles at);
    bool UnitReady(const Queue& queue, isa::Pipe pipe);
    Path::Node StartNode(const Queue& queue, const Entry& entry);
    void SetFlag(const Event& event, Cycles at, Path::Node node);
    bool TakeFlag(const Event& event, Flag* flag);
    // What a wait waits for, if it has happened.
    bool Reached(const Event& wait, Flag* flag);
    void WatchCompletions();
    // Charges the cause to the event's line; its bit.
    uint32_t Blame(const Event& event, Without cause, double cost);
    // Draws work that began after what leads to `start`, and is the latest on the way to `node`.
    void Draw(trace::Slice slice, const CostParts& cost, Cause cause, Path::Node start, Path::Node node);
    Path::Step StepOf(const Event& event) const;
    trace::Slice SliceOf(const Event& event, trace::Row row, Cycles begin, Cycles end) const;

    const Common& common_;
    const uint32_t core_;
    const bool cube_;
    EventQueue& stream_;
    std::array<Queue, isa::kPipeCount> queues_;
    Ledger::Pipes pipes_{};
    std::vector<Flag> flags_;
    Cycles scalar_;             // the scalar unit's time
    Cycles base_;               // since when it has only issued
    Path::Node base_node_;      // what led there
    uint8_t dirty_ = 0;         // pipes to look at
    bool by_operands_ = false;  // records wait for others, without flags
    bool ended_ = false;
};

}  // namespace sfumato::timing
