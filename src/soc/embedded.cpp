// SPDX-License-Identifier: Apache-2.0
// The chip files as one array.
#include "soc/embedded.h"

namespace sfumato::soc {

std::span<const EmbeddedFile> ChipFiles() {
    static constexpr EmbeddedFile kFiles[] = {
#include "chip_files.inc"
    };
    return kFiles;
}

}  // namespace sfumato::soc
