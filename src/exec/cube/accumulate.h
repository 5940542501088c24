// SPDX-License-Identifier: Apache-2.0
// The sums of Mmad by any way of the family (isa/accumulation.h): integers and host floats, clear and slow. The fast
// kernels (matmul.h) have `sequential` alone.
#pragma once

#include <cstddef>

#include "isa/accumulation.h"

namespace sfumato::exec {

// One element of C. NaN results are any NaN.
class SlowSum {
public:
    // k0: elements of 32 bytes. saturate: inf becomes the largest value of its sign and NaN +0 at every rounding.
    SlowSum(const isa::Accumulation& way, size_t k0, bool saturate);

    // What `count` products a[i] * b[i * b_step] make of C.
    float Add(size_t count, const float* a, const float* b, size_t b_step, float c);
    bool saturated() const { return saturated_; }  // some rounding was limited

private:
    float OfGroup(size_t count, const float* a, const float* b, size_t b_step, float c);
    float Aligned(size_t count, const float* a, const float* b, size_t b_step, float c) const;
    float Tree(size_t count, const float* a, const float* b, size_t b_step);
    float Limited(float x);

    isa::Accumulation way_;
    size_t group_;
    bool saturate_, saturated_ = false;
};

}  // namespace sfumato::exec
