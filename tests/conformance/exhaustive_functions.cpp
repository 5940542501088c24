// SPDX-License-Identifier: Apache-2.0
// sfumato_exhaustive_functions [opcode...]: all 2^32 floats through Exp, Ln, Rsqrt and the mathematical functions of
// the high-level calls, or through those named, on the best target. The C library's double tells the result wherever
// its error cannot matter, the oracle elsewhere.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "exec/exec.h"
#include "conformance/real_values.h"

namespace sfumato::conformance {
namespace {

using isa::Opcode;

constexpr uint64_t kInputs = uint64_t{1} << 32;
constexpr uint64_t kBlock = 1 << 14;

struct Count {
    std::atomic<uint64_t> next{0}, close{0}, wrong{0};
};

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
    uint64_t close = 0;
    for (uint64_t begin; (begin = count.next.fetch_add(kBlock)) < kInputs;) {
        for (uint64_t i = 0; i < kBlock; ++i) in[i] = std::bit_cast<float>(static_cast<uint32_t>(begin + i));
        exec::Execute(r, {});
        for (uint64_t i = 0; i < kBlock; ++i) {
            const uint64_t expected = ExpectReal(op, DataType::kFloat, begin + i, 0, &close);
            const uint32_t found = std::bit_cast<uint32_t>(out[i]);
            if (found == expected || count.wrong++ >= 5) continue;
            std::printf("  %a: found %08x, expected %08x\n", static_cast<double>(in[i]), found,
                        static_cast<uint32_t>(expected));
        }
    }
    count.close += close;
}

int Main(const std::vector<std::string>& names) {
    bool wrong = false;
    std::vector<Opcode> all = {Opcode::vexp, Opcode::vln, Opcode::vrsqrt};
    all.insert(all.end(), std::begin(kRealFunctions), std::end(kRealFunctions));
    for (const Opcode op : all) {
        if (!names.empty() && std::find(names.begin(), names.end(), isa::Info(op).opcode) == names.end()) continue;
        Count count;
        std::thread other([&] { Sweep(op, count); });
        Sweep(op, count);
        other.join();
        std::printf("%-8s float %-8s 2^32 compared, %llu close to call, %llu different\n", isa::Info(op).opcode,
                    exec::CurrentTarget().c_str(), static_cast<unsigned long long>(count.close.load()),
                    static_cast<unsigned long long>(count.wrong.load()));
        wrong |= count.wrong != 0;
    }
    return wrong ? 1 : 0;
}

}  // namespace
}  // namespace sfumato::conformance

int main(int count, char** arguments) { return sfumato::conformance::Main({arguments + 1, arguments + count}); }
