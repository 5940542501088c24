// SPDX-License-Identifier: Apache-2.0
// Sizes of types, and half to float and back (framework.md 5.3).
#include <bit>

#include "acl/acl_base.h"
#include "host/type_bits.h"
#include "numeric/convert.h"

namespace {

using sfumato::DataType;

uint64_t ConvertBits(DataType from, DataType to, uint64_t bits) {
    return sfumato::numeric::Convert(from, to, sfumato::Rounding::kRint, sfumato::Overflow::kInfNan, bits).bits;
}

}  // namespace

size_t aclDataTypeSize(aclDataType type) {
    // Numbers that ge::DataType alone has.
    if ((type > ACL_STRING && type < ACL_COMPLEX64) || (type > ACL_COMPLEX128 && type < ACL_BF16)) return 0;
    return sfumato::host::TypeBits(type) / 8;
}

aclFloat16 aclFloatToFloat16(float value) {
    return static_cast<aclFloat16>(ConvertBits(DataType::kFloat, DataType::kHalf, std::bit_cast<uint32_t>(value)));
}
float aclFloat16ToFloat(aclFloat16 value) {
    return std::bit_cast<float>(static_cast<uint32_t>(ConvertBits(DataType::kHalf, DataType::kFloat, value)));
}
