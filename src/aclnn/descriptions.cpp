// SPDX-License-Identifier: Apache-2.0
// Descriptions, buffers and attributes of single-operator calls (framework.md 5.6).
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdarg>

#include "aclnn/handles.h"
#include "host/type_bits.h"

namespace sfumato::aclnn {
namespace {

constexpr int64_t kUnknown = -1, kUnknownRank = -2;

aclError Code(aclnnStatus refused) { return refused ? ACL_ERROR_INVALID_PARAM : ACL_SUCCESS; }

// What `value` says of a live object, else `none` and a report.
template <class T, class Value>
Value Ask(const char* call, const T* object, Value (*value)(const T&), Value none) {
    if (object && IsLive(object)) return value(*object);
    RefuseObject(call, kTypeName<T>, object);
    return none;
}
template <class T, class Change>
aclError Set(const char* call, T* object, Change change) {
    if (!object || !IsLive(object)) return Code(RefuseObject(call, kTypeName<T>, object));
    return change(*object);
}

// False after a refusal.
bool TakeDims(const AclCall& call, int count, const int64_t* dims, std::vector<int64_t>& taken) {
    if (count < 0 || static_cast<uint64_t>(count) > kMostDims) {
        RefuseArgument(call, "numDims", "a tensor cannot have so many dimensions", fmt::format("{}", count),
                       fmt::format("0 to {}", kMostDims));
        return false;
    }
    if (count && !dims) {
        RefuseArgument(call, "dims", "there are no values", "nullptr", fmt::format("{} values", count));
        return false;
    }
    taken.assign(dims, dims + count);
    const bool no_rank = taken == std::vector<int64_t>{kUnknownRank};
    if (no_rank || std::ranges::all_of(taken, [](int64_t d) { return d >= kUnknown; })) return true;
    RefuseArgument(call, "dims", "a dimension is negative", fmt::format("[{}]", fmt::join(taken, ", ")),
                   "0 or more, -1 for one that is not known, or -2 alone for no known number of them");
    return false;
}

aclError SetDims(const char* name, aclTensorDesc* desc, int count, const int64_t* dims, bool storage) {
    return Set(name, desc, [&](aclTensorDesc& d) {
        if (!TakeDims(name, count, dims, storage ? d.storage : d.dims)) return ACL_ERROR_INVALID_PARAM;
        d.has_storage |= storage;
        return ACL_SUCCESS;
    });
}
aclError SetFormat(const char* name, aclTensorDesc* desc, aclFormat aclTensorDesc::*member, aclFormat format) {
    return Set(name, desc, [&](aclTensorDesc& d) {
        d.*member = format;
        return ACL_SUCCESS;
    });
}
bool HasRank(const aclTensorDesc& d) { return d.dims.size() != 1 || d.dims[0] != kUnknownRank; }

uint64_t Bits(const aclTensorDesc& d) { return d.Count() * host::TypeBits(d.type); }

template <class Value>
aclError SetAttr(const char* call, aclopAttr* attr, const char* name, Value value) {
    return Set(call, attr, [&](aclopAttr& a) {
        if (!name)
            return RefuseArgument(call, "attrName", "there is no name", "nullptr", "a text"), ACL_ERROR_INVALID_PARAM;
        a.values[name] = std::move(value);
        return ACL_SUCCESS;
    });
}
// List is what operators read; the caller's values may be of a smaller type.
template <class List, class T>
aclError SetList(const char* call, aclopAttr* attr, const char* name, int count, const T* values) {
    if (count < 0 || (count && !values)) {
        RefuseArgument(call, count < 0 ? "numValues" : "values", "there are no values",
                       count < 0 ? fmt::format("{}", count) : "nullptr", "as many values as numValues says");
        return ACL_ERROR_INVALID_PARAM;
    }
    return SetAttr(call, attr, name, List(values, values + count));
}

}  // namespace
}  // namespace sfumato::aclnn

using namespace sfumato::aclnn;

bool aclTensorDesc::IsKnown() const {
    return std::ranges::all_of(dims, [](int64_t d) { return d >= 0; });
}
uint64_t aclTensorDesc::Count() const {
    if (!IsKnown()) return 0;
    uint64_t count = 1;
    for (const int64_t d : dims) count *= static_cast<uint64_t>(d);
    return count;
}

