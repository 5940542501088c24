// SPDX-License-Identifier: Apache-2.0
// What the moves that change a layout must do, element by element: cube.md 2, 3 and 6 read literally, without exec,
// numeric or a front end. Images are whole memories; `bits` is the width of an element (4, 8, 16 or 32).
#pragma once

#include "isa/shapes.h"
#include "oracle/atomic_oracle.h"

namespace sfumato::oracle {

// A source tensor in a memory.
struct Source {
    const Bytes& image;
    uint64_t at;  // byte of element 0
};
// A destination tensor in a memory.
struct Target {
    Bytes& image;
    uint64_t at;
};

void ExpectLoad2D(const isa::Load2D& p, uint32_t bits, Source src, Target dst);
void ExpectLoadTransposed(const isa::LoadTransposed& p, uint32_t bits, Source src, Target dst);
void ExpectLoad3Dv1(const isa::Load3Dv1& p, uint32_t bits, Source src, Target dst);

// Which layout the destination of Load3Dv2 has: L0A and UB, or L0B.
enum class Side { kA2, kB2 };
void ExpectLoad3Dv2(const isa::Load3Dv2& p, uint32_t bits, Side side, Source src, Target dst);

void ExpectNd2Nz(const isa::Nd2Nz& p, uint32_t bits, Source src, Target dst);
// Returns true when the policy `saturate` changed a result of an atomic store.
bool ExpectNz2Nd(const isa::Nz2Nd& p, uint32_t bits, const AtomicMode& atomic, Source src, Target dst);
// unit: bytes of a block, 32 in L1 and 512 in L0A and L0B.
void ExpectBlockFill(const isa::BlockFill& p, uint32_t bits, uint64_t value, uint32_t unit, Target dst);

}  // namespace sfumato::oracle
