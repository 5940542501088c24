// SPDX-License-Identifier: Apache-2.0
// NDDMA and columns to fractals, as records (arch950.md 1.3).
#include "sfumato/ascendc/dma.h"

#include "frontends/ascendc/framework.h"

namespace sfumato::ascendc {

static_assert(NdDmaCall::kMostLoops == isa::NdDma::kMostLoops);

void nddma(const NdDmaCall& call) {
    runtime::Core& core = ThisCore("DataCopy");
    isa::Record r(isa::Opcode::nddma);
    if (!SetEnds(core, "DataCopy", call, &r)) return;
    auto& box = r.As<isa::NdDma>();
    box.count = call.count;
    for (uint32_t i = 0; i < NdDmaCall::kMostLoops; ++i) {
        const NdDmaCall::Loop& loop = call.loops[i];
        box.loops[i] = {loop.src_stride, loop.dst_stride, loop.size, loop.before, loop.behind};
    }
    box.nearest = call.nearest;
    box.pad_value = call.pad_value;
    Framework::Of(core);  // its cache of NDDMA looks at what is issued
    core.TellFrontEnd();
    core.Issue(r);
}

void RefreshNdDma(Where where) {
    runtime::Core& core = ThisCore("NdDmaDci");
    if (core.chip().Has(isa::Api::kAscendC, isa::Opcode::nddma)) {
        Framework::Of(core).nddma_cache().Drop();
        return core.Called("NdDmaDci", where);
    }
    Find(core, "NdDmaDci", where,
         {Rule::kInstructionUnsupported, "", "the chip has no NDDMA, and no cache of its own", core.chip().name,
          AscendCFamilies([](const soc::Chip& chip) { return chip.Has(isa::Api::kAscendC, isa::Opcode::nddma); }),
          "leave the call out"});
}

void dn2nz(const Ends& ends, const AscendC::Dn2NzParams& p) {
    runtime::Core& core = ThisCore("DataCopy");
    isa::Record r(isa::Opcode::dn2nz);
    if (!SetEnds(core, "DataCopy", ends, &r)) return;
    r.Set(isa::Dn2Nz{.dn_count = p.dnNum,
                     .n = p.nValue,
                     .d = p.dValue,
                     .src_dn_stride = p.srcDnMatrixStride,
                     .src_d = p.srcDValue,
                     .dst_c0_stride = p.dstNzC0Stride,
                     .dst_n_stride = p.dstNzNStride,
                     .dst_dn_stride = p.dstNzMatrixStride});
    core.Issue(r);
}

}  // namespace sfumato::ascendc