aclDataBuffer* aclCreateDataBuffer(void* data, size_t size) { return New(aclDataBuffer{data, size}); }
aclError aclDestroyDataBuffer(const aclDataBuffer* buffer) { return Code(Destroy("aclDestroyDataBuffer", buffer)); }
aclError aclUpdateDataBuffer(aclDataBuffer* buffer, void* data, size_t size) {
    return Set("aclUpdateDataBuffer", buffer, [&](aclDataBuffer& b) {
        b = {data, size};
        return ACL_SUCCESS;
    });
}
void* aclGetDataBufferAddr(const aclDataBuffer* buffer) {
    return Ask<aclDataBuffer, void*>(
        "aclGetDataBufferAddr", buffer, [](const aclDataBuffer& b) { return b.data; }, nullptr);
}
uint32_t aclGetDataBufferSize(const aclDataBuffer* buffer) {
    return Ask<aclDataBuffer, uint32_t>(
        "aclGetDataBufferSize", buffer, [](const aclDataBuffer& b) { return static_cast<uint32_t>(b.size); }, 0);
}
size_t aclGetDataBufferSizeV2(const aclDataBuffer* buffer) {
    return Ask<aclDataBuffer, size_t>(
        "aclGetDataBufferSizeV2", buffer, [](const aclDataBuffer& b) { return b.size; }, 0);
}

