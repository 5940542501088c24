// SPDX-License-Identifier: Apache-2.0
// Wrong programs of several ranks: memory that is another rank's, and what lies behind a window.
#include "sanitize/ranks/rank_programs.h"

namespace sfumato::ranks {

const Table kBounds(__FILE__, {
                                  {"a_part_past_the_window", "window-range",
                                   [](Kernel& k) {
                                       Store(k.At(k.next, (64 << 10) - (k.right ? 512 : 256) * (k.rank + 1), 128),
                                             k.data);
                                   }},
                                  {"a_read_past_the_window", "window-range",
                                   [](Kernel& k) { k.Load(k.At(k.next, (64 << 10) - (k.right ? 1024 : 992), 256)); }},
                                  {"a_workspace_of_another_rank", "remote-access",
                                   [](Kernel& k) { k.Load(Gm<int32_t>(k.right ? k.own : k.own_of[k.next], 8)); }},
                              });

}  // namespace sfumato::ranks
