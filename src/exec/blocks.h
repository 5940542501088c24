// SPDX-License-Identifier: Apache-2.0
// Repeats of blocks into a dense buffer and back, under a byte mask.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sfumato::exec {

// Where repeats lie in memory: blocks of `chunk` bytes (32; 16 in half blocks), pitches in bytes.
struct BlockPlaces {
    uint8_t* at;
    size_t block_pitch, repeat_pitch, chunk;
};

// `bytes` are the dense bytes of a repeat, `pitch` the bytes between repeats in the buffer. Masks hold 0xFF or 0 a
// byte.
struct BlockKernels {
    // Bit i of bits to the bytes of dense element i, for `bytes` bytes, rounded up to a vector (the mask has room for
    // 320). int4: bit 2i to byte i.
    void (*expand)(const uint64_t* bits, uint32_t log2_bits, size_t bytes, uint8_t* mask);
    // `count` repeats from memory to `to`. Reads exactly `bytes` bytes of each. chunk must be 32.
    void (*gather)(const BlockPlaces& from, uint8_t* to, size_t pitch, size_t bytes, size_t count);
    // `count` repeats to memory, in order. With a mask, the same for every repeat, masked-off bytes keep their value.
    void (*scatter)(const BlockPlaces& to, const uint8_t* from, size_t pitch, size_t bytes, size_t count,
                    const uint8_t* mask);
    // Masked-off bytes take those of `pattern`, lowest first, again and again.
    void (*replace)(uint8_t* bytes, const uint8_t* mask, uint32_t pattern, size_t count);
    // memcpy past the caches, for memory that will not fit them. Other threads see the bytes after Publish().
    void (*stream)(uint8_t* to, const uint8_t* from, size_t bytes);
};

// For the target in force.
const BlockKernels& Blocks();

}  // namespace sfumato::exec
