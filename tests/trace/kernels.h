// SPDX-License-Identifier: Apache-2.0
// Kernels whose timelines the tests look at.
#pragma once

#include <filesystem>
#include <string>

#include "kernel_operator.h"
#include "sfumato/launch.h"

namespace sfumato::test {

constexpr uint32_t kTile = 64;

struct Buffers {
    AscendC::TPipe pipe;
    AscendC::TBuf<> buffer;
    AscendC::LocalTensor<float> a, b;
    AscendC::GlobalTensor<float> gm;
    explicit Buffers(float* data) {
        pipe.InitBuffer(buffer, 2 * kTile * sizeof(float));
        a = buffer.Get<float>(kTile);
        b = buffer.GetWithOffset<float>(kTile, kTile * sizeof(float));
        gm.SetGlobalBuffer(data, 4 * kTile);
    }
};

// Two loads, which the vector unit follows, and a store.
inline void TwoTiles(float* data) {
    using namespace AscendC;
    Buffers x(data);
    DataCopy(x.a, x.gm, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    DataCopy(x.b, x.gm[kTile], kTile);
    SetFlag<HardEvent::MTE2_V>(1);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(x.a, x.a, 1.0f, kTile);
    WaitFlag<HardEvent::MTE2_V>(1);
    Adds(x.b, x.b, 1.0f, kTile);
    PipeBarrier<PIPE_ALL>();
    DataCopy(x.gm, x.a, kTile);
}

// The vector unit waits for a flag that nobody sets; the load behind it waits for the vector unit.
inline void NeverSet(float* data) {
    using namespace AscendC;
    Buffers x(data);
    DataCopy(x.a, x.gm, kTile);
    WaitFlag<HardEvent::MTE2_V>(3);
    Adds(x.a, x.a, 1.0f, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(x.gm, x.a, kTile);
}

// A copy of 20 bytes less than the tensor holds would do.
inline void Misaligned(float* data) {
    using namespace AscendC;
    Buffers x(data);
    DataCopy(x.a, x.gm, kTile);
    Adds(x.a[1], x.b, 1.0f, 8);
}

// Both vector cores of a launch meet, and one of them is late by two instructions.
inline void Meets(float* data) {
    using namespace AscendC;
    Buffers x(data + GetBlockIdx() * 2 * kTile);
    if (GetBlockIdx() == 1) {
        Duplicate(x.a, 1.0f, kTile);
        Adds(x.a, x.a, 1.0f, kTile);
    }
    SyncAll();
    DataCopy(x.gm, x.b, kTile);
}

inline LaunchOptions TraceOptions(const char* kernel) {
    LaunchOptions options;
    options.chip = "Ascend910B1";
    options.kernel = kernel;
    return options;
}

// A folder of its own, gone with it.
class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "sfumato-trace-XXXXXX").string();
        path_ = mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    std::string operator/(const std::string& name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

}  // namespace sfumato::test
