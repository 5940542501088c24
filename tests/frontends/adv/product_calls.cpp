// SPDX-License-Identifier: Apache-2.0
// Matmul and Hccl, by the rows of oracle/calls.inc (adv.md 2 and 11).
#include "frontends/adv/calls.h"
#include "frontends/matmul/matmul_support.h"

namespace sfumato::adv_test {
namespace {

using matmul_test::Gm, matmul_test::Put, matmul_test::Told;
using oracle::Product;

// Integers are small, so that floats say their sums.
template <class T>
std::vector<T> Elements(uint32_t count, uint32_t seed) {
    std::vector<T> elements;
    for (const float v : Uniform<float>(count, -9, 9, seed)) {
        if constexpr (std::is_same_v<T, int8_t> || std::is_same_v<T, int32_t>)
            elements.push_back(static_cast<T>(v));
        else
            elements.push_back(ascendc::FromBits<T>(oracle::NearestBits(kTypeOf<T>, static_cast<double>(v))));
    }
    return elements;
}
template <class T>
Row NumbersOf(const std::vector<T>& elements) {
    Row numbers;
    for (const T& v : elements) numbers.push_back(static_cast<float>(oracle::NumberAt(kTypeOf<T>, ascendc::ToBits(v))));
    return numbers;
}

template <class T>
using ResultOf = std::conditional_t<std::is_same_v<T, int8_t>, int32_t, float>;

// Where the kernel finds its operands.
template <class T>
struct Operands {
    GlobalTensor<T> a, b;
    GlobalTensor<ResultOf<T>> bias, c;
};

// body(object, operands), on a kernel of both kinds of core; `batches` products, one behind the other, each `times`
// times.
template <class T, LayoutMode layout = LayoutMode::NONE, class Body>
void CheckProduct(const Site& site, const Product& p, uint32_t batches, const Body& body, float times = 1) {
    using R = ResultOf<T>;
    const auto a = Elements<T>(batches * p.m * p.k, 1), b = Elements<T>(batches * p.k * p.n, 2);
    const auto bias = Elements<R>(batches * p.n, 3);
    GlobalMemory memory;
    uint8_t *gm_a = Put(memory, a, "a"), *gm_b = Put(memory, b, "b"), *gm_bias = Put(memory, bias, "bias");
    const uint32_t count = batches * p.m * p.n;
    uint8_t* gm_c = memory.Allocate(count * sizeof(R), "c");
    LaunchOptions options =
        matmul_test::Options("eager", site.Saturates() ? CoreChoice::kDefault : CoreChoice::kMixOneToOne);
    options.chip = site.chip;
    const LaunchResult result = Launch(options, 1, memory, [&] {
        TPipe pipe;
        TCubeTiling tiling = matmul_test::Tiling(
            {static_cast<int32_t>(p.m), static_cast<int32_t>(p.n), static_cast<int32_t>(p.k)}, 16, 32, 32);
        tiling.isBias = 1;
        tiling.BatchNum = static_cast<int32_t>(batches);
        using In = MatmulType<TPosition::GM, CubeFormat::ND, T, false, layout>;
        using Out = MatmulType<TPosition::GM, CubeFormat::ND, R, false, layout>;
        Matmul<In, In, Out, MatmulType<TPosition::GM, CubeFormat::ND, R>> mm;
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
        TBuf<TPosition::VECCALC> scratch;
        if (site.Saturates()) {
            pipe.InitBuffer(scratch, 16 * 1024);
            mm.SetLocalWorkspace(scratch.Get<uint8_t>());
        }
        const Operands<T> operands{Gm<T>(gm_a, a.size()), Gm<T>(gm_b, b.size()), Gm<R>(gm_bias, bias.size()),
                                   Gm<R>(gm_c, count)};
        mm.SetTensorA(operands.a);
        mm.SetTensorB(operands.b);
        mm.SetBias(operands.bias);
        body(mm, operands);
        mm.End();
    });
    if (!Judge(site, result)) return;
    Row want;
    for (uint32_t i = 0; i < batches; ++i) {
        const auto part = [i](const Row& all, uint32_t size) {
            return Row(all.begin() + i * size, all.begin() + (i + 1) * size);
        };
        const Row c = oracle::Matmul(part(NumbersOf(a), p.m * p.k), part(NumbersOf(b), p.k * p.n),
                                     part(NumbersOf(bias), p.n), p, std::is_same_v<T, int8_t>);
        want.insert(want.end(), c.begin(), c.end());
    }
    const auto got = matmul_test::Get<R>(gm_c, count);
    for (uint32_t i = 0; i < count; ++i)
        ASSERT_EQ(static_cast<float>(got[i]), times * want[i]) << site.call << ", element " << i;
}

// Whole base blocks, and tails of all three sizes.
constexpr Product kProducts[] = {{32, 64, 64}, {20, 40, 70}};

template <class T>
void IterateAllCase(const Site& site) {
    for (const Product& p : kProducts)
        CheckProduct<T>(site, p, 1, [](auto& mm, const auto& on) { mm.IterateAll(on.c); });
}
// It computes nothing itself: what its object does, later, is what counts.
template <class T>
void REGIST_MATMUL_OBJCase(const Site& site) {
    IterateAllCase<T>(site);
}
template <class T>
void IterateCase(const Site& site) {
    for (const Product& p : kProducts) {
        CheckProduct<T>(site, p, 1, [&](auto& mm, const auto& on) {
            uint32_t blocks = 0;
            for (; mm.Iterate(); ++blocks) mm.GetTensorC(on.c);
            EXPECT_EQ(blocks, (p.m + 15) / 16 * ((p.n + 31) / 32)) << site.call;
        });
    }
}
// Once, and added to what is there; Ascend310P adds no int32.
template <class T>
void GetTensorCCase(const Site& site) {
    const bool adds = !site.Saturates() || !std::is_same_v<T, int8_t>;
    const auto twice = [adds](auto& mm, const auto& on) {
        while (mm.Iterate()) mm.GetTensorC(on.c);
        mm.SetTensorA(on.a);
        while (mm.Iterate()) mm.GetTensorC(on.c, adds ? 1 : 0);
    };
    for (const Product& p : kProducts) CheckProduct<T>(site, p, 1, twice, adds ? 2 : 1);
}
template <class T>
void IterateBatchCase(const Site& site) {
    for (const Product& p : kProducts) {
        CheckProduct<T, LayoutMode::NORMAL>(site, p, 3,
                                            [](auto& mm, const auto& on) { mm.IterateBatch(on.c, 3, 3, false); });
    }
}

// One rank: each task that was committed copies its part.
template <class T>
void HcclCase(const Site& site) {
    for (const uint32_t count : {64u, 7u}) {
        constexpr uint32_t kTasks = 3;
        std::vector<T> sent(kTasks * count);
        for (uint32_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<T>(i + 1);
        GlobalMemory memory;
        uint8_t *send = Put(memory, sent, "send"), *recv = Put(memory, std::vector<T>(sent.size()), "recv");
        LaunchOptions options;
        options.chip = site.chip;
        const LaunchResult result = Launch(options, 2, memory, [&] {
            Hccl<> hccl;
            hccl.Init(GetHcclContext<HCCL_GROUP_ID_0>());
            const HcclHandle handle = hccl.AllReduce(send, recv, count, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_SUM, kTasks);
            for (uint32_t i = 0; i + 1 < kTasks; ++i) hccl.Commit(handle), hccl.Wait(handle);
            hccl.Finalize();
        });
        if (!Judge(site, result)) continue;
        EXPECT_EQ(NumbersOf(matmul_test::Get<T>(recv, sent.size())),
                  oracle::CollectiveOfOne(NumbersOf(sent), (kTasks - 1) * count))
            << site.call;
    }
}

#undef SFUMATO_CALL_products
#define SFUMATO_CALL_products SFUMATO_CASE
#include "oracle/calls.inc"

}  // namespace
}  // namespace sfumato::adv_test
