// SPDX-License-Identifier: Apache-2.0
// Wrong Ascend C programs. Tables in wrong_*.cpp, the runner in wrong_test.cpp.
#pragma once

#include <initializer_list>
#include <vector>

#include "kernel_operator.h"
#include "sfumato/launch.h"
#include "support/tensor_at.h"

namespace sfumato::wrong {

using namespace AscendC;

struct Launched {
    const char* chip = "Ascend910B1";
    CoreChoice core = CoreChoice::kDefault;
    bool of_result = false;  // the rule is about what the call has written
    bool note = false;       // the rule's row says more
};

// gm has 4096 bytes, tail 40. The wrong call is the last that writes anything. All it is told stands in reports/, in the
// file with the name of the program's file (docs/adding.md, "A rule").
struct Program {
    const char* name;
    const char* rule;
    void (*kernel)(GM_ADDR gm, GM_ADDR tail);
    Launched launched = {};
};

// Stands on the line of the wrong call, before it: keeps the line and a picture of all memories.
void Wrong(Where where = Where::Here());
// Stands on a line a report refers back to, whose words then are like no other's.
inline void Earlier() {}

// A tensor at a byte offset of the memory behind a position; not by the constructor, which makes the kernel one without
// a TPipe (static.md 2.1).
template <class T>
LocalTensor<T> At(TPosition position, uint32_t count, uint32_t byte_offset = 0) {
    return TensorAt<T>(position, byte_offset, count);
}

// A tensor at a byte offset of UB.
template <class T>
LocalTensor<T> Ub(uint32_t byte_offset, uint32_t count) {
    return At<T>(TPosition::VECCALC, count, byte_offset);
}

template <class T>
GlobalTensor<T> Gm(GM_ADDR address, uint64_t count) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<T*>(address), count);
    return tensor;
}

// The programs of a file: they are among All() by being defined.
template <class P>
struct Table {
    Table(std::initializer_list<P> programs) { All().insert(All().end(), programs); }
    static std::vector<P>& All() {
        static std::vector<P> all;
        return all;
    }
};

}  // namespace sfumato::wrong
