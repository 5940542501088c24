// SPDX-License-Identifier: Apache-2.0
// Registers for tests: elements by number, of any width and of one or two registers, as arch950.md 2.2 has them.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <random>

#include "exec/registers/table.h"

namespace sfumato::exec {

struct RegisterPair {
    std::array<VectorRegister, 2> r;

    RegisterPair() {
        for (VectorRegister& v : r) {
            v.bytes.fill(0xA5);
            v.known.fill(~uint64_t{0});
        }
    }
    explicit RegisterPair(std::mt19937_64& random) : RegisterPair() {
        for (VectorRegister& v : r) {
            for (uint8_t& byte : v.bytes) byte = static_cast<uint8_t>(random() >> 20);
        }
    }
    VectorRegister* data() { return r.data(); }

    // Element i of `bits` bits; of two registers, the halves of it.
    uint64_t Get(uint32_t bits, uint32_t i, uint32_t registers = 1) const {
        const uint32_t part = bits / registers;
        if (bits == 4) return r[0].bytes[i / 2] >> (i % 2 * 4) & 15;
        uint64_t v = 0;
        for (uint32_t k = 0; k < registers; ++k) {
            uint64_t piece = 0;
            std::memcpy(&piece, r[k].bytes.data() + i * part / 8, part / 8);
            v |= piece << (k * part);
        }
        return v;
    }
    void Set(uint32_t bits, uint32_t i, uint64_t v, uint32_t registers = 1) {
        const uint32_t part = bits / registers;
        if (bits == 4) {
            uint8_t& byte = r[0].bytes[i / 2];
            byte = static_cast<uint8_t>((byte & ~(15u << (i % 2 * 4))) | (v & 15) << (i % 2 * 4));
            return;
        }
        for (uint32_t k = 0; k < registers; ++k) {
            const uint64_t piece = v >> (k * part);
            std::memcpy(r[k].bytes.data() + i * part / 8, &piece, part / 8);
        }
    }
    bool Known(uint32_t byte, uint32_t of = 0) const { return r[of].known[byte / 64] >> (byte % 64) & 1; }
    void SetKnown(uint32_t byte, bool known, uint32_t of = 0) {
        uint64_t& word = r[of].known[byte / 64];
        word = (word & ~(uint64_t{1} << (byte % 64))) | static_cast<uint64_t>(known) << (byte % 64);
    }
    // Whether all bytes that element i has a part in are known.
    bool ElementKnown(uint32_t bits, uint32_t i, uint32_t registers = 1) const {
        const uint32_t part = bits / registers;
        for (uint32_t k = 0; k < bits; ++k) {
            if (!Known((i * part + k % part) / 8, k / part)) return false;
        }
        return true;
    }
    void SetElementKnown(uint32_t bits, uint32_t i, bool known, uint32_t registers = 1) {
        const uint32_t part = bits / registers;
        for (uint32_t k = 0; k < bits; ++k) SetKnown((i * part + k % part) / 8, known, k / part);
    }
    void Fill(uint8_t byte, uint32_t registers) {
        for (uint32_t i = 0; i < registers; ++i) {
            r[i].bytes.fill(byte);
            r[i].known.fill(~uint64_t{0});
        }
    }
    // Some bytes unknown.
    void Forget(std::mt19937_64& random) {
        for (VectorRegister& v : r) {
            for (uint64_t& word : v.known) word = random() | random();
        }
    }
};

inline bool operator==(const RegisterPair& a, const RegisterPair& b) {
    for (size_t i = 0; i < 2; ++i) {
        if (a.r[i].bytes != b.r[i].bytes || a.r[i].known != b.r[i].known) return false;
    }
    return true;
}

inline bool MaskBit(const MaskRegister* mask, uint32_t i) {
    return mask == nullptr || (mask->bits[i / 64] >> (i % 64) & 1) != 0;
}

inline MaskRegister RandomMask(std::mt19937_64& random) {
    MaskRegister mask;
    for (uint64_t& word : mask.bits) word = random();
    mask.set = true;
    return mask;
}

inline const RegisterTable& ShufflesAndConversions() {
    static const RegisterTable table = [] {
        RegisterTable t;
        AddConversions(t);
        AddShuffles(t);
        return t;
    }();
    return table;
}

// Runs the call, straight from the table.
inline uint32_t RunCall(const RegisterCall& call, const RegisterControl& control = {}) {
    const RegisterFn run = ShufflesAndConversions().At(call.op, call.type);
    EXPECT_NE(run, nullptr) << CName(call.type);
    return run == nullptr ? 0 : run(call, control);
}

}  // namespace sfumato::exec
