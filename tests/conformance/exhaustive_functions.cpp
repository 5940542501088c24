// SPDX-License-Identifier: Apache-2.0
// sfumato_exhaustive_functions: all 2^32 floats through Exp, Ln and Rsqrt, on the best target. The C library's double
// tells the result wherever its error cannot matter, the oracle elsewhere.
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdio>
#include <thread>
#include <vector>

#include "exec/exec.h"
#include "oracle/elementwise_oracle.h"

namespace sfumato::conformance {
namespace {

using isa::Opcode;

constexpr uint64_t kInputs = uint64_t{1} << 32;
constexpr uint64_t kBlock = 1 << 14;

struct Count {
    std::atomic<uint64_t> next{0}, close{0}, wrong{0};
};

double InDouble(Opcode op, double x) {
    return op == Opcode::vexp ? std::exp(x) : op == Opcode::vln ? std::log(x) : 1 / std::sqrt(x);
}

uint32_t Expected(Opcode op, float x, Count& count) {
    constexpr double kWindow = 0x1p-49;  // an error of 8 units of a double's last place
    const double y = InDouble(op, x);
    const auto low = static_cast<float>(y * (1 - kWindow)), high = static_cast<float>(y * (1 + kWindow));
    if (std::isnan(y)) return 0x7FC00000;
    if (low == high) return std::bit_cast<uint32_t>(low);
    ++count.close;
    bool changed = false;
    const oracle::Elementwise e{op, DataType::kFloat, DataType::kFloat};
    return static_cast<uint32_t>(oracle::ExpectElement(e, std::bit_cast<uint32_t>(x), 0, 0, &changed));
}

void Sweep(Opcode op, Count& count) {
    std::vector<float> in(kBlock), out(kBlock);
    isa::Record r;
    r.Become(op);
    r.operand_count = 2;
    r.mask = {isa::MaskMode::kCount, kBlock, {}};
    const void* places[] = {out.data(), in.data()};
    for (size_t i = 0; i < 2; ++i) {
        r.operand[i].memory = isa::Memory::kUb;
        r.operand[i].type = DataType::kFloat;
        r.operand[i].offset = reinterpret_cast<uintptr_t>(places[i]);
    }
    for (uint64_t begin; (begin = count.next.fetch_add(kBlock)) < kInputs;) {
        for (uint64_t i = 0; i < kBlock; ++i) in[i] = std::bit_cast<float>(static_cast<uint32_t>(begin + i));
        exec::Execute(r, {});
        for (uint64_t i = 0; i < kBlock; ++i) {
            const uint32_t expected = Expected(op, in[i], count), found = std::bit_cast<uint32_t>(out[i]);
            if (found == expected || count.wrong++ >= 5) continue;
            std::printf("  %a: found %08x, expected %08x\n", static_cast<double>(in[i]), found, expected);
        }
    }
}

int Main() {
    bool wrong = false;
    for (const Opcode op : {Opcode::vexp, Opcode::vln, Opcode::vrsqrt}) {
        Count count;
        std::thread other([&] { Sweep(op, count); });
        Sweep(op, count);
        other.join();
        std::printf("%-6s float %-8s 2^32 compared, %llu close to call, %llu different\n", isa::Info(op).opcode,
                    exec::CurrentTarget().c_str(), static_cast<unsigned long long>(count.close.load()),
                    static_cast<unsigned long long>(count.wrong.load()));
        wrong |= count.wrong != 0;
    }
    return wrong ? 1 : 0;
}

}  // namespace
}  // namespace sfumato::conformance

int main() { return sfumato::conformance::Main(); }
