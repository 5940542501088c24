// SPDX-License-Identifier: Apache-2.0
// How registers are when a kernel begins.
#include "runtime/cores/registers.h"

#include <utility>

namespace sfumato::runtime {

void Registers::Begin(bool split_cores) {
    unset = unset_reads = 0;
    control.atomic = isa::Atomic::kNone;
    atomic_where = {};
    if (!split_cores) return;
    mask = {~0ull, ~0ull};
    counter_mode = mask_counts = false;
    counter_where = mask_where = {};
    load_pad = load_boundary = 0;
}

void Registers::BeginUnset(bool split_cores, bool dirty) {
    unset = split_cores ? kAtomicState | kMaskModeState | kMaskState | kLoadState : kAtomicState;
    if (!dirty) return;
    control.atomic = isa::Atomic::kAdd;
    control.atomic_type = DataType::kFloat;
    if (!split_cores) return;
    counter_mode = true;
    mask = {1, 0};
    load_pad = 7;
}

bool Registers::ReadsUnset(const isa::Record& record) {
    uint8_t reads = std::exchange(unset_reads, uint8_t{0});
    if (record.api == isa::Api::kTik) reads = unset = 0;
    if (record.operand_count > 0 && record.dst().memory == isa::Memory::kGm && record.op != isa::Opcode::scalar_store)
        reads |= kAtomicState;
    if (record.form() == isa::Form::kLoad3Dv1 || record.form() == isa::Form::kLoad3Dv2) reads |= kLoadState;
    reads &= unset;
    if (reads == 0) return false;
    unset = 0;  // told once
    unset_read = {reads, isa::CallName(record), record.where, record.index};
    return true;
}

}  // namespace sfumato::runtime
