// SPDX-License-Identifier: Apache-2.0
// Sizes of types, and half to float and back (framework.md 5.3).
#include <bit>

#include "acl/acl_base.h"
#include "numeric/convert.h"

namespace {

using sfumato::DataType;

uint64_t ConvertBits(DataType from, DataType to, uint64_t bits) {
    return sfumato::numeric::Convert(from, to, sfumato::Rounding::kRint, sfumato::Overflow::kInfNan, bits).bits;
}

}  // namespace

size_t aclDataTypeSize(aclDataType type) {
    switch (type) {
        case ACL_INT8:
        case ACL_UINT8:
        case ACL_BOOL:
        case ACL_HIFLOAT8:
        case ACL_FLOAT8_E5M2:
        case ACL_FLOAT8_E4M3FN:
        case ACL_FLOAT8_E8M0: return 1;
        case ACL_FLOAT16:
        case ACL_BF16:
        case ACL_INT16:
        case ACL_UINT16: return 2;
        case ACL_FLOAT:
        case ACL_INT32:
        case ACL_UINT32:
        case ACL_COMPLEX32: return 4;
        case ACL_INT64:
        case ACL_UINT64:
        case ACL_DOUBLE:
        case ACL_COMPLEX64: return 8;
        case ACL_COMPLEX128: return 16;
        default: return 0;
    }
}

aclFloat16 aclFloatToFloat16(float value) {
    return static_cast<aclFloat16>(ConvertBits(DataType::kFloat, DataType::kHalf, std::bit_cast<uint32_t>(value)));
}
float aclFloat16ToFloat(aclFloat16 value) {
    return std::bit_cast<float>(static_cast<uint32_t>(ConvertBits(DataType::kHalf, DataType::kFloat, value)));
}