aclTensorDesc* aclCreateTensorDesc(aclDataType type, int count, const int64_t* dims, aclFormat format) {
    const AclCall call = "aclCreateTensorDesc";
    aclTensorDesc d;
    if (!TakeDims(call, count, dims, d.dims)) return nullptr;
    const uint32_t bits = sfumato::host::TypeBits(type);  // ge::DataType has numbers that aclDataType has not
    if (type != ACL_DT_UNDEFINED && type != ACL_STRING && !aclDataTypeSize(type) && (bits == 0 || bits >= 8))
        return RefuseArgument(call, "dataType", "tensors have no such type", fmt::format("{}", static_cast<int>(type)),
                              "an aclDataType");
    d.type = type;
    d.format = format;
    return New(std::move(d));
}
void aclDestroyTensorDesc(const aclTensorDesc* desc) { Destroy("aclDestroyTensorDesc", desc); }
aclDataType aclGetTensorDescType(const aclTensorDesc* desc) {
    return Ask<aclTensorDesc, aclDataType>(
        "aclGetTensorDescType", desc, [](const aclTensorDesc& d) { return d.type; }, ACL_DT_UNDEFINED);
}
aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc) {
    return Ask<aclTensorDesc, aclFormat>(
        "aclGetTensorDescFormat", desc, [](const aclTensorDesc& d) { return d.format; }, ACL_FORMAT_UNDEFINED);
}
size_t aclGetTensorDescSize(const aclTensorDesc* desc) {
    return Ask<aclTensorDesc, size_t>(
        "aclGetTensorDescSize", desc, [](const aclTensorDesc& d) { return size_t{(Bits(d) + 7) / 8}; }, 0);
}
size_t aclGetTensorDescElementCount(const aclTensorDesc* desc) {
    return Ask<aclTensorDesc, size_t>(
        "aclGetTensorDescElementCount", desc, [](const aclTensorDesc& d) { return size_t{d.Count()}; }, 0);
}
size_t aclGetTensorDescNumDims(const aclTensorDesc* desc) {
    return Ask<aclTensorDesc, size_t>(
        "aclGetTensorDescNumDims", desc,
        [](const aclTensorDesc& d) { return HasRank(d) ? d.dims.size() : size_t{ACL_UNKNOWN_RANK}; }, 0);
}
int64_t aclGetTensorDescDim(const aclTensorDesc* desc, size_t index) {
    int64_t size = -1;
    return aclGetTensorDescDimV2(desc, index, &size) ? -1 : size;
}
aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index, int64_t* size) {
    const AclCall call = "aclGetTensorDescDimV2";
    return Set("aclGetTensorDescDimV2", desc, [&](const aclTensorDesc& d) {
        if (!size) return call.RefuseNull("dimSize");
        if (HasRank(d) && index < d.dims.size()) return *size = d.dims[index], ACL_SUCCESS;
        RefuseArgument(
            call, "index", "the description has no such dimension", fmt::format("{}", index),
            HasRank(d) ? fmt::format("below {}", d.dims.size()) : "a description whose number of dimensions is known");
        return ACL_ERROR_INVALID_PARAM;
    });
}
aclError aclGetTensorDescDimRange(const aclTensorDesc* desc, size_t index, size_t count, int64_t* range) {
    const AclCall call = "aclGetTensorDescDimRange";
    return Set("aclGetTensorDescDimRange", desc, [&](const aclTensorDesc& d) {
        if (!range) return call.RefuseNull("dimRange");
        if (count >= 2 && index < d.ranges.size()) {
            range[0] = d.ranges[index].first;
            range[1] = d.ranges[index].second;
            return ACL_SUCCESS;
        }
        RefuseArgument(call, count < 2 ? "dimRangeNum" : "index",
                       count < 2 ? "there is no place for a range" : "the description has no range of this dimension",
                       fmt::format("{}", count < 2 ? count : index),
                       count < 2 ? "2" : fmt::format("below {}, of aclSetTensorShapeRange", d.ranges.size()));
        return ACL_ERROR_INVALID_PARAM;
    });
}
void aclSetTensorDescName(aclTensorDesc* desc, const char* name) {
    Set("aclSetTensorDescName", desc, [&](aclTensorDesc& d) {
        d.name = name ? name : "";
        return ACL_SUCCESS;
    });
}
const char* aclGetTensorDescName(aclTensorDesc* desc) {
    return Ask<aclTensorDesc, const char*>(
        "aclGetTensorDescName", desc, [](const aclTensorDesc& d) { return d.name.c_str(); }, "");
}
aclError aclSetTensorShapeRange(aclTensorDesc* desc, size_t count, int64_t range[][ACL_TENSOR_SHAPE_RANGE_NUM]) {
    const AclCall call = "aclSetTensorShapeRange";
    return Set("aclSetTensorShapeRange", desc, [&](aclTensorDesc& d) {
        if (count && !range) return call.RefuseNull("dimsRange");
        d.ranges.clear();
        for (size_t i = 0; i < count; ++i) d.ranges.emplace_back(range[i][0], range[i][1]);
        return ACL_SUCCESS;
    });
}
aclError aclSetTensorValueRange(aclTensorDesc* desc, size_t, int64_t[][ACL_TENSOR_VALUE_RANGE_NUM]) {
    return Set("aclSetTensorValueRange", desc, [](aclTensorDesc&) { return ACL_SUCCESS; });
}
aclError aclSetTensorFormat(aclTensorDesc* desc, aclFormat format) {
    return SetFormat("aclSetTensorFormat", desc, &aclTensorDesc::storage_format, format);
}
aclError aclSetTensorStorageFormat(aclTensorDesc* desc, aclFormat format) {
    return SetFormat("aclSetTensorStorageFormat", desc, &aclTensorDesc::storage_format, format);
}
aclError aclSetTensorOriginFormat(aclTensorDesc* desc, aclFormat format) {
    return SetFormat("aclSetTensorOriginFormat", desc, &aclTensorDesc::format, format);
}
aclError aclSetTensorShape(aclTensorDesc* desc, int count, const int64_t* dims) {
    return SetDims("aclSetTensorShape", desc, count, dims, true);
}
aclError aclSetTensorStorageShape(aclTensorDesc* desc, int count, const int64_t* dims) {
    return SetDims("aclSetTensorStorageShape", desc, count, dims, true);
}
aclError aclSetTensorOriginShape(aclTensorDesc* desc, int count, const int64_t* dims) {
    return SetDims("aclSetTensorOriginShape", desc, count, dims, false);
}
aclError aclSetTensorDynamicInput(aclTensorDesc* desc, const char* name) {
    const AclCall call = "aclSetTensorDynamicInput";
    return Set("aclSetTensorDynamicInput", desc, [&](aclTensorDesc& d) {
        if (!name) {
            RefuseArgument(call, "dynamicInputName", "there is no name", "nullptr", "a text");
            return ACL_ERROR_INVALID_PARAM;
        }
        d.dynamic_input = name;
        return ACL_SUCCESS;
    });
}
aclError aclSetTensorConst(aclTensorDesc* desc, void* values, size_t length) {
    const AclCall call = "aclSetTensorConst";
    return Set("aclSetTensorConst", desc, [&](aclTensorDesc& d) {
        if (length && !values) {
            RefuseArgument(call, "dataBuffer", "there are no values", "nullptr", fmt::format("{} bytes", length));
            return ACL_ERROR_INVALID_PARAM;
        }
        d.constant = true;
        d.values.assign(static_cast<const char*>(values), length);
        return ACL_SUCCESS;
    });
}
aclError aclSetTensorPlaceMent(aclTensorDesc* desc, aclMemType place) {
    return Set("aclSetTensorPlaceMent", desc, [&](aclTensorDesc& d) {
        d.place = place;
        return ACL_SUCCESS;
    });
}

