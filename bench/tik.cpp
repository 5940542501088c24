// SPDX-License-Identifier: Apache-2.0
// What interpreting TIK costs: one instruction a trip of a loop, beside the same instruction called by an Ascend C
// loop.
#include "sfumato/tik.h"

#include "kernel_operator.h"
#include "pairs.h"

namespace sfumato::bench {
namespace {

constexpr int64_t kTrips = 20000;
// An instruction may cost 150 ns more than in Ascend C, where it costs about 50 (bench/single.cpp).
constexpr double kMostTimes = 4;

// for i in range(kTrips): vec_adds(mask, data, data, 1.0, 1, 8, 8), the mask a number or a Scalar.
void Record(tik::Program* p, bool scalar_operands) {
    const Where at{"bench.py", 1};
    const auto number = [&](int64_t v) { return p->Immediate(v, at); };
    const tik::TensorId data = p->Tensor("float32", {64}, "local.UB", "data", {}, at);
    const tik::TensorId out = p->Tensor("float32", {64}, "global", "out", {}, at);
    const tik::RefId ref = p->Ref(data, number(0), "float32", at);
    const tik::ScalarId mask = p->Scalar("int32", "mask", at);
    p->SetScalar(mask, number(1), at);
    const tik::Value given = scalar_operands ? tik::Value(p->Variable(mask, at)) : tik::Value(int64_t{1});
    const auto whole = [](int64_t v) { return tik::Value(v); };
    p->Call("vec_dup", {ref},
            {{"mask", whole(64)}, {"scalar", 0.0}, {"repeat_times", whole(1)}, {"dst_rep_stride", whole(8)}}, at);
    p->BeginFor(number(0), number(kTrips), "i", "int32", 1, number(1), at);
    p->Call("vec_adds", {ref, ref},
            {{"mask", given},
             {"scalar", 1.0},
             {"repeat_times", whole(1)},
             {"dst_rep_stride", whole(8)},
             {"src_rep_stride", whole(8)}},
            at);
    p->End(at);
    p->Call("data_move", {p->Ref(out, number(0), "float32", at), ref},
            {{"sid", whole(0)},
             {"nburst", whole(1)},
             {"burst", whole(8)},
             {"src_stride", whole(0)},
             {"dst_stride", whole(0)}},
            at);
    p->Build("adds", {}, {out}, {}, at);
}

void AscendCLoop(benchmark::State& state) {
    GlobalMemory memory;
    LaunchOrFail(state, 1, memory, [] {
        AscendC::TPipe pipe;
        AscendC::TBuf<> buffer;
        pipe.InitBuffer(buffer, 4096);
        const auto data = buffer.Get<float>(64);
        AscendC::Duplicate(data, 0.0f, 64);
        const AscendC::UnaryRepeatParams params(1, 1, 8, 8);
        for (int64_t i = 0; i < kTrips; ++i) AscendC::Adds(data, data, 1.0f, uint64_t{1}, 1, params);
    });
}

void Instruction(benchmark::State& state, bool scalar_operands) {
    tik::Program program("Ascend910B1");
    Record(&program, scalar_operands);
    const auto run = [&] {
        const tik::RunResult result = program.Run({}, {});
        if (!result.launch.ok() || reinterpret_cast<const float*>(result.outputs[0].bytes.data())[0] != kTrips)
            state.SkipWithError("the program computes something else");
    };
    MeasurePairs(state, {Measure::kCost, kMostTimes}, Clock::kProcess, {run, 1}, {[&] { AscendCLoop(state); }, 1},
                 kTrips);
}
BENCHMARK_CAPTURE(Instruction, numbers, false)->Name("tik_instruction_numbers")->UseManualTime()->MinTime(0.3);
BENCHMARK_CAPTURE(Instruction, scalars, true)->Name("tik_instruction_scalars")->UseManualTime()->MinTime(0.3);

}  // namespace
}  // namespace sfumato::bench
