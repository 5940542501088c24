// SPDX-License-Identifier: Apache-2.0
// What leaves L0C and what enters the bias table (cube.md 5): Fixpipe, tensor_mov and the widening copy; without exec
// and numeric.
#pragma once

#include "oracle/atomic_oracle.h"
#include "oracle/load_oracle.h"

namespace sfumato::oracle {

struct OutCase {
    DataType src, dst;
    Overflow overflow = Overflow::kSaturate;
    AtomicMode atomic;
    Source words;  // of the vector modes: word n is 8 bytes at words.at + 8 * n
};

// Each returns true when the policy `saturate` changed a result.
bool ExpectFixpipe(const isa::Fixpipe& p, const OutCase& c, Source src, Target dst);
bool ExpectMatrixOut(const isa::MatrixMove& p, const OutCase& c, Source src, Target dst);  // L0C to UB
void ExpectMatrixIn(const isa::MatrixMove& p, const OutCase& c, Source src, Target dst);   // UB to L0C
// Ascend C API page BroadCastVecToMM: every 16 elements of a burst are copied 16 times in a row.
void ExpectBroadcastIn(const isa::MatrixMove& p, uint32_t bits, Source src, Target dst);

// Blocks of L1 into the bias table; half sources become floats. Pitches in bytes of their side.
struct BiasMove {
    uint64_t blocks, block_bytes, src_pitch, dst_pitch;  // block_bytes: of the source
};
void ExpectBiasMove(const BiasMove& p, DataType src_type, DataType dst_type, Source src, Target dst);

}  // namespace sfumato::oracle
