// SPDX-License-Identifier: Apache-2.0
// Tiling as kernels read it: every macro, what is registered, keys, the definitions of the host, workspaces.
#include <gtest/gtest.h>

#include <cstring>

#include "kernel_operator.h"
#include "register/tilingdata_base.h"
#include "sfumato/launch.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(Inner)
TILING_DATA_FIELD_DEF(uint8_t, small);
TILING_DATA_FIELD_DEF(int64_t, large);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(InnerOp, Inner)

BEGIN_TILING_DATA_DEF(AddTilingData)
TILING_DATA_FIELD_DEF(uint16_t, rows)
TILING_DATA_FIELD_DEF(float, scale)
TILING_DATA_FIELD_DEF_ARR(uint32_t, 3, sizes)
TILING_DATA_FIELD_DEF_STRUCT(Inner, inner)
TILING_DATA_FIELD_DEF(uint8_t, last)
END_TILING_DATA_DEF  // as many projects have it, without a semicolon
REGISTER_TILING_DATA_CLASS(Add, AddTilingData);
}  // namespace optiling

namespace sfumato {
namespace {

using namespace AscendC;

struct Plain {
    uint32_t count;
    float factors[3];
    struct Part {
        uint16_t low, high;
    } part;
};

// Runs a kernel on `bytes` of tiling and returns the words it writes to its output.
template <class Kernel>
std::vector<int64_t> Words(const void* tiling, uint64_t bytes, const Kernel& kernel, uint64_t key = 0) {
    GlobalMemory memory;
    uint8_t* in = memory.Allocate(bytes, "tiling", tiling);
    auto* out = reinterpret_cast<int64_t*>(memory.Allocate(8 * sizeof(int64_t), "out"));
    std::memset(out, 0, 8 * sizeof(int64_t));
    LaunchOptions options;
    options.chip = "Ascend910B1";
    options.tiling_key = key;
    options.strict = true;
    const LaunchResult result = Launch(options, 1, memory, std::function<void()>([&] { kernel(in, out); }));
    for (const Report& report : result.findings) ADD_FAILURE() << report.Text();
    return std::vector<int64_t>(out, out + 8);
}

constexpr Plain kPlain = {7, {1, 2, 3}, {40, 50}};
template <class Kernel>
std::vector<int64_t> OfPlain(const Kernel& kernel) {
    return Words(&kPlain, sizeof kPlain, kernel);
}

TEST(Tiling, EveryGetter) {
    EXPECT_EQ(OfPlain([](GM_ADDR tiling, int64_t* out) {
                  GET_TILING_DATA_WITH_STRUCT(Plain, data, tiling);
                  data.count += 1;  // a copy of the kernel's own
                  GET_TILING_DATA_WITH_STRUCT(Plain, again, tiling);
                  GET_TILING_DATA_MEMBER(Plain, factors, factors, tiling);
                  factors[0] = 9;
                  GET_TILING_DATA_PTR_WITH_STRUCT(Plain, pointer, tiling);
                  COPY_TILING_WITH_STRUCT(Plain::Part, &pointer->part, part);
                  COPY_TILING_WITH_ARRAY(float, 3, pointer->factors, copied);
                  part->low = 1;
                  out[0] = data.count, out[1] = again.count, out[2] = static_cast<int64_t>(factors[0] + factors[2]);
                  out[3] = pointer->count, out[4] = part->low + part->high, out[5] = pointer->part.low;
                  out[6] = static_cast<int64_t>((*copied)[0] + (*copied)[2]);
              }),
              (std::vector<int64_t>{8, 7, 12, 7, 51, 40, 4, 0}));
}

extern "C" void sfumato_test_tiling_default(GM_ADDR tiling, int64_t* out) {
    REGISTER_TILING_DEFAULT(Plain);
    GET_TILING_DATA(data, tiling);
    static_assert(std::is_same_v<decltype(data), Plain>);
    out[0] = data.part.high;
}

TEST(Tiling, DefaultsOfTwoKernels) {
    EXPECT_EQ(OfPlain(sfumato_test_tiling_default)[0], 50);
    EXPECT_EQ(OfPlain([](GM_ADDR tiling, int64_t* out) {
                  REGISTER_TILING_DEFAULT(Plain::Part);
                  GET_TILING_DATA(data, tiling);
                  static_assert(std::is_same_v<decltype(data), Plain::Part>);
                  out[0] = data.low;
              })[0],
              7);
}

TEST(Tiling, ConditionsOfKeys) {
    using tiling::KeyExpression;
    const struct {
        const char* text;
        uint64_t key, value;
    } cases[] = {
        {"TILING_KEY_VAR == 2", 2, 1},
        {"(TILING_KEY_VAR == 2)", 3, 0},
        {"TILING_KEY_VAR & 6 == 2", 6, 0},  // == before &, as in C
        {"(TILING_KEY_VAR & 6) == 2", 2, 1},
        {"TILING_KEY_VAR % 10 / 2 * 3 - 1", 17, 8},
        {"10 - 3 - 2", 0, 5},
        {"1 << 3 >> 1 | 1", 0, 5},
        {"TILING_KEY_VAR > 1 && TILING_KEY_VAR <= 0x1fUL || !TILING_KEY_VAR", 0x1F, 1},
        {"~TILING_KEY_VAR ^ 1", ~uint64_t{0}, 1},
        {"TILING_KEY_VAR != 10000000000000000001", 10000000000000000001u, 0},
        {"1 < 2 == 1", 0, 1},
        {"-1 == 0xFFFFFFFFFFFFFFFF", 0, 1},
    };
    for (const auto& c : cases) EXPECT_EQ(KeyExpression::Evaluate(c.text, c.key), c.value) << c.text;
    for (const char* wrong : {"", "TILING_KEY_VAR ==", "(1", "1)", "1 2", "x", "1 / 0", "1 << 64", "1 ? 2 : 3"})
        EXPECT_THROW(KeyExpression::Evaluate(wrong, 0), const char*) << wrong;
}

TEST(Tiling, Keys) {
    const auto kernel = [](GM_ADDR, int64_t* out) {
        if (TILING_KEY_IS(1)) {
            out[0] = 1;
        } else if TILING_KEY_IS(10000000000000000002UL) {
            out[0] = 2;
        }
        out[1] = TILING_KEY_IS(1) || TILING_KEY_IS(10000000000000000002UL);
        out[2] = static_cast<int64_t>(g_tilingKey % 10);
        out[3] = static_cast<int64_t>(TILING_KEY_VAR % 10);
    };
    EXPECT_EQ(Words("", 0, kernel, 1), (std::vector<int64_t>{1, 1, 1, 1, 0, 0, 0, 0}));
    EXPECT_EQ(Words("", 0, kernel, 10000000000000000002u), (std::vector<int64_t>{2, 1, 2, 2, 0, 0, 0, 0}));
}

void MixedKernel(GM_ADDR out) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    if ASCEND_IS_AIC out[0] = TILING_KEY_LIST(4, 6) ? 1 : 2;
}
void VectorKernel(GM_ADDR out) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    out[0] = TILING_KEY_LIST(4, 6) ? 1 : 2;
}

