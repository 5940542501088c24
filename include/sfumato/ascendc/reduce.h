// SPDX-License-Identifier: Apache-2.0
// Reductions and transposes: what their calls (calls/reduce.txt) are made of.
#pragma once

#include "sfumato/ascendc/reduce_types.h"
#include "sfumato/ascendc/vector_call.h"

namespace sfumato::ascendc {

// Strides of the destination in results of a repeat. name: what the program called.
template <class T>
ReduceCall Reduction(const char* name, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
                     int32_t dst_repeat, int32_t src_block, int32_t src_repeat, AscendC::ReduceOrder order,
                     Where where) {
    ReduceCall call;
    call.dst = {&dst.view(), 1, kTypeOf<T>, static_cast<uint32_t>(dst_repeat)};
    call.src0 = {&src.view(), static_cast<uint32_t>(src_block), kTypeOf<T>, static_cast<uint32_t>(src_repeat)};
    call.where = where;
    call.name = name;
    call.order = order;
    return call;
}
template <class T>
ReduceTensorCall TensorReduction(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
                                 const AscendC::LocalTensor<T>& work, int32_t src_repeat, bool index, Where where) {
    ReduceTensorCall call;
    call.dst = {&dst.view(), 1, kTypeOf<T>, 1};
    call.src0 = {&src.view(), 1, kTypeOf<T>, static_cast<uint32_t>(src_repeat)};
    call.work = {&work.view(), 1, kTypeOf<T>, 8};
    call.where = where;
    call.index = index;
    return call;
}

// The newer names have the operation as an argument of the template.
template <AscendC::ReduceType kType>
void ReduceRepeats(const ReduceCall& call) {
    if constexpr (kType == AscendC::ReduceType::SUM) {
        vcadd(call);
    } else if constexpr (kType == AscendC::ReduceType::MAX) {
        vcmax(call);
    } else {
        vcmin(call);
    }
}
template <AscendC::ReduceType kType>
void ReduceBlocks(const ReduceCall& call) {
    if constexpr (kType == AscendC::ReduceType::SUM) {
        vcgadd(call);
    } else if constexpr (kType == AscendC::ReduceType::MAX) {
        vcgmax(call);
    } else {
        vcgmin(call);
    }
}
template <AscendC::ReduceType kType>
void ReducePairs(const ReduceCall& call) {
    static_assert(kType == AscendC::ReduceType::SUM, "ReducePairElem: pairs are only summed");
    vcpadd(call);
}

// 16 blocks by their addresses, and by their tensors.
inline BlockList BlocksAt(const uint64_t* addresses) {
    BlockList list;
    for (int i = 0; i < AscendC::NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        list.address[i] = addresses[i];
        list.room[i] = ~uint64_t{0};
    }
    return list;
}
template <class T>
BlockList BlocksOf(const AscendC::LocalTensor<T> (&tensors)[AscendC::NCHW_CONV_ADDR_LIST_SIZE]) {
    BlockList list;
    for (int i = 0; i < AscendC::NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        list.address[i] = tensors[i].GetPhyAddr();
        list.room[i] = tensors[i].view().room;
    }
    return list;
}

}  // namespace sfumato::ascendc

#include "sfumato/ascendc/calls/reduce.h"
