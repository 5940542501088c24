// SPDX-License-Identifier: Apache-2.0
// vector_dup: n copies of a bit pattern (vector_instructions.md 4.1). vcopy: the source's (4.5). The bits are stored
// unchanged, NaN payloads too.
#include <cstring>

#include "exec/runs.h"
#include "exec/targets.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/vector/fill_runs.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "exec/half-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

template <typename T>
bool Fill(const RunArgs& args) {
    const hn::ScalableTag<T> d;
    const size_t step = hn::Lanes(d);
    T* dst = static_cast<T*>(args.dst);
    const auto v = hn::Set(d, static_cast<T>(args.scalar));
    if (args.n < step) {
        StoreFirst(v, d, dst, args.n);
        return false;
    }
    for (size_t i = 0; i + step < args.n; i += step) hn::StoreU(v, d, dst + i);
    hn::StoreU(v, d, dst + args.n - step);
    return false;
}

template <typename T>
bool Copy(const RunArgs& args) {
    std::memmove(args.dst, args.src0, args.n * sizeof(T));
    return false;
}

void FillRuns(RunTable& table) {
    for (int i = 0; i < kDataTypeCount; ++i) {
        const auto type = static_cast<DataType>(i);
        if (BitsOf(type) == 16) table.At(isa::Opcode::vcopy, type) = Copy<uint16_t>;
        if (BitsOf(type) == 32) table.At(isa::Opcode::vcopy, type) = Copy<uint32_t>;
        RunFn& run = table.At(isa::Opcode::vector_dup, type);
        switch (BitsOf(type)) {
            case 8: run = Fill<uint8_t>; break;
            case 16: run = Fill<uint16_t>; break;
            case 32: run = Fill<uint32_t>; break;
            case 64: run = Fill<uint64_t>; break;
        }
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
void AddFillRuns(RunTable& table) { SFUMATO_FOR_TARGET(FillRuns)(table); }
}  // namespace sfumato::exec
#endif
