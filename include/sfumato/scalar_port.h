// SPDX-License-Identifier: Apache-2.0
// What headers need of the core that runs, so that a load or a store of UB with nothing pending is a few compares and
// the access itself.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "sfumato/data_type.h"

namespace sfumato::debug {
struct Core;
}

namespace sfumato::runtime {

// A core's; closed while ub_bytes is 0.
struct ScalarPort {
    uint8_t* ub = nullptr;
    uint64_t ub_bytes = 0;
    std::atomic<uint64_t> records = 0;                     // issued so far: a store is one; others may look
    const size_t* pending = nullptr;                       // records that wait in the pipes
    const std::atomic<uint64_t>* stopped_above = nullptr;  // cores above this one stop; 0: all
    uint64_t order = 0;                                    // of the core, from 1
    uint16_t stores = 0;                                   // bit t: elements of DataType t may be stored at once
    const debug::Core* shown = nullptr;                    // to debuggers
    // LocalView::block of TBufs descends: those above have had memory that a later one may have taken.
    int32_t sure_block = -2;
    // Of a vector function whose accesses nobody looks at; nullptr: there is none.
    uint8_t* vector_ub = nullptr;
    uint64_t vector_bytes = 0;

    // Only the core itself counts.
    uint64_t Count() {
        const uint64_t before = records.load(std::memory_order_relaxed);
        records.store(before + 1, std::memory_order_relaxed);
        return before;
    }
};

// Of the core the calling thread runs, or nullptr outside a launch. Every instruction asks: initial-exec is one load.
extern SFUMATO_API __thread ScalarPort* t_core [[gnu::tls_model("initial-exec")]];

}  // namespace sfumato::runtime
