// SPDX-License-Identifier: Apache-2.0
// The classes of the suite, in the order of its table.
#include "sanitize/pairs/runner.h"

namespace sfumato::pairs {

const std::vector<Class>& Classes() {
    static const std::vector<Class> kClasses = {
        {"vector-pipes", VectorPipePairs},                   // vector_pipes.cpp
        {"scalar-pipes", ScalarPipePairs},                   // scalar_pipes.cpp
        {"aic-pipes", AicPipePairs},                         // aic_pipes.cpp
        {"aic-returns", AicReturnPairs},                     // aic_returns.cpp
        {"coupled-pipes", CoupledPipePairs},                 // coupled_pipes.cpp
        {"one-pipe", SamePipePairs},                         // same_pipe.cpp
        {"neighbouring-bytes", ExactPairs},                  // exact.cpp
        {"order", OrderPairs},                               // order.cpp
        {"queues", QueuePairs},                              // queues.cpp
        {"buffers", BufferPairs},                            // buffers.cpp
        {"cube-queues", CubeQueuePairs},                     // cube_queues.cpp
        {"events", EventPairs},                              // events.cpp
        {"kernels", KernelPairs},                            // kernels.cpp
        {"static-tensors", StaticTensorPairs},               // static_tensors.cpp
        {"cores-tiles", CoreTilePairs},                      // core_tiles.cpp
        {"cores-sync", CoreSyncPairs},                       // core_sync.cpp
        {"cores-atomics", CoreAtomicPairs},                  // core_atomics.cpp
        {"cores-mix", CoreMixPairs},                         // core_mix.cpp
        {"polling", PollingPairs},                           // polling.cpp
        {"cache-lines", CacheLinePairs},                     // cache_lines.cpp
        {"cube-buffers", CubeBufferPairs},                   // cube_buffers.cpp
        {"uninitialised-lanes", UninitialisedLanePairs},     // uninitialised_lanes.cpp
        {"uninitialised-memory", UninitialisedMemoryPairs},  // uninitialised_memory.cpp
        {"outputs", OutputPairs},                            // outputs.cpp
        {"numbers", NumberPairs},                            // numbers.cpp
        {"last-bits", LastBitPairs},                         // last_bits.cpp
        {"left-behind", LeftBehindPairs},                    // left_behind.cpp
        {"sources-reused", SourceReusedPairs},               // sources_reused.cpp
        {"matmuls", MatmulPairs},                            // matmuls.cpp
        {"harmless", HarmlessPairs},                         // harmless.cpp
        {"reported-pipes", ReportedPipePairs},               // reported_pipes.cpp
        {"reported-cube", ReportedCubePairs},                // reported_cube.cpp
        {"reported-cores", ReportedCorePairs},               // reported_cores.cpp
    };
    return kClasses;
}

}  // namespace sfumato::pairs
