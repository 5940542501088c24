// SPDX-License-Identifier: Apache-2.0
// Runs an instruction on data whose elements are numbered, and reads from the destination which element came where.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "kernel_operator.h"
#include "sfumato/launch.h"

namespace sfumato::command {

// What an element of the destination holds: the number of a source element plus 1, or one of these.
namespace tag {
constexpr uint32_t kZero = 0;
constexpr uint32_t kUnwritten = 0xFDFDFD;
constexpr uint32_t kUndefined = 0xFEFEFE;  // the fill pattern of bytes the documentation leaves open
constexpr uint32_t kPad = 0xFFFFFF;
}  // namespace tag

struct TagRun {
    std::string chip;
    DataType type = DataType::kHalf;
    uint64_t source = 0;       // elements
    uint64_t destination = 0;  // elements
    AscendC::TPosition to = AscendC::TPosition::A2;
};

struct Tags {
    std::vector<uint32_t> of;  // each element of the destination
    LaunchResult result;
};

// An element's padding value that reads as tag::kPad.
template <class T>
T PadTag() {
    return ascendc::FromBits<T>(~uint64_t{0});
}
// Calls of the picture's program stand in no file of the user's.
constexpr Where kNowhere = {"", 0};

// Runs `kernel` in three passes, each with one byte of the numbers in global memory (all bytes of an element hold the
// same), and joins what they leave in the destination. It is empty when there is a fault.
Tags JoinPasses(const TagRun& run, const std::function<void(uint8_t* gm, uint8_t* destination)>& kernel);

template <class Call>
auto WithType(DataType type, const Call& call) {
    switch (type) {
        case DataType::kInt8: return call(int8_t());
        case DataType::kUint8: return call(uint8_t());
        case DataType::kInt16: return call(int16_t());
        case DataType::kUint16: return call(uint16_t());
        case DataType::kBfloat16: return call(bfloat16_t());
        case DataType::kInt32: return call(int32_t());
        case DataType::kUint32: return call(uint32_t());
        case DataType::kFloat: return call(float());
        default: return call(half());
    }
}

// instruction(dst, src): tensors of the run's type. The source lies in global memory or in L1.
template <bool from_gm, class Instruction>
Tags RunTagged(const TagRun& run, const Instruction& instruction) {
    return JoinPasses(run, [&](uint8_t* gm, uint8_t* out) {
        WithType(run.type, [&]<class T>(T) {
            using namespace AscendC;
            GlobalTensor<T> source;
            source.SetGlobalBuffer(reinterpret_cast<T*>(gm), run.source);
            const uint32_t written = static_cast<uint32_t>(run.destination);
            LocalTensor<T> destination(run.to, 0, written, kNowhere);
            if constexpr (from_gm) {
                instruction(destination, source);
            } else {
                const uint32_t loaded = static_cast<uint32_t>(run.source);
                LocalTensor<T> l1(TPosition::A1, 0, loaded, kNowhere);
                DataCopy(l1, source, loaded, kNowhere);
                PipeBarrier<PIPE_ALL>(kNowhere);
                instruction(destination, l1);
            }
            PipeBarrier<PIPE_ALL>(kNowhere);
            std::memcpy(out, reinterpret_cast<const void*>(destination.GetPhyAddr()), run.destination * sizeof(T));
        });
    });
}

}  // namespace sfumato::command
