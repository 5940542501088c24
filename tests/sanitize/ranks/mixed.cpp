// SPDX-License-Identifier: Apache-2.0
// Wrong programs of several ranks: mixed kernels, whose cube core hands tiles to vector cores that exchange them.
#include "sanitize/ranks/rank_programs.h"

namespace sfumato::ranks {
namespace {

// Flags between the cores of a block.
constexpr uint16_t kTileReady = 1, kTileTaken = 2, kBothThere = 3;
// Bytes of a window: flags of ranks, one for each vector core; what gives a tile free; a count; tiles of ranks.
uint32_t TileFlag(uint32_t rank, uint32_t half = 0) { return 64 * (2 * rank + half); }
constexpr uint32_t kTileFree = 2048, kTellers = 4096, kTileBytes = 1024, kHalfTile = 512;
uint32_t TileOf(uint32_t rank, uint32_t half = 0) { return 8192 + kTileBytes * rank + kHalfTile * half; }

// A product of 16 x 16 of the cube core, in L0C.
class Product {
public:
    explicit Product(uint32_t value) {
        pipe_.InitBuffer(l1_buffer_, kTileBytes / 2);
        pipe_.InitBuffer(a_buffer_, kTileBytes / 2);
        pipe_.InitBuffer(b_buffer_, kTileBytes / 2);
        pipe_.InitBuffer(c_buffer_, kTileBytes);
        auto l1 = l1_buffer_.Get<half>();
        InitConstValue(l1, {1, 16, 0, half(static_cast<float>(value))});
        PipeBarrier<PIPE_ALL>();
        Multiply();
    }
    // Of what lies in GM, as fractals of halves.
    explicit Product(const GlobalTensor<int32_t>& from) : Product(0) {
        DataCopy(l1_buffer_.Get<half>().ReinterpretCast<int32_t>(), from, 128);
        PipeBarrier<PIPE_ALL>();
        Multiply();
    }
    // 1024 bytes; the barrier is the program's.
    void Store(const GlobalTensor<int32_t>& to, CallSite site = CallSite::Here()) {
        auto* const at = reinterpret_cast<uint8_t*>(const_cast<int32_t*>(to.GetPhyAddr()));
        Fixpipe(Gm<float>(at, 256), c_buffer_.Get<float>(), FixpipeParamsV220(16, 16, 16, 16, false), site);
    }

private:
    void Multiply() {
        auto a = a_buffer_.Get<half>(), b = b_buffer_.Get<half>();
        const LoadData2DParams one(0, 1, 1, 0, 0, false, 0);
        LoadData(a, l1_buffer_.Get<half>(), one);
        LoadData(b, l1_buffer_.Get<half>(), one);
        PipeBarrier<PIPE_ALL>();
        Mmad(c_buffer_.Get<float>(), a, b, MmadParams(16, 16, 16, 0, false, true));
        PipeBarrier<PIPE_ALL>();
    }
    TPipe pipe_;
    TBuf<TPosition::A1> l1_buffer_;
    TBuf<TPosition::A2> a_buffer_;
    TBuf<TPosition::B2> b_buffer_;
    TBuf<TPosition::CO1> c_buffer_;
};

GlobalTensor<int32_t> Workspace(const Kernel& k) { return Gm<int32_t>(k.own, 256); }
// What a vector core has of it.
GlobalTensor<int32_t> HalfTile(const Kernel& k) { return Gm<int32_t>(k.own + kHalfTile * k.core, 128); }
void AwaitTile(Kernel& k, uint32_t flag, uint32_t value = 1) {
    while (k.Load(k.At(k.rank, flag)) < static_cast<int32_t>(value)) {
    }
}
// The cube core's part: two tiles in one place. waits: until the vector cores have taken the first.
void StoreTwoTiles(const Kernel& k, bool waits) {
    for (uint32_t i = 0; i < 2; ++i) {
        Product product(k.rank + i);
        if (waits && i == 1) CrossCoreWaitFlag<2, PIPE_FIX>(kTileTaken);
        product.Store(Workspace(k));
        CrossCoreSetFlag<2, PIPE_FIX>(kTileReady);
        PipeBarrier<PIPE_ALL>();
    }
}
// A vector core's half of the tile in the workspace, to the next rank.
void SendHalf(Kernel& k) {
    k.Load(HalfTile(k));
    DataCopy(k.At(k.next, TileOf(k.rank, k.core), 128), k.seen, 128);
    Drain();
}
void TellHalf(Kernel& k) {
    Store(k.At(k.next, TileFlag(k.rank, k.core)), k.flag);
    Drain();
    AwaitTile(k, TileFlag(k.before, k.core), k.round);
    k.Load(k.At(k.rank, TileOf(k.before, k.core), 128));
}

}  // namespace

const Table kTiles(__FILE__, {
                                 {"a_tile_is_sent_before_the_cube_core_has_stored_it", "race-cores",
                                  [](Kernel& k) {
                                      if ASCEND_IS_AIC {
                                          Product(k.rank + 1).Store(Workspace(k));
                                          if (k.right) CrossCoreSetFlag<2, PIPE_FIX>(kTileReady);
                                          return;
                                      }
                                      if (k.right) CrossCoreWaitFlag<2, PIPE_MTE2>(kTileReady);
                                      SendHalf(k);
                                      TellHalf(k);
                                  },
                                  2, 1, 1, "races", UINT32_MAX, CoreChoice::kMix},
                                 {"the_flag_of_a_tile_is_set_behind_Mmad", "race-cores",
                                  [](Kernel& k) {
                                      if ASCEND_IS_AIC {
                                          Product product(k.rank + 1);  // when it ends, all has been stored
                                          product.Store(Workspace(k));
                                          k.right ? CrossCoreSetFlag<2, PIPE_FIX>(kTileReady)
                                                  : CrossCoreSetFlag<2, PIPE_M>(kTileReady);
                                          return;
                                      }
                                      CrossCoreWaitFlag<2, PIPE_MTE2>(kTileReady);
                                      SendHalf(k);
                                      TellHalf(k);
                                  },
                                  2, 1, 1, "races", UINT32_MAX, CoreChoice::kMix},
                                 {"the_next_tile_comes_over_one_that_is_not_sent", "race-cores",
                                  [](Kernel& k) {
                                      if ASCEND_IS_AIC {
                                          return StoreTwoTiles(k, k.right);
                                      }
                                      for (uint32_t i = 0; i < 2; ++i) {
                                          CrossCoreWaitFlag<2, PIPE_MTE2>(kTileReady);
                                          k.Load(HalfTile(k));
                                          if (k.right && i == 0) CrossCoreSetFlag<2, PIPE_MTE2>(kTileTaken);
                                          DataCopy(k.At(k.next, TileOf(2 * i + k.rank, k.core), 128), k.seen, 128);
                                          Drain();
                                      }
                                      TellHalf(k);
                                  },
                                  2, 1, 1, "races", UINT32_MAX, CoreChoice::kMix},
                                 {"one_vector_core_tells_of_both_halves", "race-ranks",
                                  [](Kernel& k) {
                                      if ASCEND_IS_AIC {
                                          Product(k.rank + 1).Store(Workspace(k));
                                          CrossCoreSetFlag<2, PIPE_FIX>(kTileReady);
                                          return;
                                      }
                                      CrossCoreWaitFlag<2, PIPE_MTE2>(kTileReady);
                                      SendHalf(k);
                                      if (k.right) {
                                          CrossCoreSetFlag<1, PIPE_MTE3>(kBothThere);
                                          CrossCoreWaitFlag<1, PIPE_MTE3>(kBothThere);
                                      }
                                      if (k.core == 0) return;
                                      Store(k.At(k.next, TileFlag(k.rank)), k.one);
                                      AwaitTile(k, TileFlag(k.before));
                                      k.Load(k.At(k.rank, TileOf(k.before), 256));
                                  },
                                  2, 1, 1, "races", UINT32_MAX, CoreChoice::kMix},
                                 {"one_vector_core_gives_both_halves_free", "race-ranks",
                                  [](Kernel& k) {
                                      if ASCEND_IS_AIC
                                          return;
                                      if (k.rank == 0) {
                                          for (uint32_t i = 1; i <= 2; ++i) {
                                              Kernel::Fill(k.flag, static_cast<int32_t>(i));
                                              Kernel::Fill(k.data, static_cast<int32_t>(100 * i));
                                              Store(k.At(1, TileOf(0, k.core), 128), k.data);
                                              Drain();
                                              Store(k.At(1, TileFlag(0, k.core)), k.flag);
                                              Drain();
                                              AwaitTile(k, kTileFree, i);
                                          }
                                          return;
                                      }
                                      for (uint32_t i = 1; i <= 2; ++i) {
                                          Kernel::Fill(k.flag, static_cast<int32_t>(i));
                                          AwaitTile(k, TileFlag(0, k.core), i);
                                          k.Load(k.At(1, TileOf(0, k.core), 128));
                                          DataCopy(HalfTile(k), k.seen, 128);
                                          if (k.right) {
                                              CrossCoreSetFlag<1, PIPE_MTE2>(kBothThere);
                                              CrossCoreWaitFlag<1, PIPE_MTE3>(kBothThere);
                                          }
                                          if (k.core == 1) Store(k.At(0, kTileFree), k.flag);
                                          Drain();
                                      }
                                  },
                                  2, 1, 1, "races", UINT32_MAX, CoreChoice::kMix},
                                 {"a_product_goes_to_the_window_and_its_flag_overtakes_it", "race-ranks",
                                  [](Kernel& k) {
                                      if ASCEND_IS_AIC {
                                          Product product(k.rank + 1);  // when it ends, all has been stored
                                          product.Store(k.At(k.next, TileOf(k.rank), 256));
                                          k.right ? CrossCoreSetFlag<2, PIPE_FIX>(kTileReady)
                                                  : CrossCoreSetFlag<2, PIPE_M>(kTileReady);
                                          return;
                                      }
                                      CrossCoreWaitFlag<2, PIPE_MTE3>(kTileReady);
                                      TellHalf(k);
                                  },
                                  2, 1, 1, "races", UINT32_MAX, CoreChoice::kMix},
                                 {"the_cube_core_loads_rows_before_they_have_come", "race-ranks",
                                  [](Kernel& k) {
                                      if ASCEND_IS_AIC {
                                          if (k.right) CrossCoreWaitFlag<2, PIPE_MTE2>(kTileReady);
                                          Product(k.At(k.rank, TileOf(k.before), 128)).Store(Workspace(k));
                                          return;
                                      }
                                      Store(k.At(k.next, TileOf(k.rank, k.core), 128), k.data);
                                      Drain();
                                      TellHalf(k);
                                      if (k.right) CrossCoreSetFlag<2, PIPE_MTE2>(kTileReady);
                                  },
                                  2, 1, 1, "races", UINT32_MAX, CoreChoice::kMix},
                                 {"both_vector_cores_keep_one_counter", "race-cores",
                                  [](Kernel& k) {
                                      if ASCEND_IS_AIC
                                          return;
                                      const auto counter = k.At(k.rank, kTellers + (k.right ? 64 * k.core : 0));
                                      Kernel::Fill(k.flag, k.Load(counter) + 1);
                                      Store(counter, k.flag);
                                      Drain();
                                      TellHalf(k);
                                  },
                                  2, 1, 1, "races", UINT32_MAX, CoreChoice::kMix},
                             });

const Table kTileHangs(__FILE__, {
                                     {"no_flag_for_a_tile_without_rows", "deadlock",
                                      [](Kernel& k) {
                                          const uint32_t rows = k.rank == 1 ? 0 : 16;
                                          if ASCEND_IS_AIC {
                                              if (rows != 0) Product(k.rank).Store(Workspace(k));
                                              if (rows != 0 || k.right) CrossCoreSetFlag<2, PIPE_FIX>(kTileReady);
                                              return;
                                          }
                                          CrossCoreWaitFlag<2, PIPE_MTE2>(kTileReady);
                                          if (rows != 0) SendHalf(k);
                                          Store(k.At(k.next, TileFlag(k.rank, k.core)), k.flag);
                                          AwaitTile(k, TileFlag(k.before, k.core), k.round);
                                      },
                                      3, 1, 1, "races", UINT32_MAX, CoreChoice::kMix},
                                     {"a_vector_core_without_rows_takes_no_tile", "deadlock",
                                      [](Kernel& k) {
                                          if ASCEND_IS_AIC {
                                              return StoreTwoTiles(k, true);
                                          }
                                          for (uint32_t i = 0; i < 2; ++i) {
                                              CrossCoreWaitFlag<2, PIPE_MTE2>(kTileReady);
                                              const bool has_rows = k.rank != 1 || k.core == 0;
                                              if (has_rows) k.Load(HalfTile(k));
                                              if (i == 0 && (has_rows || k.right))
                                                  CrossCoreSetFlag<2, PIPE_MTE2>(kTileTaken);
                                          }
                                          Store(k.At(k.next, TileFlag(k.rank, k.core)), k.flag);
                                          AwaitTile(k, TileFlag(k.before, k.core), k.round);
                                      },
                                      2, 1, 1, "races", UINT32_MAX, CoreChoice::kMix},
                                     {"a_cube_core_without_rows_leaves_before_SyncAll", "deadlock",
                                      [](Kernel& k) {
                                          if ASCEND_IS_AIC {
                                              if (k.rank == 1 && !k.right) return;
                                              Product(k.rank).Store(Workspace(k));
                                              SyncAll<false>();
                                              return;
                                          }
                                          SyncAll<false>();
                                          SendHalf(k);
                                          TellHalf(k);
                                      },
                                      2, 1, 1, "races", UINT32_MAX, CoreChoice::kMix},
                                     {"only_the_first_vector_core_tells", "deadlock",
                                      [](Kernel& k) {
                                          if ASCEND_IS_AIC
                                              return;
                                          SetAtomicAdd<int32_t>();
                                          if (k.core == 0 || k.right) Store(k.At(k.next, kTellers), k.one);
                                          SetAtomicNone();
                                          Drain();
                                          AwaitTile(k, kTellers, 2);
                                      },
                                      2, 1, 1, "races", UINT32_MAX, CoreChoice::kMix},
                                 });

}  // namespace sfumato::ranks