TEST(Tiling, KeyList) {
    GlobalMemory memory;
    uint8_t* out = memory.Allocate(32, "out");
    LaunchOptions options;
    options.chip = "Ascend910B1";
    options.kernel = "MixedKernel";
    for (const uint64_t key : {4, 6}) {
        options.tiling_key = key;
        out[0] = 0;
        EXPECT_TRUE(Launch(options, 1, memory, MixedKernel, out).ok());
        EXPECT_EQ(out[0], 1) << key;
    }
    options.kernel = "VectorKernel";
    const LaunchResult refused = Launch(options, 1, memory, VectorKernel, out);
    ASSERT_EQ(refused.findings.size(), 1u);
    EXPECT_EQ(refused.findings[0].rule, "tiling-key-list");
    EXPECT_EQ(refused.findings[0].found, "a kernel type with one kind of core");
}

// framework.md 4.6: fields at their natural alignment, the whole padded to 8.
TEST(Tiling, LayoutOfTheHostsDefinitions) {
    using optiling::AddTilingData;
    EXPECT_EQ(sizeof(optiling::Inner), 16u);
    EXPECT_EQ(offsetof(AddTilingData, scale), 4u);
    EXPECT_EQ(offsetof(AddTilingData, sizes), 8u);
    EXPECT_EQ(offsetof(AddTilingData, inner), 24u);
    EXPECT_EQ(offsetof(AddTilingData, last), 40u);
    EXPECT_EQ(sizeof(AddTilingData), 48u);
}

TEST(Tiling, SavedByTheHostReadByTheKernel) {
    optiling::AddTilingData host;
    host.set_rows(3);
    host.set_scale(2.5f);
    const uint32_t sizes[] = {10, 20, 30};
    host.set_sizes(sizes);
    host.inner.set_large(-5);
    EXPECT_EQ(host.get_rows(), 3);
    EXPECT_EQ(host.get_sizes()[2], 30u);
    EXPECT_EQ(host.inner.get_large(), -5);
    std::vector<uint8_t> buffer(host.GetDataSize());
    host.SaveToBuffer(buffer.data(), buffer.size());
    EXPECT_EQ(Words(buffer.data(), buffer.size(),
                    [](GM_ADDR tiling, int64_t* out) {
                        GET_TILING_DATA_WITH_STRUCT(optiling::AddTilingData, data, tiling);
                        out[0] = data.rows, out[1] = data.sizes[1], out[2] = data.inner.large;
                        out[3] = static_cast<int64_t>(data.scale * 2);
                    }),
              (std::vector<int64_t>{3, 20, -5, 5, 0, 0, 0, 0}));
    try {
        host.SaveToBuffer(buffer.data(), 40);
        FAIL();
    } catch (const Error& e) {
        EXPECT_STREQ(e.what(), "SaveToBuffer: AddTilingData has 48 bytes, the buffer has 40");
    }
}

TEST(Workspace, PartsOfUserAndSystem) {
    GlobalMemory memory;
    uint8_t* workspace = memory.Allocate(64, "workspace");
    LaunchOptions options;
    options.chip = "Ascend910B1";
    options.system_workspace = kSystemWorkspaceBytes;
    const uint8_t *user = nullptr, *own = nullptr, *set = nullptr;
    const LaunchResult result = Launch(options, 1, memory, std::function<void()>([&] {
                                           user = GetUserWorkspace(workspace);
                                           own = GetSysWorkSpacePtr();
                                           own[kSystemWorkspaceBytes - 1] == 0xFE ? void() : Trap();
                                           SetSysWorkspace(workspace);
                                           set = AscendC::GetSysWorkSpacePtr();
                                       }));
    EXPECT_TRUE(result.ok());
    EXPECT_EQ(user, workspace);
    EXPECT_EQ(set, workspace);
    EXPECT_NE(own, nullptr);
    EXPECT_FALSE(memory.Owns(own)) << "the launch's own workspace ends with it";
}

}  // namespace
}  // namespace sfumato
