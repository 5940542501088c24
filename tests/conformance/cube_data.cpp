// SPDX-License-Identifier: Apache-2.0
// Random elements by kind.
#include "conformance/cube_data.h"

#include "oracle/mmad_oracle.h"

namespace sfumato::conformance {
namespace {

struct Fields {
    uint32_t fraction, exponent;  // bits
};
Fields FieldsOf(DataType type) {
    switch (type) {
        case DataType::kHalf: return {10, 5};
        case DataType::kBfloat16: return {7, 8};
        default: return {23, 8};
    }
}

uint64_t Mask(uint32_t bits) { return (uint64_t{1} << bits) - 1; }

// A number with an exponent field in [low, high].
uint64_t WithExponent(Random& random, Fields f, int64_t low, int64_t high) {
    const uint64_t exponent = static_cast<uint64_t>(random.Between(low, high));
    const uint64_t sign = random.Bits() & 1;
    return (sign << f.exponent | exponent) << f.fraction | (random.Bits() & Mask(f.fraction));
}

uint64_t Special(Random& random, Fields f) {
    const uint64_t infinity = Mask(f.exponent) << f.fraction;
    const uint64_t sign = (random.Bits() & 1) << (f.exponent + f.fraction);
    switch (random.Number(0, 5)) {
        case 0: return sign | infinity;
        case 1: return sign | infinity | (random.Bits() & Mask(f.fraction)) | 1;  // NaN of any payload
        case 2: return sign;
        case 3: return sign | (random.Bits() & Mask(f.fraction));  // subnormal
        case 4: return sign | (infinity - 1);                      // largest finite
        default: return sign | 1;
    }
}

}  // namespace

Data DrawData(Random& random) {
    return random.Pick(
        {Data::kSmallIntegers, Data::kOrdinary, Data::kOrdinary, Data::kSprinkled, Data::kExtreme, Data::kAnyBits});
}

uint64_t DrawElement(Random& random, DataType type, Data data) {
    const uint32_t bits = BitsOf(type);
    if (!IsFloating(type)) {
        if (data == Data::kSmallIntegers) return static_cast<uint64_t>(random.Between(-8, 7)) & Mask(bits);
        if (data == Data::kExtreme) {  // the ends, whose products are largest
            const bool is_unsigned = type == DataType::kUint8 || type == DataType::kUint32;
            const uint64_t lowest = is_unsigned ? 0 : uint64_t{1} << (bits - 1);
            return random.Chance(80) ? lowest : (lowest - 1) & Mask(bits);
        }
        if (bits == 32 && data == Data::kOrdinary)
            return static_cast<uint64_t>(random.Between(-70000, 70000)) & Mask(bits);
        return random.Bits() & Mask(bits);
    }
    const Fields f = FieldsOf(type);
    const int64_t bias = static_cast<int64_t>(Mask(f.exponent - 1)), last = static_cast<int64_t>(Mask(f.exponent));
    bool ignored = false;
    switch (data) {
        case Data::kSmallIntegers:
            return oracle::BitsOfFloat(type, static_cast<float>(random.Between(-8, 8)), Overflow::kInfNan, &ignored);
        case Data::kSprinkled:
            if (random.Bits() % 400 == 0) return Special(random, f);
            [[fallthrough]];
        case Data::kOrdinary: return WithExponent(random, f, bias - 4, bias + 4);
        case Data::kExtreme:
            switch (random.Number(0, 3)) {
                case 0: return WithExponent(random, f, 0, 3);
                case 1: return WithExponent(random, f, last - 4, last - 1);
                case 2: return WithExponent(random, f, bias / 2 - 3, bias / 2 + 3);  // products close to the smallest
                default: return WithExponent(random, f, 0, last - 1);
            }
        default: return random.Bits() & Mask(bits);
    }
}

}  // namespace sfumato::conformance
