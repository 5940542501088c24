// SPDX-License-Identifier: Apache-2.0
// The front end of Fixpipe, the moves that change a layout, Fill and the bias and Fixpipe buffers: one small program for
// each call.
#include <gtest/gtest.h>

#include "frontends/kernels.h"
#include "support/tensor_at.h"

namespace sfumato::frontends_test {
namespace {

using namespace AscendC;

constexpr const char* kSchedules[] = {"eager", "late", "ahead", "seed:7"};
constexpr int kSide = 32;
constexpr int kElements = kSide * kSide;

// Buffers of every memory the chip has, all steps apart: the order is another test's.
template <class T>
LocalTensor<T> At(TPosition position, uint32_t offset, uint32_t count) {
    return TensorAt<T>(position, offset, count);
}
void Step() { PipeBarrier<PIPE_ALL>(); }

// L0C = A: A (32 x 32, values of X by row and column) times the identity.
template <class T, class C>
LocalTensor<C> MatrixInL0C(GM_ADDR const* gm) {
    constexpr uint32_t kFractals = kElements * sizeof(T) / 512;
    GlobalTensor<T> a, one;
    a.SetGlobalBuffer((__gm__ T*)gm[0], kElements);
    one.SetGlobalBuffer((__gm__ T*)gm[1], kElements);
    auto l1 = At<T>(TPosition::A1, 0, 2 * kElements);
    auto a2 = At<T>(TPosition::A2, 0, kElements), b2 = At<T>(TPosition::B2, 0, kElements);
    auto c = At<C>(TPosition::CO1, 0, kElements);
    DataCopy(l1, a, kElements);
    DataCopy(l1[kElements], one, kElements);
    Step();
    LoadData(a2, l1, LoadData2DParams(0, kFractals, 1, 0, 0, false, 0));
    LoadData(b2, l1[kElements], LoadData2DParams(0, kFractals, 1, 0, 0, false, 0));
    Step();
    Mmad(c, a2, b2, MmadParams(kSide, kSide, kSide, false, 0, false, false, false));
    Step();
    return c;
}

int X(int row, int column) { return (row * 37 + column * 11) % 101 - 50; }

struct Launched {
    LaunchResult result;
    Bytes out;
    template <class T>
    T Get(size_t i) const {
        T value;
        std::memcpy(&value, out.data() + i * sizeof(T), sizeof(T));
        return value;
    }
};

Bytes HalfMatrix(bool identity) {
    Bytes bytes(kElements * 2);
    for (int i = 0; i < kSide; ++i) {
        for (int j = 0; j < kSide; ++j) {
            const uint16_t bits = HalfBits(identity ? i == j : X(i, j));
            // Zz of A, Zn of B: the identity lies the same in both.
            std::memcpy(&bytes[2 * static_cast<size_t>((i / 16 * 2 + j / 16) * 256 + i % 16 * 16 + j % 16)], &bits, 2);
        }
    }
    return bytes;
}
Bytes ByteMatrix(bool identity) {
    Bytes bytes(kElements);
    for (int i = 0; i < kSide; ++i) {
        for (int j = 0; j < kSide; ++j) {
            bytes[static_cast<size_t>(i / 16 * 512 + i % 16 * 32 + j)] =
                static_cast<uint8_t>(identity ? i == j : X(i, j));
        }
    }
    return bytes;
}

// gm: [0] and [1] the inputs, [2] the output of 8 KiB, [3] 256 bytes of parameters.
Launched Execute(const char* chip, const std::string& schedule, const Bytes& a, const Bytes& b, const Bytes& extra,
             const std::function<void(GM_ADDR const*)>& kernel, bool cube = true) {
    GlobalMemory memory;
    const Bytes out(8192, kFill);
    std::vector<uint8_t*> gm;
    const Bytes* contents[] = {&a, &b, &out, &extra};
    for (const Bytes* bytes : contents) {
        gm.push_back(memory.Allocate(std::max<size_t>(bytes->size(), 256), "gm" + std::to_string(gm.size())));
        if (!bytes->empty()) std::memcpy(gm.back(), bytes->data(), bytes->size());
    }
    LaunchOptions options;
    options.chip = chip;
    options.schedule = schedule;
    if (cube && options.chip == "Ascend910B") options.core = CoreChoice::kCube;
    Launched run;
    run.result = Launch(options, 1, memory, [&] { kernel(gm.data()); });
    run.out.assign(gm[2], gm[2] + out.size());
    return run;
}

void ExpectQuiet(const Launched& run, const std::string& schedule) {
    EXPECT_TRUE(Quiet(run.result)) << schedule << "\n" << run.result.findings.front().Text();
}

template <class T>
GlobalTensor<T> Out(GM_ADDR const* gm) {
    GlobalTensor<T> out;
    out.SetGlobalBuffer((__gm__ T*)gm[2], 8192 / sizeof(T));
    return out;
}

TEST(CubeMoves, FixpipeRowMajorAndNz) {
    for (const char* schedule : kSchedules) {
        // 20 columns of 32, rows 24 elements apart.
        const auto rows = Execute("Ascend910B", schedule, HalfMatrix(false), HalfMatrix(true), {}, [](GM_ADDR const* gm) {
            auto c = MatrixInL0C<half, float>(gm);
            Fixpipe(Out<float>(gm), c, FixpipeParamsV220(20, kSide, kSide, 24, true));
        });
        ExpectQuiet(rows, schedule);
        for (int i = 0; i < kSide; ++i) {
            for (int j = 0; j < 20; ++j) {
                ASSERT_EQ(rows.Get<float>(static_cast<size_t>(i * 24 + j)), static_cast<float>(std::max(0, X(i, j))));
            }
        }
        const auto nz = Execute("Ascend910B", schedule, HalfMatrix(false), HalfMatrix(true), {}, [](GM_ADDR const* gm) {
            auto c = MatrixInL0C<half, float>(gm);
            FixpipeParamsV220 params(kSide, kSide, kSide, kSide, false);
            params.quantPre = QuantMode_t::F322F16;
            Fixpipe<half, float, CFG_NZ>(Out<half>(gm), c, params);
        });
        ExpectQuiet(nz, schedule);
        for (int i = 0; i < kSide; ++i) {
            for (int j = 0; j < kSide; ++j) {
                ASSERT_EQ(nz.Get<uint16_t>(static_cast<size_t>(j / 16 * 512 + i * 16 + j % 16)), HalfBits(X(i, j)));
            }
        }
    }
}

Bytes ScaleWords() {
    Bytes bytes(kSide * 8);
    for (int j = 0; j < kSide; ++j) {
        const float scale = j % 2 ? 0.5f : 2.0f;
        std::memcpy(&bytes[static_cast<size_t>(j) * 8], &scale, 4);
    }
    return bytes;
}

// One word a column: as cbufWorkspace in L1, and in the Fixpipe buffer through the registers of DataCopy.
TEST(CubeMoves, VectorQuantisationFromL1AndFromTheFixpipeBuffer) {
    for (const bool by_registers : {false, true}) {
        for (const char* schedule : kSchedules) {
            const auto run = Execute("Ascend910B", schedule, ByteMatrix(false), ByteMatrix(true), ScaleWords(),
                                 [by_registers](GM_ADDR const* gm) {
                                     auto c = MatrixInL0C<int8_t, int32_t>(gm);
                                     GlobalTensor<uint64_t> words_gm;
                                     words_gm.SetGlobalBuffer((__gm__ uint64_t*)gm[3], kSide);
                                     auto words = At<uint64_t>(TPosition::A1, 65536, kSide);
                                     DataCopy(words, words_gm, kSide);
                                     Step();
                                     if (!by_registers) {
                                         FixpipeParamsV220 params(kSide, kSide, kSide, kSide, false);
                                         params.quantPre = QuantMode_t::VDEQF16;
                                         Fixpipe(Out<half>(gm), c, words, params);
                                         return;
                                     }
                                     auto table = At<uint64_t>(TPosition::C2PIPE2GM, 0, kSide);
                                     DataCopy(table, words, DataCopyParams(1, 2, 0, 0));
                                     Step();
                                     SetFixPipeConfig(table);
                                     SetFixpipeNz2ndFlag(1, 1, 1);
                                     DataCopy(Out<half>(gm), c,
                                              DataCopyCO12DstParams(kSide, kSide, kSide, kSide, VDEQF16, 0, false, true));
                                 });
            ExpectQuiet(run, schedule);
            for (int i = 0; i < kSide; ++i) {
                for (int j = 0; j < kSide; ++j) {
                    const float want = static_cast<float>(X(i, j)) * (j % 2 ? 0.5f : 2.0f);
                    ASSERT_EQ(run.Get<uint16_t>(static_cast<size_t>(i * kSide + j)), half(want).bits()) << i << ' ' << j;
                }
            }
        }
    }
}

TEST(CubeMoves, ScalarQuantisationFromTheRegister) {
    const auto run = Execute("Ascend910B", "late", ByteMatrix(false), ByteMatrix(true), {}, [](GM_ADDR const* gm) {
        auto c = MatrixInL0C<int8_t, int32_t>(gm);
        SetFixpipePreQuantFlag(0x3F000000);  // 0.5
        SetFixpipeNz2ndFlag(2, 1, 512);      // the two halves of the rows, as matrices of 16 x 32
        DataCopy(Out<half>(gm), c, DataCopyCO12DstParams(kSide, 16, kSide, kSide, DEQF16, 0, false, true));
    });
    ExpectQuiet(run, "late");
    for (int i = 0; i < kSide; ++i) {
        for (int j = 0; j < kSide; ++j) {
            ASSERT_EQ(run.Get<uint16_t>(static_cast<size_t>(i * kSide + j)),
                      half(static_cast<float>(X(i, j)) * 0.5f).bits());
        }
    }
}

// L1 to UB: 8 blocks of 64 bytes, every second of L1, with a gap of a block in UB.
TEST(CubeMoves, L1ToUb) {
    Bytes in(1024);
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint8_t>(i / 32 + 1);
    for (const char* schedule : kSchedules) {
        const auto run = Execute("Ascend310P", schedule, in, {}, {}, [](GM_ADDR const* gm) {
            GlobalTensor<int8_t> from;
            from.SetGlobalBuffer((__gm__ int8_t*)gm[0], 1024);
            auto l1 = At<int8_t>(TPosition::A1, 0, 1024), ub = At<int8_t>(TPosition::VECIN, 0, 1024);
            Duplicate(ub.ReinterpretCast<int16_t>(), static_cast<int16_t>(0), 512);
            DataCopy(l1, from, 1024);
            Step();
            DataCopy(ub, l1, DataCopyParams(8, 2, 2, 1));
            Step();
            DataCopy(Out<int8_t>(gm), ub, 1024);
        });
        ExpectQuiet(run, schedule);
        for (size_t i = 0; i < 1024; ++i) {
            const size_t block = i / 96, within = i % 96;
            const size_t expected = block < 8 && within < 64 ? (block * 128 + within) / 32 + 1 : 0;
            ASSERT_EQ(run.out[i], expected) << schedule << " byte " << i;
        }
    }
}

// CO1 to UB on chips without Fixpipe: float to half with ReLU, int32_t to half by deqValue and by SetDeqScale.
TEST(CubeMoves, TensorMove) {
    DataCopyEnhancedParams matrix;
    matrix.blockMode = BlockMode::BLOCK_MODE_MATRIX;
    const auto nz = [](const Launched& run, int i, int j) {
        return run.Get<uint16_t>(static_cast<size_t>(j / 16 * 512 + i * 16 + j % 16));
    };
    for (const char* schedule : kSchedules) {
        const auto relu = Execute("Ascend310P", schedule, HalfMatrix(false), HalfMatrix(true), {}, [=](GM_ADDR const* gm) {
            auto c = MatrixInL0C<half, float>(gm);
            auto ub = At<half>(TPosition::CO2, 0, kElements);
            DataCopyEnhancedParams enhanced = matrix;
            enhanced.isRelu = true;
            DataCopy(ub, c, DataCopyParams(1, 4, 0, 0), enhanced);
            Step();
            DataCopy(Out<half>(gm), ub, kElements);
        });
        ExpectQuiet(relu, schedule);
        for (int i = 0; i < kElements; ++i) {
            ASSERT_EQ(nz(relu, i / kSide, i % kSide), HalfBits(std::max(0, X(i / kSide, i % kSide))));
        }
        for (const bool by_register : {false, true}) {
            const auto scaled =
                Execute("Ascend310P", schedule, ByteMatrix(false), ByteMatrix(true), {}, [=](GM_ADDR const* gm) {
                    auto c = MatrixInL0C<int8_t, int32_t>(gm);
                    auto ub = At<half>(TPosition::CO2, 0, kElements);
                    DataCopyEnhancedParams enhanced = matrix;
                    enhanced.deqScale = DeqScale::DEQ;
                    if (by_register) SetDeqScale(half(0.5f));
                    else
                        enhanced.deqValue = half(0.5f).bits();
                    DataCopy(ub, c, DataCopyParams(1, 4, 0, 0), enhanced);
                    Step();
                    DataCopy(Out<half>(gm), ub, kElements);
                });
            ExpectQuiet(scaled, schedule);
            for (int i = 0; i < kElements; ++i) {
                ASSERT_EQ(nz(scaled, i / kSide, i % kSide),
                          half(static_cast<float>(X(i / kSide, i % kSide)) * 0.5f).bits());
            }
        }
    }
}

// As on the page of BroadCastVecToMM: a row of 32 becomes Nz rows of 32 x 32, here by one call with gaps on both sides,
// and by one for each fractal.
TEST(CubeMoves, BroadcastOfARow) {
    Bytes bias(kSide * sizeof(float));
    for (int j = 0; j < kSide; ++j) {
        const float value = static_cast<float>(j * j - 100);
        std::memcpy(&bias[static_cast<size_t>(j) * sizeof(float)], &value, sizeof(float));
    }
    for (const bool by_fractals : {false, true}) {
        const auto run = Execute("Ascend310P", "late", bias, {}, {}, [by_fractals](GM_ADDR const* gm) {
            GlobalTensor<float> row;
            row.SetGlobalBuffer((__gm__ float*)gm[0], kSide);
            auto ub = At<float>(TPosition::VECIN, 0, 2 * kSide), result = At<float>(TPosition::CO2, 256, kElements);
            auto c = At<float>(TPosition::CO1, 0, kElements);
            DataCopy(ub, row, {2, 2, 0, 1});  // 16 elements, 32 bytes apart
            Step();
            if (by_fractals) {
                for (uint32_t j = 0; j < 4; ++j) BroadCastVecToMM(c[j * 256], ub[j / 2 * 24], 1, 1, 0, 0);
            } else {
                BroadCastVecToMM(c, ub, 2, 1, 1, 1);
                BroadCastVecToMM(c[256], ub, 2, 1, 1, 1);
            }
            Step();
            DataCopyEnhancedParams matrix;
            matrix.blockMode = BlockMode::BLOCK_MODE_MATRIX;
            DataCopy(result, c, DataCopyParams(1, 4, 0, 0), matrix);
            Step();
            DataCopy(Out<float>(gm), result, kElements);
        });
        ExpectQuiet(run, "late");
        for (int i = 0; i < kElements; ++i) {
            const int column = i / 512 * 16 + i % 16;
            ASSERT_EQ(run.Get<float>(static_cast<size_t>(i)), static_cast<float>(column * column - 100)) << i;
        }
    }
}

Bytes Rows(int n, int d) {
    Bytes bytes(static_cast<size_t>(n * d) * 2);
    for (size_t i = 0; i < bytes.size() / 2; ++i) {
        const auto value = static_cast<uint16_t>(i);
        std::memcpy(&bytes[2 * i], &value, 2);
    }
    return bytes;
}

TEST(CubeMoves, RowsToFractalsAndBack) {
    for (const char* schedule : kSchedules) {
        // 5 rows of 20: two columns of fractals, the second with a zero tail.
        const auto nd2nz = Execute("Ascend910B", schedule, Rows(5, 20), {}, {}, [](GM_ADDR const* gm) {
            GlobalTensor<half> rows;
            rows.SetGlobalBuffer((__gm__ half*)gm[0], 100);
            auto l1 = At<half>(TPosition::A1, 0, 512);
            InitConstValue(l1, {1, 32, 0, half(0)});
            Step();
            DataCopy(l1, rows, Nd2NzParams{1, 5, 20, 0, 20, 16, 1, 0});
            Step();
            DataCopy(Out<half>(gm), l1, 512);
        });
        ExpectQuiet(nd2nz, schedule);
        for (int i = 0; i < 512; ++i) {
            const int row = i % 256 / 16, column = i / 256 * 16 + i % 16;
            ASSERT_EQ(nd2nz.Get<uint16_t>(static_cast<size_t>(i)), row < 5 && column < 20 ? row * 20 + column : 0) << i;
        }
        const auto nz2nd = Execute("Ascend910B", schedule, Rows(16, 32), {}, {}, [](GM_ADDR const* gm) {
            GlobalTensor<half> fractals;
            fractals.SetGlobalBuffer((__gm__ half*)gm[0], 512);
            auto ub = At<half>(TPosition::VECOUT, 0, 512);
            DataCopy(ub, fractals, 512);
            Step();
            DataCopy(Out<half>(gm), ub, Nz2NdParamsFull(1, 16, 32, 1, 16, 32, 1));
        }, false);
        ExpectQuiet(nz2nd, schedule);
        for (int i = 0; i < 512; ++i) {
            ASSERT_EQ(nz2nd.Get<uint16_t>(static_cast<size_t>(i)), i % 32 / 16 * 256 + i / 32 * 16 + i % 16);
        }
    }
}

TEST(CubeMoves, FillWithBlocksAndGaps) {
    const auto run = Execute("Ascend910B", "late", {}, {}, {}, [](GM_ADDR const* gm) {
        auto l1 = At<uint16_t>(TPosition::A1, 0, 128);
        Fill(l1, {1, 8, 0, uint16_t{7}});
        Step();
        Fill(l1, {2, 1, 2, uint16_t{9}});  // blocks 0 and 3
        Step();
        DataCopy(Out<uint16_t>(gm), l1, 128);
    });
    ExpectQuiet(run, "late");
    for (size_t i = 0; i < 128; ++i) ASSERT_EQ(run.Get<uint16_t>(i), i / 16 % 8 == 0 || i / 16 == 3 ? 9 : 7) << i;

    // 512 bytes a repeat, whatever else is given: two fractals of 2 times two of 3.
    const auto old = Execute("Ascend310P", "late", {}, {}, {}, [](GM_ADDR const* gm) {
        auto a2 = At<half>(TPosition::A2, 0, 512), b2 = At<half>(TPosition::B2, 0, 512);
        auto c = At<float>(TPosition::CO1, 0, 256), ub = At<float>(TPosition::CO2, 0, 256);
        Fill(a2, {2, half(2)});
        Fill(b2, {2, 1, 1, half(3)});
        Step();
        Mmad(c, a2, b2, MmadParams(16, 16, 32, false, 0, false, false, false));
        Step();
        DataCopyEnhancedParams matrix;
        matrix.blockMode = BlockMode::BLOCK_MODE_MATRIX;
        DataCopy(ub, c, DataCopyParams(1, 1, 0, 0), matrix);
        Step();
        DataCopy(Out<float>(gm), ub, 256);
    });
    ASSERT_EQ(old.result.findings.size(), 1u) << old.result.findings.back().Text();
    EXPECT_EQ(old.result.findings[0].rule, "fill-blocks-ignored");
    for (size_t i = 0; i < 256; ++i) ASSERT_EQ(old.Get<float>(i), 192.0f) << i;
}

// half widens to float on the way to the bias table; the length counts what the table receives.
TEST(CubeMoves, BiasWidens) {
    Bytes bias(kSide * 2);
    for (int j = 0; j < kSide; ++j) {
        const uint16_t bits = HalfBits(j * 3 - 40);
        std::memcpy(&bias[static_cast<size_t>(j) * 2], &bits, 2);
    }
    for (const char* schedule : kSchedules) {
        const auto run = Execute("Ascend910B", schedule, HalfMatrix(false), HalfMatrix(true), bias, [](GM_ADDR const* gm) {
            GlobalTensor<half> bias_gm;
            bias_gm.SetGlobalBuffer((__gm__ half*)gm[3], kSide);
            auto c1 = At<half>(TPosition::C1, 65536, kSide);
            auto c2 = At<float>(TPosition::C2, 0, kSide);
            DataCopy(c1, bias_gm, kSide);
            Step();
            DataCopy(c2, c1, DataCopyParams(1, 2, 0, 0));
            Step();
            auto c = MatrixInL0C<half, float>(gm);
            Mmad(c, At<half>(TPosition::A2, 0, kElements), At<half>(TPosition::B2, 0, kElements), c2,
                 MmadParams(kSide, kSide, kSide, 0, false, false));
            Step();
            Fixpipe(Out<float>(gm), c, FixpipeParamsV220(kSide, kSide, kSide, kSide, false));
        });
        ExpectQuiet(run, schedule);
        for (int i = 0; i < kElements; ++i) {
            ASSERT_EQ(run.Get<float>(static_cast<size_t>(i)),
                      static_cast<float>(X(i / kSide, i % kSide) + i % kSide * 3 - 40));
        }
    }
}

// The cube core adds what leaves L0C to what is in global memory.
TEST(CubeMoves, FixpipeAdds) {
    const auto run = Execute("Ascend910B", "seed:3", HalfMatrix(false), HalfMatrix(true), {}, [](GM_ADDR const* gm) {
        auto c = MatrixInL0C<half, float>(gm);
        const FixpipeParamsV220 params(kSide, kSide, kSide, kSide, false);
        Fixpipe(Out<float>(gm), c, params);
        Step();
        SetAtomicAdd<float>();
        Fixpipe(Out<float>(gm), c, params);
        Fixpipe(Out<float>(gm), c, params);
        SetAtomicNone();
    });
    ExpectQuiet(run, "seed:3");
    for (int i = 0; i < kElements; ++i) {
        ASSERT_EQ(run.Get<float>(static_cast<size_t>(i)), static_cast<float>(3 * X(i / kSide, i % kSide)));
    }
}

}  // namespace
}  // namespace sfumato::frontends_test
