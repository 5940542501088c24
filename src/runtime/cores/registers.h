// SPDX-License-Identifier: Apache-2.0
// What the scalar unit of a core sets and later records snapshot.
#pragma once

#include <array>
#include <cstdint>

#include "isa/record.h"

namespace sfumato::runtime {

// SetLoadDataRepeat and SetFixpipeNz2ndFlag.
struct LoadRepeat {
    uint32_t stride = 0, times = 1, mode = 0;
};
struct FixpipeNd {
    uint32_t count = 1, src_stride = 0, dst_stride = 0;
};

// SetLoopModePara: moves between global memory and UB run once for each step of two loops (arch950.md 1.3).
struct LoopMode {
    struct Loop {
        uint64_t size = 1;
        uint64_t src_stride = 0, dst_stride = 0;  // bytes
    };
    bool on = false;
    Loop inner, outer;  // loop1, loop2
    Where where;
};

// What InitSocState and a TPipe set: the atomic mode; of separate cores also how the mask is read, its bits, and the
// pad value and boundary of Load3D.
enum State : uint8_t { kAtomicState = 1, kMaskModeState = 2, kMaskState = 4, kLoadState = 8 };

// What the scalar unit writes and later records snapshot.
struct Registers {
    std::array<uint64_t, 2> mask{~0ull, ~0ull};
    bool counter_mode = false;  // how the mask is read: as bits, or its low half as a number of elements
    isa::Control control;
    bool pad_value_set = false;
    uint64_t pad_value = 0;
    // The cube unit's (cube.md 3.6, 4, 5.3). Feature maps: [0] SetFmatrix LEFT, [1] RIGHT.
    std::array<isa::FeatureMap, 2> feature_map{};
    std::array<bool, 2> feature_map_set{};
    uint64_t load_pad = 0;
    uint32_t load_boundary = 0;  // in the unit of the instruction that reads it
    LoadRepeat load_repeat;
    bool hf32 = false, hf32_away = false;
    FixpipeNd fixpipe_nd;
    uint64_t fixpipe_quant = 0;
    uint16_t fixpipe_clip = 0;     // SetFixPipeClipRelu; 0 = never set
    isa::Operand fixpipe_words;    // SetFixPipeConfig; memory kNone = never set
    LoopMode loops_in, loops_out;  // of moves to UB, and out of it
    Where atomic_where;            // of the call that set control.atomic
    Where counter_where;           // of the one that set counter_mode
    Where mask_where;              // of the SetVectorMask whose mask is still there
    bool mask_counts = false;      // it was set in counter mode
    // Of State: what the kernel has not set so far, and what of that the vector call reads that is built.
    uint8_t unset = 0, unset_reads = 0;
    // The first record that depends on what the kernel has not set; state 0: none.
    struct UnsetRead {
        uint8_t state = 0;
        const char* call = "";
        Where where;
        uint64_t index = 0;
    } unset_read;

    // As InitSocState leaves them.
    void Begin(bool split_cores);
    // As a kernel before may have left them; dirty: with what such a one leaves.
    void BeginUnset(bool split_cores, bool dirty);
    void Set(uint8_t state) { unset &= static_cast<uint8_t>(~state); }
    // Notes what the record depends on and nobody has set; true when it is the first.
    bool ReadsUnset(const isa::Record& record);
};

}  // namespace sfumato::runtime
