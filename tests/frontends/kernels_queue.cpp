// SPDX-License-Identifier: Apache-2.0
// Programs built on queues: double buffering, a bound queue, chains of arithmetic in every type.
#include <algorithm>
#include <limits>
#include <type_traits>

#include "frontends/kernels.h"

namespace sfumato::frontends_test {
namespace {

using namespace AscendC;

constexpr uint32_t kTotal = 4096, kTile = 256;

template <class T>
class KernelAdd {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
        const uint32_t length = kTotal / static_cast<uint32_t>(GetBlockNum());
        tiles_ = length / kTile;
        x_.SetGlobalBuffer((__gm__ T*)x + length * GetBlockIdx(), length);
        y_.SetGlobalBuffer((__gm__ T*)y + length * GetBlockIdx(), length);
        z_.SetGlobalBuffer((__gm__ T*)z + length * GetBlockIdx(), length);
        pipe_.InitBuffer(in_x_, 2, kTile * sizeof(T));
        pipe_.InitBuffer(in_y_, 2, kTile * sizeof(T));
        pipe_.InitBuffer(out_, 2, kTile * sizeof(T));
    }
    // The copy of the next tile is issued before the sum of this one.
    __aicore__ inline void Process() {
        CopyIn(0);
        for (uint32_t i = 0; i < tiles_; ++i) {
            if (i + 1 < tiles_) CopyIn(i + 1);
            Compute();
            CopyOut(i);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t i) {
        LocalTensor<T> x = in_x_.template AllocTensor<T>();
        LocalTensor<T> y = in_y_.template AllocTensor<T>();
        DataCopy(x, x_[i * kTile], kTile);
        DataCopy(y, y_[i * kTile], kTile);
        in_x_.EnQue(x);
        in_y_.EnQue(y);
    }
    __aicore__ inline void Compute() {
        LocalTensor<T> x = in_x_.template DeQue<T>();
        LocalTensor<T> y = in_y_.template DeQue<T>();
        LocalTensor<T> z = out_.template AllocTensor<T>();
        Add(z, x, y, kTile);
        out_.template EnQue<T>(z);
        in_x_.FreeTensor(x);
        in_y_.FreeTensor(y);
    }
    __aicore__ inline void CopyOut(uint32_t i) {
        LocalTensor<T> z = out_.template DeQue<T>();
        DataCopy(z_[i * kTile], z, kTile);
        out_.FreeTensor(z);
    }

    TPipe pipe_;
    TQue<QuePosition::VECIN, 2> in_x_, in_y_;
    TQue<QuePosition::VECOUT, 2> out_;
    GlobalTensor<T> x_, y_, z_;
    uint32_t tiles_ = 0;
};
template <class T>
__global__ __aicore__ void add_class(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    KernelAdd<T> op;
    op.Init(x, y, z);
    op.Process();
}

__global__ __aicore__ void bind_copy(GM_ADDR x, GM_ADDR y) {
    const uint32_t length = kTotal / static_cast<uint32_t>(GetBlockNum());
    GlobalTensor<int16_t> xg, yg;
    xg.SetGlobalBuffer((__gm__ int16_t*)x + length * GetBlockIdx(), length);
    yg.SetGlobalBuffer((__gm__ int16_t*)y + length * GetBlockIdx(), length);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> queue;
    pipe.InitBuffer(queue, 2, kTile * sizeof(int16_t));
    for (uint32_t i = 0; i < length / kTile; ++i) {
        auto tensor = queue.AllocTensor<int16_t>();
        DataCopy(tensor, xg[i * kTile], kTile);
        queue.EnQue(tensor);
        tensor = queue.DeQue<int16_t>();
        DataCopy(yg[i * kTile], tensor, kTile);
        queue.FreeTensor(tensor);
    }
}

// ((max(x * 3, min(x + 5, x)) + 7) - x) * x, in place and through a work buffer.
template <class T>
__global__ __aicore__ void chain(GM_ADDR x, GM_ADDR y) {
    OverTiles<T, T>(x, y, kTotal, kTile, kTile, [](LocalTensor<T>& out, LocalTensor<T>& in, TBuf<>& work_buffer) {
        LocalTensor<T> work = work_buffer.template Get<T>(kTile);
        Duplicate(work, static_cast<T>(7), kTile);
        Adds(out, in, static_cast<T>(5), kTile);
        Min(out, out, in, kTile);
        Add(work, work, out, kTile);
        Muls(out, in, static_cast<T>(3), kTile);
        Max(out, out, work, kTile);
        Sub(out, out, in, kTile);
        Mul(out, out, in, kTile);
    });
}

// The element type's own arithmetic: what a chip stores after each step.
template <class T>
struct Model {
    using Stored = T;
    static double Value(T v) { return static_cast<double>(v); }
    static T Store(double v) {
        if constexpr (std::is_integral_v<T>) {
            return static_cast<T>(std::clamp(v, static_cast<double>(std::numeric_limits<T>::min()),
                                             static_cast<double>(std::numeric_limits<T>::max())));
        } else {
            return static_cast<T>(v);
        }
    }
};
template <>
struct Model<half> {
    using Stored = uint16_t;
    static double Value(uint16_t v) { return HalfValue(v); }
    static uint16_t Store(double v) { return HalfBits(v); }
};

template <class T>
typename Model<T>::Stored ChainOf(typename Model<T>::Stored stored) {
    const auto kept = [](double v) { return Model<T>::Value(Model<T>::Store(v)); };
    const double x = Model<T>::Value(stored);
    const double low = kept(7 + std::min(kept(x + 5), x));
    const double best = std::max(kept(x * 3), low);
    return Model<T>::Store(kept(best - x) * x);
}

template <class T, class Kernel>
Program ElementWise(std::string name, std::vector<std::string> chips, const std::vector<typename Model<T>::Stored>& x,
                    Kernel kernel) {
    std::vector<typename Model<T>::Stored> y(x.size());
    std::transform(x.begin(), x.end(), y.begin(), ChainOf<T>);
    return {std::move(name), std::move(chips), {In(x), Out(y)}, [=](uint8_t* const* gm) { kernel(gm[0], gm[1]); }};
}

template <class T>
Program AddProgram(std::string name, std::vector<std::string> chips, const std::vector<typename Model<T>::Stored>& x,
                   const std::vector<typename Model<T>::Stored>& y) {
    std::vector<typename Model<T>::Stored> z(x.size());
    std::transform(x.begin(), x.end(), y.begin(), z.begin(),
                   [](auto a, auto b) { return Model<T>::Store(Model<T>::Value(a) + Model<T>::Value(b)); });
    return {std::move(name), std::move(chips), {In(x), In(y), Out(z)}, [](uint8_t* const* gm) {
                add_class<T>(gm[0], gm[1], gm[2]);
            }};
}

// Destroy ends the pipe; its buffers stay what they were until memory is handed out again. More TBufs than a position
// has buffers for queues.
__global__ __aicore__ void buffers_after_destroy(GM_ADDR x, GM_ADDR y) {
    constexpr int kBuffers = 12;
    const uint32_t length = kTotal / static_cast<uint32_t>(GetBlockNum());
    GlobalTensor<half> from, to;
    from.SetGlobalBuffer((__gm__ half*)x + length * GetBlockIdx(), length);
    to.SetGlobalBuffer((__gm__ half*)y + length * GetBlockIdx(), length);
    TBuf<TPosition::VECCALC> buffers[kBuffers];
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TPipe pipe;
    pipe.InitBuffer(in, 1, kTile * sizeof(half));
    pipe.InitBuffer(out, 1, kTile * sizeof(half));
    for (auto& buffer : buffers) pipe.InitBuffer(buffer, kTile * sizeof(half));
    LocalTensor<half> doubled = buffers[kBuffers - 2].Get<half>();
    LocalTensor<half> loaded = in.AllocTensor<half>();
    pipe.Destroy();
    for (uint32_t at = 0; at < length; at += kTile) {
        if (at != 0) loaded = in.AllocTensor<half>();
        DataCopy(loaded, from[at + kTile][-static_cast<int32_t>(kTile)], kTile);
        in.EnQue(loaded);
        loaded = in.DeQue<half>();
        LocalTensor<half> once = buffers[kBuffers - 1].Get<half>();
        Muls(once, loaded, static_cast<half>(1), static_cast<int32_t>(kTile));
        Muls(doubled, loaded, static_cast<half>(2), static_cast<int32_t>(kTile));
        PipeBarrier<PIPE_V>();
        LocalTensor<half> sum = out.AllocTensor<half>();
        Add(sum, doubled, once, static_cast<int32_t>(kTile));
        in.FreeTensor(loaded);
        out.EnQue(sum);
        sum = out.DeQue<half>();
        DataCopy(to[at], sum, kTile);
        out.FreeTensor(sum);
    }
}

}  // namespace

std::vector<Program> QueuePrograms() {
    std::vector<Program> programs;

    const auto numbers = Halves(kTotal, -900, 900, 0.25, 13);
    std::vector<uint16_t> tripled;
    for (const uint16_t bits : numbers) tripled.push_back(HalfBits(3 * HalfValue(bits)));
    programs.push_back({"buffers_after_destroy", kAllChips, {In(numbers), Out(tripled)}, [](uint8_t* const* gm) {
                            buffers_after_destroy(gm[0], gm[1]);
                        }});

    programs.push_back(AddProgram<half>("add_half", kAllChips, Halves(kTotal, -9000, 9000, 0.37, 2),
                                        Halves(kTotal, -9000, 9000, 0.011, 3)));
    programs.push_back(AddProgram<float>("add_float", kAllChips, Floats(kTotal, -900000, 900000, 0.37, 4),
                                         Floats(kTotal, -900000, 900000, 1e-6, 5)));
    programs.push_back(AddProgram<int32_t>("add_int32", kAllChips,
                                           Integers<int32_t>(kTotal, -2000000000, 2000000000, 6),
                                           Integers<int32_t>(kTotal, -2000000000, 2000000000, 7)));
    const auto words = Integers<int16_t>(kTotal, -32768, 32767, 8);
    programs.push_back(
        {"bind_copy", kAllChips, {In(words), Out(words)}, [](uint8_t* const* gm) { bind_copy(gm[0], gm[1]); }});

    programs.push_back(ElementWise<half>("chain_half", kAllChips, Halves(kTotal, -3000, 3000, 0.0731, 9), chain<half>));
    programs.push_back(
        ElementWise<float>("chain_float", kAllChips, Floats(kTotal, -300000, 300000, 0.0731, 10), chain<float>));
    programs.push_back(
        ElementWise<int16_t>("chain_int16", kNot910, Integers<int16_t>(kTotal, -20000, 20000, 11), chain<int16_t>));
    programs.push_back(
        ElementWise<int32_t>("chain_int32", kNot910, Integers<int32_t>(kTotal, -60000, 60000, 12), chain<int32_t>));
    return programs;
}

}  // namespace sfumato::frontends_test
