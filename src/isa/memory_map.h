// SPDX-License-Identifier: Apache-2.0
// Where the memories of records lie on the host.
#pragma once

#include <map>
#include <memory>
#include <new>

#include "isa/record.h"

namespace sfumato::isa {

// What an instruction keeps between its steps. Grows, never shrinks: the memories bound what one needs.
class Scratch {
public:
    // Aligned to 64 bytes; what an earlier instruction left is in it.
    uint8_t* Bytes(size_t count) {
        if (count > count_) {
            bytes_.reset();
            count_ = 0;
            bytes_.reset(new (std::align_val_t{64}) uint8_t[count]);
            count_ = count;
        }
        return bytes_.get();
    }

private:
    struct Delete {
        void operator()(uint8_t* bytes) const { ::operator delete[](bytes, std::align_val_t{64}); }
    };
    std::unique_ptr<uint8_t[], Delete> bytes_;
    size_t count_ = 0;
};

// Results of functions of half as a board was recorded to give them: 65,536 of each, by the operand's bits.
using HalfTables = std::map<Opcode, const uint16_t*>;

// Host addresses of a core's memories, and of the launch's GM allocations.
struct MemoryMap {
    uint8_t* base[kMemoryCount] = {};
    uint8_t* const* gm = nullptr;             // gm[operand.allocation] is the first byte of the allocation
    Scratch* scratch = nullptr;               // null: every instruction makes its own
    const HalfTables* half_tables = nullptr;  // has what LastBits::Base::kTable asks for
    uint8_t* Address(const Operand& o) const {
        return (o.memory == Memory::kGm ? gm[o.allocation] : base[static_cast<int>(o.memory)]) + o.offset;
    }
};

}  // namespace sfumato::isa
