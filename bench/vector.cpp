// SPDX-License-Identifier: Apache-2.0
// Instructions on data in UB, 255 repeats. Whole, with a mask of the first 32 elements, and strided: against the dense
// native loop, in elements written. With a mask of bits: against the loop with that mask.
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "kernel_operator.h"
#include "native.h"
#include "pairs.h"

namespace sfumato::bench {
namespace {

using AscendC::LocalTensor;
using AscendC::UnaryRepeatParams;

constexpr uint32_t kUbBytes = 192 * 1024;
constexpr uint32_t kRepeats = 255, kLanes = 64;  // 32-bit elements are the wider side everywhere here
constexpr uint32_t kElements = kRepeats * kLanes;
constexpr uint64_t kAll = ~uint64_t{0};  // a mask
constexpr int kCalls = 32;               // a run: long beside the clock, short beside a time slice

// Repeats of the tests' casts. kPrefix and kBits write 32 of 64 elements, kStrided every second block on both sides.
enum class Form { kWhole, kPrefix, kBits, kStrided };

// Any bit patterns, inf and NaN included, for the comparison of results; plain numbers for the timing.
template <class T>
void Fill(T* data, size_t n, bool special) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> number(-1000, 1000);
    for (size_t i = 0; i < n; ++i) {
        const uint32_t bits = static_cast<uint32_t>(random());
        const T value = T(number(random));
        std::memcpy(&data[i], special ? static_cast<const void*>(&bits) : static_cast<const void*>(&value), sizeof(T));
    }
}

// The bytes sfumato and the twin leave must be equal before their speed is compared.
bool SameBytes(benchmark::State& state, const std::function<void()>& ours, const std::function<void()>& native,
               void* dst, size_t bytes) {
    std::vector<uint8_t> expected(bytes);
    std::memset(dst, 0xFE, bytes);
    native();
    std::memcpy(expected.data(), dst, bytes);
    std::memset(dst, 0xFE, bytes);
    ours();
    if (std::memcmp(expected.data(), dst, bytes) == 0) return true;
    state.SkipWithError("the native twin computes another function");
    return false;
}

template <class T>
T* Data(const LocalTensor<T>& tensor) {
    return reinterpret_cast<T*>(tensor.GetPhyAddr());
}

// A layout in UB. Strides in blocks.
struct Layout {
    UnaryRepeatParams params;
    uint32_t dst_bytes, src_bytes;
};
template <class Dst, class Src>
Layout LayoutOf(Form form) {
    const uint32_t step = form == Form::kStrided ? 2 : 1;
    const uint32_t dst_blocks = kLanes * sizeof(Dst) / 32 * step, src_blocks = kLanes * sizeof(Src) / 32 * step;
    const auto stride = static_cast<uint16_t>(step);
    return {UnaryRepeatParams(stride, stride, static_cast<uint8_t>(dst_blocks), static_cast<uint8_t>(src_blocks)),
            kRepeats * dst_blocks * 32, kRepeats * src_blocks * 32};
}

template <class Dst, class Src>
void Cast(benchmark::State& state, Form form, double bound, void (*native_loop)(const Src*, Dst*, uint64_t mask)) {
    GlobalMemory memory;
    LaunchOrFail(state, 1, memory, [&] {
        const Layout layout = LayoutOf<Dst, Src>(form);
        AscendC::TPipe pipe;
        AscendC::TBuf<> buffer;
        pipe.InitBuffer(buffer, layout.dst_bytes + layout.src_bytes);
        const auto dst = buffer.GetWithOffset<Dst>(layout.dst_bytes / sizeof(Dst), 0);
        const auto src = buffer.GetWithOffset<Src>(layout.src_bytes / sizeof(Src), layout.dst_bytes);
        const uint64_t bits[2] = {form == Form::kBits ? 0x5555555555555555 : kAll, 0};
        const auto once = [&] {
            if (form == Form::kPrefix) {
                AscendC::Cast(dst, src, AscendC::RoundMode::CAST_RINT, kLanes / 2, kRepeats, layout.params);
            } else {
                AscendC::Cast(dst, src, AscendC::RoundMode::CAST_RINT, bits, kRepeats, layout.params);
            }
        };
        const auto native_once = [&] { native_loop(Data(src), Data(dst), bits[0]); };
        Fill(Data(src), layout.src_bytes / sizeof(Src), true);
        const bool same_function = form == Form::kWhole || form == Form::kBits;
        if (same_function && !SameBytes(state, once, native_once, Data(dst), layout.dst_bytes)) return;
        Fill(Data(src), layout.src_bytes / sizeof(Src), false);
        const double written = form == Form::kPrefix ? kElements / 2.0 : kElements;  // the twin's in the other forms
        const auto repeat = [](const auto& call) {
            return [&call] {
                for (int i = 0; i < kCalls; ++i) call();
            };
        };
        MeasurePairs(state, {Measure::kSpeed, bound}, Clock::kThread, {repeat(once), written},
                     {repeat(native_once), kElements}, kCalls);
    });
}

void FloatToHalf(const float* src, half* dst, uint64_t mask) {
    const Native& native = *FindNative();
    auto* bits = reinterpret_cast<uint16_t*>(dst);
    if (mask == kAll) return native.float_to_half(src, bits, kElements);
    native.float_to_half_masked(src, bits, kElements, mask);
}
void HalfToInt32(const half* src, int32_t* dst, uint64_t mask) {
    const Native& native = *FindNative();
    const auto* bits = reinterpret_cast<const uint16_t*>(src);
    if (mask == kAll) return native.half_to_int32(bits, dst, kElements);
    native.half_to_int32_masked(bits, dst, kElements, mask);
}

// Add and Adds of float on 255 repeats.
void Sum(benchmark::State& state, bool with_scalar) {
    GlobalMemory memory;
    LaunchOrFail(state, 1, memory, [&] {
        constexpr uint32_t kBytes = kElements * sizeof(float);
        static_assert(3 * kBytes <= kUbBytes);
        AscendC::TPipe pipe;
        AscendC::TBuf<> buffer;
        pipe.InitBuffer(buffer, 3 * kBytes);
        const auto dst = buffer.GetWithOffset<float>(kElements, 0), a = buffer.GetWithOffset<float>(kElements, kBytes),
                   b = buffer.GetWithOffset<float>(kElements, 2 * kBytes);
        const auto once = [&] {
            if (with_scalar) {
                AscendC::Adds(dst, a, 1.5f, kLanes, kRepeats, UnaryRepeatParams(1, 1, 8, 8));
            } else {
                AscendC::Add(dst, a, b, kLanes, kRepeats, AscendC::BinaryRepeatParams(1, 1, 1, 8, 8, 8));
            }
        };
        const Native& native = *FindNative();
        const auto native_once = [&] {
            if (with_scalar) {
                native.adds(Data(a), 1.5f, Data(dst), kElements);
            } else {
                native.add(Data(a), Data(b), Data(dst), kElements);
            }
        };
        for (const bool special : {true, false}) {
            Fill(Data(a), kElements, special);
            Fill(Data(b), kElements, false);
            if (!SameBytes(state, once, native_once, Data(dst), kBytes)) return;
        }
        MeasurePairs(state, {Measure::kSpeed, 0.7}, Clock::kThread,
                     {[&] {
                          for (int i = 0; i < kCalls; ++i) once();
                      },
                      kElements},
                     {[&] {
                          for (int i = 0; i < kCalls; ++i) native_once();
                      },
                      kElements},
                     kCalls);
    });
}

struct FormName {
    const char* name;
    Form form;
    double bound;
};
constexpr FormName kForms[] = {{"", Form::kWhole, 0.7},
                               {"_mask32", Form::kPrefix, 0.3},
                               {"_bits", Form::kBits, 0.3},
                               {"_strided", Form::kStrided, 0.3}};

[[maybe_unused]] const bool registered = [] {
    const auto add = [](const std::string& name, const std::function<void(benchmark::State&)>& body) {
        benchmark::RegisterBenchmark(name.c_str(), body)->UseManualTime()->MinTime(0.3);
    };
    for (const FormName& f : kForms) {
        add(std::string("cast_float_to_half") + f.name,
            [f](benchmark::State& s) { Cast<half, float>(s, f.form, f.bound, FloatToHalf); });
        add(std::string("cast_half_to_int32") + f.name,
            [f](benchmark::State& s) { Cast<int32_t, half>(s, f.form, f.bound, HalfToInt32); });
    }
    add("adds_float", [](benchmark::State& s) { Sum(s, true); });
    add("add_float", [](benchmark::State& s) { Sum(s, false); });
    return true;
}();

}  // namespace
}  // namespace sfumato::bench
