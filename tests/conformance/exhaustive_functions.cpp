// SPDX-License-Identifier: Apache-2.0
// sfumato_exhaustive_functions [opcode...]: all 2^32 floats through Exp, Ln, the exact Rsqrt and the mathematical
// functions of the high-level calls, 2^27 pairs of floats through those of two arguments, on the best target; all
// floats through the estimates of Reciprocal and Rsqrt on every target; or through those named. The C library's double
// tells the result wherever its error cannot matter, the oracle elsewhere; that of an estimate divides whole numbers.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "exec/exec.h"
#include "conformance/real_values.h"
#include "oracle/estimate_oracle.h"

namespace sfumato::conformance {
namespace {

using isa::Opcode;

constexpr uint64_t kInputs = uint64_t{1} << 32, kPairs = uint64_t{1} << 27;
constexpr uint64_t kBlock = 1 << 14;

struct Count {
    std::atomic<uint64_t> next{0}, close{0}, wrong{0};
};

// Signs and exponents of both floats from the number, each combination 512 times; the fractions are random.
std::pair<uint32_t, uint32_t> PairOf(uint64_t number) {
    uint64_t bits = number * 0x9E3779B97F4A7C15u;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    const uint64_t strata = number & 0x3FFFF;
    return {static_cast<uint32_t>(strata >> 9 << 23 | (bits & 0x7FFFFF)),
            static_cast<uint32_t>((strata & 0x1FF) << 23 | (bits >> 32 & 0x7FFFFF))};
}

void Sweep(Opcode op, bool estimate, uint64_t inputs, Count& count) {
    const bool two = inputs == kPairs;
    std::vector<float> in(kBlock), second(kBlock), out(kBlock);
    isa::Record r;
    r.Become(op);
    r.last_bits.base = estimate ? isa::LastBits::Base::kBoard : isa::LastBits::Base::kExact;
    r.operand_count = two ? 3 : 2;
    r.mask = {isa::MaskMode::kCount, kBlock, {}};
    const void* places[] = {out.data(), in.data(), second.data()};
    for (size_t i = 0; i < r.operand_count; ++i) {
        r.operand[i].memory = isa::Memory::kUb;
        r.operand[i].type = DataType::kFloat;
        r.operand[i].offset = reinterpret_cast<uintptr_t>(places[i]);
    }
    uint64_t close = 0;
    for (uint64_t begin; (begin = count.next.fetch_add(kBlock)) < inputs;) {
        for (uint64_t i = 0; i < kBlock; ++i) {
            const auto [a, b] = two ? PairOf(begin + i) : std::pair(static_cast<uint32_t>(begin + i), 0u);
            in[i] = std::bit_cast<float>(a);
            second[i] = std::bit_cast<float>(b);
        }
        exec::Execute(r, {});
        for (uint64_t i = 0; i < kBlock; ++i) {
            const uint64_t bits = std::bit_cast<uint32_t>(in[i]);
            const uint64_t expected =
                estimate ? oracle::EstimateOf(op, DataType::kFloat, bits)
                         : ExpectReal(op, DataType::kFloat, bits, std::bit_cast<uint32_t>(second[i]), &close);
            const uint32_t found = std::bit_cast<uint32_t>(out[i]);
            if (found == expected || count.wrong++ >= 5) continue;
            std::printf("  %a, %a: found %08x, expected %08x\n", static_cast<double>(in[i]),
                        static_cast<double>(second[i]), found, static_cast<uint32_t>(expected));
        }
    }
    count.close += close;
}

// True: all as expected.
bool Compare(Opcode op, bool estimate, uint64_t inputs) {
    Count count;
    std::thread other([&] { Sweep(op, estimate, inputs, count); });
    Sweep(op, estimate, inputs, count);
    other.join();
    std::printf("%-8s float %-8s 2^%d compared, %llu close to call, %llu different\n", isa::Info(op).opcode,
                exec::CurrentTarget().c_str(), inputs == kInputs ? 32 : 27,
                static_cast<unsigned long long>(count.close.load()),
                static_cast<unsigned long long>(count.wrong.load()));
    return count.wrong == 0;
}

int Main(const std::vector<std::string>& names) {
    bool right = true;
    const auto named = [&](Opcode op, const char* kind) {
        return names.empty() ||
               std::find(names.begin(), names.end(), isa::Info(op).opcode + std::string(kind)) != names.end();
    };
    for (const Opcode op : {Opcode::vrec, Opcode::vrsqrt}) {
        if (!named(op, "-estimate")) continue;
        for (const std::string& target : exec::Targets()) {
            exec::ForceTarget(target);
            right &= Compare(op, true, kInputs);
        }
        exec::ForceTarget("");
    }
    std::vector<Opcode> all = {Opcode::vexp, Opcode::vln, Opcode::vrsqrt};
    all.insert(all.end(), std::begin(kRealFunctions), std::end(kRealFunctions));
    const size_t of_one = all.size();
    all.insert(all.end(), {Opcode::vpower, Opcode::vfmod, Opcode::vhypot});
    for (size_t i = 0; i < all.size(); ++i) {
        const Opcode op = all[i];
        if (named(op, "")) right &= Compare(op, false, i < of_one ? kInputs : kPairs);
    }
    return right ? 0 : 1;
}

}  // namespace
}  // namespace sfumato::conformance

int main(int count, char** arguments) { return sfumato::conformance::Main({arguments + 1, arguments + count}); }
