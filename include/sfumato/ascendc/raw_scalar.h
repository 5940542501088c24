// SPDX-License-Identifier: Apache-2.0
// Raw calls of the scalar unit: places, registers, caches, words. A pack that stays empty makes a function of the same
// name that the program has itself the better match.
#pragma once

#include "sfumato/ascendc/cross_core.h"
#include "sfumato/ascendc/raw_types.h"
#include "sfumato/ascendc/scalar_calls.h"
#include "sfumato/ascendc/system.h"

namespace sfumato::ascendc {

// The last sum of a vcadd with mode true, in the bits of its type.
SFUMATO_API int64_t AccValue(Where where);
// What issued before is done before anything behind it starts; `number` of mem_dsb_t.
SFUMATO_API void DataBarrier(uint64_t number, Where where);
// dcci: a line or all lines of GM, of UB, or of both.
SFUMATO_API void CleanLines(const void* pointer, uint64_t line, uint64_t to, Where where);

// `offset` bytes behind a pointer into GM.
SFUMATO_API void* PastCache(RawPointer p, int64_t offset, const char* call, Where where);

}  // namespace sfumato::ascendc

#define SFUMATO_QUERY(name, Value) \
    template <class... None>       \
    requires(sizeof...(None) == 0) int64_t name(None...) { return sfumato::ascendc::Value(); }
SFUMATO_QUERY(get_block_idx, RawBlockIdx)
SFUMATO_QUERY(get_block_num, BlockNum)
SFUMATO_QUERY(get_subblockid, SubBlockIdx)
SFUMATO_QUERY(get_subblockdim, SubBlockNum)
SFUMATO_QUERY(get_sys_cnt, SystemCycle)
#undef SFUMATO_QUERY
inline int64_t get_acc_val(SFUMATO_AT) { return sfumato::ascendc::AccValue(where); }

template <class... None>
[[noreturn]] void trap(None..., SFUMATO_AT) {
    sfumato::ascendc::Trap(where);
}
template <class... None>
int64_t clz(uint64_t value, None..., SFUMATO_AT) {
    return AscendC::CountLeadingZero(value, where);
}
// Loads ahead: speed only.
template <class... None>
void preload(const void*, int64_t, None...) {}
template <class... None>
void preload(int64_t, None...) {}
inline void icache_preload(const void*, int64_t) {}
inline void icache_preload(int64_t) {}
inline void dc_preload(const void*, int64_t) {}

inline void dsb(uint64_t memory, SFUMATO_AT) { sfumato::ascendc::DataBarrier(memory, where); }
inline void dcci(const void* pointer, uint64_t line, uint64_t to = CACHELINE_ALL, SFUMATO_AT) {
    sfumato::ascendc::CleanLines(pointer, line, to, where);
}
// One element past the cache, `offset` in bytes.
template <class T>
void st_dev(std::type_identity_t<T> value, T* p, int16_t offset, SFUMATO_AT) {
    auto tensor = sfumato::ascendc::Element<T>(sfumato::ascendc::PastCache(p, offset, "st_dev", where), where);
    tensor.SetValue(0, value, where);
    sfumato::ascendc::PassCache(tensor.GetPhyAddr());
}
template <class T>
T ld_dev(T* p, int16_t offset, SFUMATO_AT) {
    auto tensor = sfumato::ascendc::Element<T>(sfumato::ascendc::PastCache(p, offset, "ld_dev", where), where);
    sfumato::ascendc::PassCache(tensor.GetPhyAddr());
    return tensor.GetValue(0, where);
}

SFUMATO_API uint64_t get_ctrl(SFUMATO_AT);
constexpr uint64_t sbitset0(uint64_t word, int64_t bit) { return word & ~(uint64_t{1} << bit); }
constexpr uint64_t sbitset1(uint64_t word, int64_t bit) { return word | uint64_t{1} << bit; }
// The way programs write a fixed address: (__ubuf__ T*)get_imm(0) is byte 0 of UB.
constexpr sfumato::ascendc::Immediate get_imm(uint64_t value, SFUMATO_AT) { return {value, where}; }
// Elements the last GatherMask wrote.
SFUMATO_API int64_t get_rsvd_cnt();
