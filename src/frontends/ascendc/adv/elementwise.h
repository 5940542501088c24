// SPDX-License-Identifier: Apache-2.0
// The steps of the elementwise high-level calls.
#pragma once

#include "frontends/ascendc/adv/steps.h"

namespace sfumato::ascendc::adv {

// The elements that the temporaries have room for at once. The tensors are of the computing type.
struct Piece : Steps {
    using Steps::Steps;
    Vec dst, src0, src1;
    Vec tmp[3];
    double scalar = 0;
    bool scalar_first = false;
    uint32_t sources = 1;
};

namespace steps {
#define SFUMATO_ADV(Name, ...) void Name(Piece& p);
#include "sfumato/ascendc/adv/elementwise.inc"
#undef SFUMATO_ADV
}  // namespace steps

}  // namespace sfumato::ascendc::adv
