// SPDX-License-Identifier: Apache-2.0
// Products of matrices with hand-written flags and with queues, on every way in and out, and the same with one flag or
// barrier left out.
#include "frontends/kernels_cube.h"

namespace sfumato::frontends_test {
namespace {

using namespace AscendC;

constexpr uint32_t kTiles = 8;

struct Plan {
    bool fixpipe = true;  // else C leaves through UB
    uint32_t side = 32;
    uint32_t parts = 1;    // Mmads a product, each with its share of k
    uint32_t buffers = 1;  // of each memory
    bool direct = false;   // GM to L0A and L0B
    bool bias = false;
    HardEvent omit = HardEvent::MAX;
    bool barrier = true;  // between the Mmads of a product of few fractals

    uint32_t Elements() const { return side * side; }
    uint8_t Fractals() const { return static_cast<uint8_t>(Elements() / 256); }
};

__aicore__ inline void MultiplyParts(const Plan& plan, LocalTensor<float> c, LocalTensor<half> a, LocalTensor<half> b,
                                     LocalTensor<float> bias) {
    const uint16_t side = static_cast<uint16_t>(plan.side);
    MmadParams params(side, side, static_cast<uint16_t>(side / plan.parts), 0, false, !plan.bias);
    for (uint32_t part = 0; part < plan.parts; ++part) {
        const uint32_t at = part * plan.Elements() / plan.parts;
        if (part != 0 && plan.barrier && plan.Fractals() < 10) PipeBarrier<PIPE_M>();
        if (part == 0 && plan.bias) {
            Mmad(c, a[at], b[at], bias, params);
        } else {
            Mmad(c, a[at], b[at], params);
        }
        params.cmatrixInitVal = false;
    }
}

__global__ __aicore__ void flagged_product(GM_ADDR x, GM_ADDR y, GM_ADDR bias, GM_ADDR z, Plan plan) {
    const uint32_t elements = plan.Elements();
    const uint16_t side = static_cast<uint16_t>(plan.side);
    GlobalTensor<half> xg = ShareOfTiles<half>(x, kTiles, elements), yg = ShareOfTiles<half>(y, kTiles, elements);
    GlobalTensor<float> bias_g = ShareOfTiles<float>(bias, kTiles, side), zg = ShareOfTiles<float>(z, kTiles, elements);
    TPipe pipe;
    TBuf<TPosition::A1> a1_buffer;
    TBuf<TPosition::B1> b1_buffer;
    TBuf<TPosition::A2> a2_buffer;
    TBuf<TPosition::B2> b2_buffer;
    TBuf<TPosition::CO1> co1_buffer;
    TBuf<TPosition::CO2> co2_buffer;
    TBuf<TPosition::C1> c1_buffer;
    TBuf<TPosition::C2> c2_buffer;
    const uint32_t halves = plan.buffers * elements * sizeof(half), floats = plan.buffers * elements * sizeof(float);
    pipe.InitBuffer(a1_buffer, halves);
    pipe.InitBuffer(b1_buffer, halves);
    pipe.InitBuffer(a2_buffer, halves);
    pipe.InitBuffer(b2_buffer, halves);
    pipe.InitBuffer(co1_buffer, floats);
    LocalTensor<half> a1 = a1_buffer.Get<half>(), b1 = b1_buffer.Get<half>();
    LocalTensor<half> a2 = a2_buffer.Get<half>(), b2 = b2_buffer.Get<half>();
    LocalTensor<float> co1 = co1_buffer.Get<float>(), co2, c1, c2;
    if (!plan.fixpipe) {
        pipe.InitBuffer(co2_buffer, floats);
        co2 = co2_buffer.Get<float>();
    }
    if (plan.bias) {
        pipe.InitBuffer(c1_buffer, plan.buffers * side * sizeof(float));
        pipe.InitBuffer(c2_buffer, plan.buffers * side * sizeof(float));
        c1 = c1_buffer.Get<float>();
        c2 = c2_buffer.Get<float>();
    }
    const uint32_t tiles = static_cast<uint32_t>(zg.GetSize()) / elements;
    Handover<HardEvent::MTE2_MTE1, HardEvent::MTE1_MTE2> l1(plan.omit, tiles, plan.buffers);
    Handover<HardEvent::MTE1_M, HardEvent::M_MTE1> l0(plan.omit, tiles, plan.buffers);
    Handover<HardEvent::MTE2_M, HardEvent::M_MTE2> l0_direct(plan.omit, tiles, plan.buffers);
    Handover<HardEvent::M_FIX, HardEvent::FIX_M> l0c_fix(plan.omit, tiles, plan.buffers);
    Handover<HardEvent::M_V, HardEvent::V_M> l0c_v(plan.omit, tiles, plan.buffers);
    Handover<HardEvent::V_MTE3, HardEvent::MTE3_V> ub(plan.omit, tiles, plan.buffers);

    const LoadData2DParams all(0, plan.Fractals(), 1, 0, 0, false, 0);
    for (uint32_t tile = 0; tile < tiles; ++tile) {
        const uint32_t at = tile * elements;
        uint32_t in = 0;
        if (plan.direct) {
            in = l0_direct.Claim();
            LoadData(a2[in * elements], xg[at], all);
            LoadData(b2[in * elements], yg[at], all);
            l0_direct.Hand();
        } else {
            const uint32_t far = l1.Claim();
            DataCopy(a1[far * elements], xg[at], elements);
            DataCopy(b1[far * elements], yg[at], elements);
            if (plan.bias) DataCopy(c1[far * side], bias_g[tile * side], side);
            l1.Hand();
            in = l0.Claim();
            LoadData(a2[in * elements], a1[far * elements], all);
            LoadData(b2[in * elements], b1[far * elements], all);
            if (plan.bias) DataCopy(c2[in * side], c1[far * side], side);
            l0.Hand();
            l1.Release();
        }
        const uint32_t out = plan.fixpipe ? l0c_fix.Claim() : l0c_v.Claim();
        LocalTensor<float> c = co1[out * elements];
        MultiplyParts(plan, c, a2[in * elements], b2[in * elements], plan.bias ? c2[in * side] : c2);
        plan.direct ? l0_direct.Release() : l0.Release();
        if (plan.fixpipe) {
            l0c_fix.Hand();
            Fixpipe(zg[at], c, FixpipeParamsV220(side, side, side, side, false));
            l0c_fix.Release();
        } else {
            l0c_v.Hand();
            const uint32_t near = ub.Claim();
            DataCopy(co2[near * elements], c, DataCopyParams(1, plan.Fractals(), 0, 0), ByFractals());
            l0c_v.Release();
            ub.Hand();
            DataCopy(zg[at], co2[near * elements], elements);
            ub.Release();
        }
    }
}

__global__ __aicore__ void queued_product(GM_ADDR x, GM_ADDR y, GM_ADDR, GM_ADDR z, Plan plan) {
    const uint32_t elements = plan.Elements();
    const uint16_t side = static_cast<uint16_t>(plan.side);
    GlobalTensor<half> xg = ShareOfTiles<half>(x, kTiles, elements), yg = ShareOfTiles<half>(y, kTiles, elements);
    GlobalTensor<float> zg = ShareOfTiles<float>(z, kTiles, elements);
    TPipe pipe;
    TQue<TPosition::A1, 2> a1_queue;
    TQue<TPosition::B1, 2> b1_queue;
    TQue<TPosition::A2, 2> a2_queue;
    TQue<TPosition::B2, 2> b2_queue;
    TQue<TPosition::CO1, 2> co1_queue;
    TQue<TPosition::CO2, 2> co2_queue;
    pipe.InitBuffer(a1_queue, 2, elements * sizeof(half));
    pipe.InitBuffer(b1_queue, 2, elements * sizeof(half));
    pipe.InitBuffer(a2_queue, 2, elements * sizeof(half));
    pipe.InitBuffer(b2_queue, 2, elements * sizeof(half));
    pipe.InitBuffer(co1_queue, 2, elements * sizeof(float));
    if (!plan.fixpipe) pipe.InitBuffer(co2_queue, 2, elements * sizeof(float));
    const LoadData2DParams all(0, plan.Fractals(), 1, 0, 0, false, 0);
    for (uint32_t at = 0; at < zg.GetSize(); at += elements) {
        LocalTensor<half> a1 = a1_queue.AllocTensor<half>(), b1 = b1_queue.AllocTensor<half>();
        DataCopy(a1, xg[at], elements);
        DataCopy(b1, yg[at], elements);
        a1_queue.EnQue(a1);
        b1_queue.EnQue(b1);
        a1 = a1_queue.DeQue<half>();
        b1 = b1_queue.DeQue<half>();
        LocalTensor<half> a2 = a2_queue.AllocTensor<half>(), b2 = b2_queue.AllocTensor<half>();
        LoadData(a2, a1, all);
        LoadData(b2, b1, all);
        a2_queue.EnQue(a2);
        b2_queue.EnQue(b2);
        a1_queue.FreeTensor(a1);
        b1_queue.FreeTensor(b1);
        a2 = a2_queue.DeQue<half>();
        b2 = b2_queue.DeQue<half>();
        LocalTensor<float> co1 = co1_queue.AllocTensor<float>();
        MultiplyParts(plan, co1, a2, b2, {});
        co1_queue.EnQue(co1);
        a2_queue.FreeTensor(a2);
        b2_queue.FreeTensor(b2);
        co1 = co1_queue.DeQue<float>();
        if (plan.fixpipe) {
            Fixpipe(zg[at], co1, FixpipeParamsV220(side, side, side, side, false));
            co1_queue.FreeTensor(co1);
            continue;
        }
        LocalTensor<float> co2 = co2_queue.AllocTensor<float>();
        DataCopy(co2, co1, DataCopyParams(1, plan.Fractals(), 0, 0), ByFractals());
        co2_queue.EnQue(co2);
        co1_queue.FreeTensor(co1);
        co2 = co2_queue.DeQue<float>();
        DataCopy(zg[at], co2, elements);
        co2_queue.FreeTensor(co2);
    }
}

Program ProductProgram(const std::string& name, const Plan& plan, decltype(&flagged_product) kernel = flagged_product) {
    const Matrices a = RandomMatrices(kTiles, plan.side, 51), b = RandomMatrices(kTiles, plan.side, 52);
    const std::vector<int> bias = Integers<int>(kTiles * plan.side, -99, 99, 53);
    const Matrices c = Multiply(a, b, plan.bias ? bias : std::vector<int>());
    return {name + (plan.fixpipe ? "_fixpipe" : "_ub"),
            plan.bias      ? std::vector<std::string>{"Ascend910B"}
            : plan.fixpipe ? kWithFixpipe
                           : kWithoutFixpipe,
            {In(HalvesIn(Order::kZz, a, plan.parts)), In(HalvesIn(Order::kZn, b)),
             In(std::vector<float>(bias.begin(), bias.end())),
             Out(FloatsIn(plan.fixpipe ? Order::kRows : Order::kNz, c))},
            [plan, kernel](uint8_t* const* gm) { kernel(gm[0], gm[1], gm[2], gm[3], plan); },
            false,
            plan.fixpipe ? CoreChoice::kCube : CoreChoice::kDefault};
}

}  // namespace

std::vector<Program> CubeProductPrograms() {
    std::vector<Program> programs;
    for (const bool fixpipe : {true, false}) {
        programs.push_back(ProductProgram("cube_flags", {.fixpipe = fixpipe}));
        programs.push_back(ProductProgram("cube_ping_pong", {.fixpipe = fixpipe, .buffers = 2}));
        programs.push_back(ProductProgram("cube_direct", {.fixpipe = fixpipe, .direct = true}));
        programs.push_back(ProductProgram("cube_two_mmads", {.fixpipe = fixpipe, .parts = 2}));
        // 16 fractals: the unit itself keeps the Mmads in order
        programs.push_back(ProductProgram("cube_large", {.fixpipe = fixpipe, .side = 64, .parts = 4, .barrier = false}));
        programs.push_back(ProductProgram("cube_queues", {.fixpipe = fixpipe, .parts = 2}, queued_product));
    }
    programs.push_back(ProductProgram("cube_bias", {.buffers = 2, .bias = true}));
    return programs;
}

std::vector<BrokenProgram> BrokenCubeProductPrograms() {
    const auto without = [](std::string missing, const char* schedule, const Plan& plan) {
        return BrokenProgram{std::move(missing), schedule, ProductProgram("cube_flags", plan)};
    };
    const auto flag = [&](const char* name, const char* schedule, HardEvent event, bool fixpipe, bool direct = false) {
        return without(std::string("flag ") + name + (fixpipe ? " before Fixpipe" : " before UB"), schedule,
                       {.fixpipe = fixpipe, .direct = direct, .omit = event});
    };
    std::vector<BrokenProgram> broken;
    for (const bool fixpipe : {true, false}) {
        // the data is not there yet
        broken.push_back(flag("MTE2_MTE1", "late", HardEvent::MTE2_MTE1, fixpipe));
        broken.push_back(flag("MTE1_M", "late", HardEvent::MTE1_M, fixpipe));
        broken.push_back(flag("MTE2_M", "late", HardEvent::MTE2_M, fixpipe, true));
        // the buffer is used again too early
        broken.push_back(flag("MTE1_MTE2", "ahead", HardEvent::MTE1_MTE2, fixpipe));
        broken.push_back(flag("M_MTE1", "ahead", HardEvent::M_MTE1, fixpipe));
        broken.push_back(flag("M_MTE2", "ahead", HardEvent::M_MTE2, fixpipe, true));
        broken.push_back(without(fixpipe ? "PIPE_M barrier before Fixpipe" : "PIPE_M barrier before UB", "late",
                                 {.fixpipe = fixpipe, .parts = 2, .barrier = false}));
    }
    broken.push_back(flag("M_FIX", "late", HardEvent::M_FIX, true));
    broken.push_back(flag("FIX_M", "ahead", HardEvent::FIX_M, true));
    broken.push_back(flag("M_V", "late", HardEvent::M_V, false));
    broken.push_back(flag("V_M", "ahead", HardEvent::V_M, false));
    broken.push_back(flag("V_MTE3", "late", HardEvent::V_MTE3, false));
    broken.push_back(flag("MTE3_V", "ahead", HardEvent::MTE3_V, false));
    return broken;
}

}  // namespace sfumato::frontends_test