aclopAttr* aclopCreateAttr(void) { return New(aclopAttr{}); }
void aclopDestroyAttr(const aclopAttr* attr) { Destroy("aclopDestroyAttr", attr); }
aclError aclopSetAttrBool(aclopAttr* attr, const char* name, uint8_t value) {
    return SetAttr("aclopSetAttrBool", attr, name, value != 0);
}
aclError aclopSetAttrInt(aclopAttr* attr, const char* name, int64_t value) {
    return SetAttr("aclopSetAttrInt", attr, name, value);
}
aclError aclopSetAttrFloat(aclopAttr* attr, const char* name, float value) {
    return SetAttr("aclopSetAttrFloat", attr, name, value);
}
aclError aclopSetAttrString(aclopAttr* attr, const char* name, const char* value) {
    if (!value) {
        RefuseArgument("aclopSetAttrString", "attrValue", "there is no text", "nullptr",
                       "characters with a zero at the end");
        return ACL_ERROR_INVALID_PARAM;
    }
    return SetAttr("aclopSetAttrString", attr, name, std::string(value));
}
aclError aclopSetAttrDataType(aclopAttr* attr, const char* name, aclDataType value) {
    return SetAttr("aclopSetAttrDataType", attr, name, static_cast<int64_t>(value));
}
aclError aclopSetAttrListDataType(aclopAttr* attr, const char* name, int count, const aclDataType values[]) {
    return SetList<std::vector<int64_t>>("aclopSetAttrListDataType", attr, name, count, values);
}
aclError aclopSetAttrListBool(aclopAttr* attr, const char* name, int count, const uint8_t* values) {
    return SetList<std::vector<bool>>("aclopSetAttrListBool", attr, name, count, values);
}
aclError aclopSetAttrListInt(aclopAttr* attr, const char* name, int count, const int64_t* values) {
    return SetList<std::vector<int64_t>>("aclopSetAttrListInt", attr, name, count, values);
}
aclError aclopSetAttrListFloat(aclopAttr* attr, const char* name, int count, const float* values) {
    return SetList<std::vector<float>>("aclopSetAttrListFloat", attr, name, count, values);
}
aclError aclopSetAttrListString(aclopAttr* attr, const char* name, int count, const char** values) {
    return Set("aclopSetAttrListString", attr, [&](aclopAttr& a) {
        if (!name || count < 0 || (count && !values)) {
            RefuseArgument("aclopSetAttrListString", "values", "there are no values", "nullptr", "a name, and texts");
            return ACL_ERROR_INVALID_PARAM;
        }
        a.texts[name].assign(values, values + count);
        return ACL_SUCCESS;
    });
}
aclError aclopSetAttrListListInt(aclopAttr* attr, const char* name, int count, const int* lengths,
                                 const int64_t* const values[]) {
    std::vector<std::vector<int64_t>> lists;
    for (int i = 0; i < count; ++i) {
        if (!lengths || !values || lengths[i] < 0 || (lengths[i] && !values[i])) {
            RefuseArgument("aclopSetAttrListListInt", "values", "there are no values", fmt::format("list {}", i),
                           "as many values as numValues says");
            return ACL_ERROR_INVALID_PARAM;
        }
        lists.emplace_back(values[i], values[i] + lengths[i]);
    }
    return SetAttr("aclopSetAttrListListInt", attr, name, std::move(lists));
}

void aclAppLog(aclLogLevel level, const char* function, const char* file, uint32_t line, const char* format, ...) {
    if (level < ACL_WARNING || !format) return;
    std::va_list words;
    va_start(words, format);
    std::fprintf(stderr, "%s:%u: %s: ", file ? file : "", line, function ? function : "");
    std::vfprintf(stderr, format, words);
    std::fputc('\n', stderr);
    va_end(words);
}
