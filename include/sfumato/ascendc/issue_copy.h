// SPDX-License-Identifier: Apache-2.0
// issue.h for the moves that change a layout or convert values, and for the registers they read.
#pragma once

#include "sfumato/ascendc/copy_types.h"
#include "sfumato/ascendc/issue.h"

namespace sfumato::ascendc {

// words: what a vector mode reads; null without.
SFUMATO_API void fixpipe(const Ends& ends, const LocalView* words, const AscendC::FixpipeParamsV220& params,
                         AscendC::CO2Layout layout);
// The DataCopy form: matrices, scalar and words are what the three registers hold.
SFUMATO_API void fixpipe(const Ends& ends, const AscendC::DataCopyCO12DstParams& params);
SFUMATO_API void SetFixpipeMatrices(uint16_t count, uint16_t src_stride, uint16_t dst_stride, Where where);
SFUMATO_API void SetFixpipeScalar(uint64_t word, Where where);
SFUMATO_API void SetFixpipeClip(uint64_t bound, Where where);
// relu may be null.
SFUMATO_API void SetFixpipeWords(const LocalView* relu, const LocalView& words, bool clears_unit_flags, Where where);

// Between CO1 and UB; a plain move on any other path.
SFUMATO_API void tensor_mov(const Ends& ends, const AscendC::DataCopyParams& params,
                            const AscendC::DataCopyEnhancedParams& enhanced);
SFUMATO_API void broadcast_ub_to_l0c(const Ends& ends, int32_t block_count, uint8_t block_len, uint8_t src_gap,
                                     uint8_t dst_gap);
SFUMATO_API void nd2nz(const Ends& ends, const AscendC::Nd2NzParams& params);
SFUMATO_API void nz2nd(const Ends& ends, const AscendC::Nz2NdParamsFull& params);
// A plain move for each slice of dimension 0.
SFUMATO_API void copy_slices(const Ends& ends, const AscendC::SliceInfo* dst, const AscendC::SliceInfo* src,
                             uint32_t dims);

struct FillCall {
    const LocalView* dst = nullptr;
    DataType type = DataType::kHalf;
    uint32_t repeats = 0, blocks = 0, gap = 0;
    uint64_t value = 0;  // bit pattern of one element
    Where where;
};
SFUMATO_API void fill(const FillCall& call);

// count elements of gm become `value`, a bit pattern; name: of the call.
SFUMATO_API void FillGlobal(const char* name, const GlobalView& gm, DataType type, uint64_t count, uint64_t value,
                            Where where);

enum class AtomicMode : uint8_t { kNone, kAdd, kMax, kMin };
// call: as the program wrote it; null: the older call of the mode.
SFUMATO_API void SetAtomic(AtomicMode mode, DataType type, Where where, const char* call = nullptr);
SFUMATO_API void SetAtomicElement(DataType type, Where where);
SFUMATO_API void ClearAtomic();

}  // namespace sfumato::ascendc
