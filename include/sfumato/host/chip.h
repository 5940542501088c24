// SPDX-License-Identifier: Apache-2.0
// The chip a host program was compiled for: SFUMATO_CHIP of the build, else the family of __NPU_ARCH__.
#pragma once

#ifndef SFUMATO_CHIP
#if !defined(__NPU_ARCH__)
#error \
    "define the chip, e.g. -D__NPU_ARCH__=2201 (Ascend910B), 1001 (Ascend910), 2002 (Ascend310P), 3002 (Ascend310B), 3510 (Ascend950), or use sfumato build --chip or sfumato_add_kernel(... CHIP ...)"
#elif __NPU_ARCH__ == 1001
#define SFUMATO_CHIP "Ascend910"
#elif __NPU_ARCH__ == 2002
#define SFUMATO_CHIP "Ascend310P"
#elif __NPU_ARCH__ == 2201
#define SFUMATO_CHIP "Ascend910B"
#elif __NPU_ARCH__ == 3002
#define SFUMATO_CHIP "Ascend310B"
#elif __NPU_ARCH__ == 3510
#define SFUMATO_CHIP "Ascend950"
#else
#error \
    "unknown __NPU_ARCH__; legal are 1001 (Ascend910), 2002 (Ascend310P), 2201 (Ascend910B), 3002 (Ascend310B), 3510 (Ascend950)"
#endif
#endif
