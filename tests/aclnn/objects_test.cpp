// SPDX-License-Identifier: Apache-2.0
// Objects of aclnn calls: what they keep, what is refused.
#include <gtest/gtest.h>

#include <memory>

#include "aclnn/aclnn_base.h"
#include "host/message.h"

namespace sfumato {
namespace {

const int64_t kShape[] = {2, 3};

aclTensor* Tensor(void* data = nullptr) {
    return aclCreateTensor(kShape, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, kShape, 2, data);
}

// What a getter of dimensions gives.
std::vector<int64_t> Dims(aclnnStatus (*get)(const aclTensor*, int64_t**, uint64_t*), const aclTensor* t) {
    int64_t* dims = nullptr;
    uint64_t count = 0;
    EXPECT_EQ(get(t, &dims, &count), ACLNN_SUCCESS);
    std::vector<int64_t> taken(dims, dims + count);
    delete[] dims;
    return taken;
}

TEST(Objects, ATensorSaysWhatItIs) {
    int x = 0;
    const int64_t strides[] = {1, 4}, storage[] = {20};
    aclTensor* t = aclCreateTensor(kShape, 2, ACL_FLOAT16, strides, 5, ACL_FORMAT_NCHW, storage, 1, &x);
    EXPECT_EQ(Dims(aclGetViewShape, t), (std::vector<int64_t>{2, 3}));
    EXPECT_EQ(Dims(aclGetViewStrides, t), (std::vector<int64_t>{1, 4}));
    EXPECT_EQ(Dims(aclGetStorageShape, t), (std::vector<int64_t>{20}));
    int64_t offset = 0;
    aclFormat format = ACL_FORMAT_UNDEFINED;
    aclDataType type = ACL_DT_UNDEFINED;
    void* data = nullptr;
    EXPECT_EQ(aclGetViewOffset(t, &offset) | aclGetFormat(t, &format) | aclGetDataType(t, &type), ACLNN_SUCCESS);
    EXPECT_EQ(aclGetRawTensorAddr(t, &data), ACLNN_SUCCESS);
    EXPECT_EQ(offset, 5);
    EXPECT_EQ(format, ACL_FORMAT_NCHW);
    EXPECT_EQ(type, ACL_FLOAT16);
    EXPECT_EQ(data, &x);
    EXPECT_EQ(aclSetRawTensorAddr(t, nullptr), ACLNN_SUCCESS);
    EXPECT_EQ(aclGetRawTensorAddr(t, &data), ACLNN_SUCCESS);
    EXPECT_EQ(data, nullptr);
    EXPECT_EQ(aclInitTensor(t, kShape, 1, ACL_INT32, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, &x), ACLNN_SUCCESS);
    EXPECT_EQ(Dims(aclGetStorageShape, t), (std::vector<int64_t>{2}));
    EXPECT_EQ(aclDestroyTensor(t), ACLNN_SUCCESS);
    t = Tensor();
    EXPECT_EQ(Dims(aclGetViewStrides, t), (std::vector<int64_t>{3, 1}));
    EXPECT_EQ(aclDestroyTensor(t), ACLNN_SUCCESS);
    // A number has no dimensions.
    t = aclCreateTensor(nullptr, 0, ACL_INT64, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, nullptr);
    EXPECT_EQ(Dims(aclGetViewShape, t), std::vector<int64_t>{});
    EXPECT_EQ(aclDestroyTensor(t), ACLNN_SUCCESS);
    EXPECT_EQ(Message(), "");
}

TEST(Objects, ListsOwnTheirElements) {
    aclTensor* both[] = {Tensor(), Tensor()};
    aclTensorList* list = aclCreateTensorList(both, 2);
    uint64_t size = 0;
    EXPECT_EQ(aclGetTensorListSize(list, &size), ACLNN_SUCCESS);
    EXPECT_EQ(size, 2);
    EXPECT_EQ(aclDestroyTensorList(list), ACLNN_SUCCESS);
    EXPECT_EQ(aclDestroyTensor(both[1]), ACLNN_ERR_PARAM_INVALID);
    EXPECT_NE(Message(), "");
    float value = 2;
    aclScalar* scalar = aclCreateScalar(&value, ACL_FLOAT);
    aclScalarList* scalars = aclCreateScalarList(&scalar, 1);
    EXPECT_EQ(aclGetScalarListSize(scalars, &size), ACLNN_SUCCESS);
    EXPECT_EQ(size, 1);
    EXPECT_EQ(aclDestroyScalarList(scalars), ACLNN_SUCCESS);
    const int64_t ints[] = {1, 2, 3};
    const bool bools[] = {true, false};
    const float floats[] = {1.5f};
    aclIntArray* i = aclCreateIntArray(ints, 3);
    aclBoolArray* b = aclCreateBoolArray(bools, 2);
    aclFloatArray* f = aclCreateFloatArray(floats, 1);
    EXPECT_EQ(aclGetIntArraySize(i, &size), ACLNN_SUCCESS);
    EXPECT_EQ(size, 3);
    EXPECT_EQ(aclGetBoolArraySize(b, &size), ACLNN_SUCCESS);
    EXPECT_EQ(size, 2);
    EXPECT_EQ(aclGetFloatArraySize(f, &size), ACLNN_SUCCESS);
    EXPECT_EQ(size, 1);
    EXPECT_EQ(aclDestroyIntArray(i) | aclDestroyBoolArray(b) | aclDestroyFloatArray(f), ACLNN_SUCCESS);
    EXPECT_EQ(Message(), "");
}

std::string Argument(const std::string& message, const std::string& found, const std::string& legal) {
    return "fault [acl-argument] " + message + "\n  found:  " + found + "\n  legal:  " + legal;
}

TEST(Objects, WhatIsWrongIsSaid) {
    const int64_t negative[] = {2, -3}, strides[] = {4, 1}, many[26] = {};
    const auto create = [&](const int64_t* view, uint64_t count, const int64_t* stride, int64_t offset, int type) {
        EXPECT_EQ(aclCreateTensor(view, count, static_cast<aclDataType>(type), stride, offset, ACL_FORMAT_ND, kShape, 2,
                                  nullptr),
                  nullptr);
        return Message();
    };
    EXPECT_EQ(create(nullptr, 2, nullptr, 0, 0),
              Argument("aclCreateTensor: there are no values", "viewDims: nullptr", "2 values"));
    EXPECT_EQ(create(negative, 2, nullptr, 0, 0),
              Argument("aclCreateTensor: a value is negative", "viewDims: [2, -3]", "0 or more"));
    EXPECT_EQ(create(many, 26, nullptr, 0, 0),
              Argument("aclCreateTensor: a tensor cannot have so many dimensions", "viewDims: 26", "at most 25"));
    EXPECT_EQ(create(kShape, 2, nullptr, -1, 0),
              Argument("aclCreateTensor: a value is negative", "offset: -1", "0 or more"));
    EXPECT_EQ(create(kShape, 2, nullptr, 0, 5),
              Argument("aclCreateTensor: tensors have no such type", "dataType: 5", "an aclDataType"));
    EXPECT_EQ(create(kShape, 2, strides, 0, 0),
              Argument("aclCreateTensor: the view reaches past the end of the storage",
                       "viewDims: element 6 of a storage of 6", "at most 5"));
    EXPECT_EQ(aclCreateIntArray(nullptr, 2), nullptr);
    EXPECT_EQ(Message(), Argument("aclCreateIntArray: there are no values", "value: nullptr", "2 values"));
    EXPECT_EQ(aclCreateScalar(nullptr, ACL_FLOAT), nullptr);
    EXPECT_EQ(Message(), Argument("aclCreateScalar: there is no value", "value: nullptr", "its address on the host"));
    EXPECT_EQ(aclDestroyTensor(nullptr), ACLNN_ERR_PARAM_NULLPTR);
    EXPECT_EQ(Message(), Argument("aclDestroyTensor: the object is null", "aclTensor: nullptr", "aclTensor"));
    float value = 1;
    aclScalar* scalar = aclCreateScalar(&value, ACL_FLOAT);
    int64_t offset = 0;
    EXPECT_EQ(aclGetViewOffset(reinterpret_cast<aclTensor*>(scalar), &offset), ACLNN_ERR_PARAM_INVALID);
    EXPECT_EQ(Message(),
              "fault [acl-handle] aclGetViewOffset: this is no aclTensor\n  found:  aclTensor: an aclScalar\n"
              "  legal:  one that was created and not destroyed");
    EXPECT_EQ(aclDestroyScalar(scalar), ACLNN_SUCCESS);
    aclTensor* t = Tensor();
    EXPECT_EQ(aclGetViewOffset(t, nullptr), ACLNN_ERR_PARAM_NULLPTR);
    EXPECT_EQ(Message(),
              Argument("aclGetViewOffset: there is no place for the result", "result: nullptr", "an address"));
    EXPECT_EQ(aclDestroyTensor(t), ACLNN_SUCCESS);
    EXPECT_EQ(aclnnInit(nullptr) | aclnnFinalize(), ACLNN_SUCCESS);
}

}  // namespace
}  // namespace sfumato
