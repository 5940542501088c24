// SPDX-License-Identifier: Apache-2.0
// Stores into GM that add, or keep the larger or smaller (framework.md 3.10): the vector instructions' own runs.
#include <stdexcept>

#include "exec/cube/cube.h"
#include "exec/runs.h"

namespace sfumato::exec {

bool StoreAtomic(const isa::Control& control, uint8_t* to, const uint8_t* from, size_t bytes) {
    const isa::Opcode op = control.atomic == isa::Atomic::kAdd   ? isa::Opcode::vadd
                           : control.atomic == isa::Atomic::kMax ? isa::Opcode::vmax
                                                                 : isa::Opcode::vmin;
    const RunFn run = FindRun(op, control.atomic_type);
    if (run == nullptr || control.atomic == isa::Atomic::kNone) {
        throw std::logic_error(
            std::string("sfumato::exec::StoreAtomic: there is no atomic store of elements of type ") +
            CName(control.atomic_type) + " in this mode.");
    }
    RunArgs args;
    args.dst = to;
    args.src0 = to;
    args.src1 = from;
    args.n = bytes / BytesOf(control.atomic_type, 1);
    args.overflow = control.overflow;
    return run(args);
}

}  // namespace sfumato::exec
