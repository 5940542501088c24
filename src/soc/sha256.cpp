// SPDX-License-Identifier: Apache-2.0
// The clear form: the constants are computed as the standard defines them.
#include "soc/sha256.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace sfumato::soc {
namespace {

using Words = std::array<uint32_t, 8>;

// The first 32 fraction bits of the square or cube roots of the first primes.
struct Constants {
    Words start{};
    std::array<uint32_t, 64> rounds{};
    Constants() {
        size_t found = 0;
        for (uint32_t n = 2; found < rounds.size(); ++n) {
            bool prime = true;
            for (uint32_t d = 2; d * d <= n; ++d) prime = prime && n % d != 0;
            if (!prime) continue;
            const auto fraction = [](long double root) {
                return static_cast<uint32_t>(static_cast<uint64_t>(std::ldexp(root, 32)));
            };
            if (found < start.size()) start[found] = fraction(std::sqrt(static_cast<long double>(n)));
            rounds[found++] = fraction(std::cbrt(static_cast<long double>(n)));
        }
    }
};

void Mix(const Constants& constants, const uint8_t* block, Words& state) {
    std::array<uint32_t, 64> w;
    for (size_t i = 0; i < 16; ++i) {
        w[i] = uint32_t{block[4 * i]} << 24 | uint32_t{block[4 * i + 1]} << 16 | uint32_t{block[4 * i + 2]} << 8 |
               block[4 * i + 3];
    }
    const auto turned = [](uint32_t x, int a, int b) { return std::rotr(x, a) ^ std::rotr(x, b); };
    for (size_t i = 16; i < w.size(); ++i) {
        const uint32_t s0 = turned(w[i - 15], 7, 18) ^ w[i - 15] >> 3, s1 = turned(w[i - 2], 17, 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (size_t i = 0; i < w.size(); ++i) {
        const uint32_t t1 =
            h + (turned(e, 6, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + constants.rounds[i] + w[i];
        const uint32_t t2 = (turned(a, 2, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    const Words added = {a, b, c, d, e, f, g, h};
    for (size_t i = 0; i < state.size(); ++i) state[i] += added[i];
}

}  // namespace

std::string Sha256(std::string_view bytes) {
    static const Constants constants;
    std::string padded(bytes);
    padded += '\x80';
    while (padded.size() % 64 != 56) padded += '\0';
    for (int i = 7; i >= 0; --i) padded += static_cast<char>(uint64_t{bytes.size()} * 8 >> (8 * i));
    Words state = constants.start;
    for (size_t at = 0; at < padded.size(); at += 64) {
        Mix(constants, reinterpret_cast<const uint8_t*>(padded.data()) + at, state);
    }
    std::string text;
    for (const uint32_t word : state) text += fmt::format("{:08x}", word);
    return text;
}

}  // namespace sfumato::soc
