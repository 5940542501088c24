// SPDX-License-Identifier: Apache-2.0
// Programs for the queues of a core on their own.
#pragma once

#include "runtime/pipes/pipes.h"

namespace sfumato::runtime {

using isa::Opcode;
using isa::Pipe;
using isa::Record;

struct Client final : PipeClient {
    std::vector<uint64_t> ran;  // indices of the records, in the order of execution
    std::vector<uint64_t> set_twice, deadlocks;
    void ExecuteRecord(const Record& record) override { ran.push_back(record.index); }
    void SetCrossFlag(const Record&) override {}
    void FlagSetTwice(const Record& second, const Where&, const Record*) override { set_twice.push_back(second.index); }
    void Deadlock(const Record& wait) override { deadlocks.push_back(wait.index); }
};

// Builds a core's program: records are numbered in order.
class Program {
public:
    explicit Program(const std::string& schedule, bool auto_sync = true, uint64_t core = 0)
        : pipes(&client, Schedule::Parse(schedule), auto_sync, core) {}

    uint64_t Work(Pipe pipe, uint64_t offset = 0, Opcode op = Opcode::vector_dup) {
        Record r;
        r.Become(op);
        r.pipe = pipe;
        r.operand_count = 1;
        r.operand[0].memory = isa::Memory::kUb;
        r.operand[0].type = DataType::kFloat;
        r.operand[0].offset = offset;
        r.operand[0].limit = offset + 32;
        r.mask.count = 8;
        return Push(r);
    }
    // C at byte `c` of L0C; 64 elements of k.
    uint64_t Mmad(uint32_t m, uint32_t n, uint64_t c = 0) {
        constexpr isa::Memory kMemories[] = {isa::Memory::kL0C, isa::Memory::kL0A, isa::Memory::kL0B};
        Record r;
        r.Become(Opcode::mmad);
        r.pipe = Pipe::kM;
        r.operand_count = 3;
        for (size_t i = 0; i < 3; ++i) {
            r.operand[i].memory = kMemories[i];
            r.operand[i].type = i == 0 ? DataType::kFloat : DataType::kHalf;
            r.operand[i].limit = 65536;
        }
        r.operand[0].offset = c;
        isa::Matmul shape;
        shape.m = m;
        shape.n = n;
        shape.k = 64;
        shape.initial = isa::Matmul::Initial::kAccumulate;
        r.Set(shape);
        return Push(r);
    }
    uint64_t Store(uint64_t offset, isa::Atomic atomic) {
        Record r;
        r.Become(Opcode::data_move);
        r.pipe = Pipe::kMte3;
        r.operand_count = 2;
        r.operand[0].memory = isa::Memory::kGm;
        r.operand[1].memory = isa::Memory::kUb;
        r.operand[0].type = r.operand[1].type = DataType::kFloat;
        r.operand[0].offset = offset;
        r.As<isa::Blocks>().block_bytes = 64;
        r.control.atomic = atomic;
        return Push(r);
    }
    // Reads 16 words for each of two blocks at `words` of UB.
    uint64_t TensorMove(uint64_t words) {
        Record r;
        r.Become(Opcode::tensor_mov);
        r.pipe = Pipe::kV;
        r.operand_count = 2;
        r.operand[0].memory = isa::Memory::kUb;
        r.operand[0].type = DataType::kInt8;
        r.operand[0].offset = 65536;
        r.operand[1].memory = isa::Memory::kL0C;
        r.operand[1].type = DataType::kInt32;
        isa::MatrixMove shape;
        shape.block_count = 2;
        shape.block_len = 1;
        shape.deq = isa::MatrixMove::Deq::kVDeq8;
        shape.word = words;
        r.Set(shape);
        return Push(r);
    }
    uint64_t Flag(Opcode op, Pipe from, Pipe to, int8_t id = 0, uint8_t event = 4, uint64_t token = 0) {
        Record r;
        r.Become(op);
        r.Set(isa::Flag{from, to, event, id, token});
        r.pipe = op == Opcode::set_flag ? from : to;
        r.where = {"test", static_cast<uint32_t>(next_)};
        return Push(r);
    }
    uint64_t Set(Pipe from, Pipe to, int8_t id = 0) { return Flag(Opcode::set_flag, from, to, id); }
    uint64_t Wait(Pipe from, Pipe to, int8_t id = 0) { return Flag(Opcode::wait_flag, from, to, id); }
    uint64_t Barrier(Pipe pipe) {
        Record r;
        r.Become(Opcode::pipe_barrier);
        r.pipe = pipe;
        return Push(r);
    }

    Client client;
    Pipes pipes;

private:
    uint64_t Push(Record& r) {
        r.index = next_++;
        pipes.Push(r);
        return r.index;
    }
    uint64_t next_ = 0;
};

}  // namespace sfumato::runtime
