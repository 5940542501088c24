// SPDX-License-Identifier: Apache-2.0
// Calls operators by their names, as C++11: each case prints codes, reports and results. With `wrong` each wrong use
// and then the same call put right.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_op_compiler.h"

namespace {

typedef std::vector<int64_t> Dims;
typedef std::vector<float> Floats;

void* Device(const void* values, size_t bytes) {
    void* p = nullptr;
    aclrtMalloc(&p, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(p, bytes, values, bytes, ACL_MEMCPY_HOST_TO_DEVICE);
    return p;
}

void Said(const char* what, int code) {
    const char* text = aclGetRecentErrMsg();
    std::printf("%s: %d\n%s%s", what, code, text ? text : "", text ? "\n" : "");
}

// A call with what its tensors are made of.
struct Call {
    std::vector<aclTensorDesc*> in, out;
    std::vector<aclDataBuffer*> from, to;
    aclopAttr* attr;

    Call() : attr(aclopCreateAttr()) {}
    Call& In(aclDataType type, const Dims& dims, void* p, size_t bytes, aclFormat format = ACL_FORMAT_ND) {
        in.push_back(aclCreateTensorDesc(type, static_cast<int>(dims.size()), dims.data(), format));
        from.push_back(aclCreateDataBuffer(p, bytes));
        return *this;
    }
    Call& In(const Floats& v) {
        return In(ACL_FLOAT, Dims(1, int64_t(v.size())), Device(v.data(), v.size() * 4), v.size() * 4);
    }
    Call& None() { return In(ACL_DT_UNDEFINED, Dims(), nullptr, 0, ACL_FORMAT_UNDEFINED); }
    Call& Out(const Dims& dims, size_t floats) {
        Floats v(floats, -1);
        out.push_back(aclCreateTensorDesc(ACL_FLOAT, static_cast<int>(dims.size()), dims.data(), ACL_FORMAT_ND));
        to.push_back(aclCreateDataBuffer(Device(v.data(), floats * 4), floats * 4));
        return *this;
    }
    Call& Alpha(float alpha) { return aclopSetAttrFloat(attr, "alpha", alpha), *this; }
    int Run(const char* op) {
        return aclopExecuteV2(op, int(in.size()), in.data(), from.data(), int(out.size()), out.data(), to.data(), attr,
                              nullptr);
    }
    void Show(const char* what, int code) {
        Said(what, code);
        Floats host(aclGetDataBufferSizeV2(to[0]) / 4);
        aclrtMemcpy(host.data(), host.size() * 4, aclGetDataBufferAddr(to[0]), host.size() * 4,
                    ACL_MEMCPY_DEVICE_TO_HOST);
        std::printf("  ");
        for (size_t i = 0; i < host.size(); ++i) std::printf("%g ", host[i]);
        std::printf("of [%ld]\n", long(aclGetTensorDescDim(out[0], 0)));
    }
};

Call Blend() { return Call().In(Floats{1, 2, 3, 4}).In(Floats{10, 20, 30, 40}).Out({4}, 4).Alpha(2); }
int64_t shift[1] = {5};

void Attributes() {
    Call call = Blend();
    call.In(ACL_INT64, {1}, shift, 8);
    aclSetTensorPlaceMent(call.in[2], ACL_MEMTYPE_HOST);
    const int64_t ints[] = {1, 2};
    const float floats[] = {0.25f, 0.5f};
    aclopSetAttrInt(call.attr, "more", 3);
    aclopSetAttrBool(call.attr, "hundred", 1);
    aclopSetAttrString(call.attr, "mode", "all");
    aclopSetAttrListInt(call.attr, "ints", 2, ints);
    aclopSetAttrListFloat(call.attr, "floats", 2, floats);
    call.Show("every kind of attribute", call.Run("BlendCustom"));
}

void Values() {
    Call by_const = Blend();
    by_const.In(ACL_INT64, {1}, nullptr, 0);
    aclSetTensorConst(by_const.in[2], shift, 8);
    by_const.Show("values by aclSetTensorConst", by_const.Run("BlendCustom"));
    Call of_device = Blend();
    of_device.In(ACL_INT64, {1}, Device(shift, 8), 8);
    of_device.Show("values on the device", of_device.Run("BlendCustom"));
    Call absent = Call().In(Floats{1, 2, 3, 4}).None().None().Out({4}, 4).Alpha(2);
    absent.Show("optional inputs absent", absent.Run("BlendCustom"));
    const int lengths[] = {2, 1};
    const int64_t first[] = {1, 2}, second[] = {3};
    const int64_t* const lists[] = {first, second};
    Call step = Call().In(Floats{1, 1}).In(ACL_INT64, {1}, Device(shift, 8), 8).Out({2}, 2);
    aclopSetAttrListListInt(step.attr, "pairs", 2, lengths, lists);
    step.Show("a list of lists", step.Run("StepCustom"));
}

void Functions() {
    Call a = Blend();
    a.Show("aclopExecute",
           aclopExecute("BlendCustom", 2, a.in.data(), a.from.data(), 1, a.out.data(), a.to.data(), a.attr, nullptr));
    Call b = Blend();
    b.Show("aclopCompileAndExecute",
           aclopCompileAndExecute("BlendCustom", 2, b.in.data(), b.from.data(), 1, b.out.data(), b.to.data(), b.attr,
                                  ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, nullptr));
    Call c = Blend();
    c.Show("aclopCompileAndExecuteV2",
           aclopCompileAndExecuteV2("BlendCustom", 2, c.in.data(), c.from.data(), 1, c.out.data(), c.to.data(), c.attr,
                                    ACL_ENGINE_AICORE, ACL_COMPILE_UNREGISTERED, "", nullptr));
    Call d = Blend();
    Said("aclopSetModelDir", aclopSetModelDir("op_models"));
    Said("aclopCompile", aclopCompile("BlendCustom", 2, d.in.data(), 1, d.out.data(), d.attr, ACL_ENGINE_SYS,
                                      ACL_COMPILE_SYS, nullptr));
    aclopHandle* handle = nullptr;
    Said("aclopCreateHandle", aclopCreateHandle("BlendCustom", 2, d.in.data(), 1, d.out.data(), d.attr, &handle));
    aclopDestroyAttr(d.attr);
    d.Show("aclopExecWithHandle", aclopExecWithHandle(handle, 2, d.from.data(), 1, d.to.data(), nullptr));
    aclopDestroyHandle(handle);
}

void Shapes() {
    Call unknown = Call().In(Floats{1, 2, 3, 4}).Out({-1}, 4).Alpha(3);
    unknown.Show("an output that is not known", unknown.Run("BlendCustom"));
    Call rank = Call().In(Floats{1, 2, 3}).Out({-2}, 3).Alpha(3);
    rank.Show("not even how many dimensions", rank.Run("BlendCustom"));
    Call infer = Call().In(Floats{1, 2, 3}).Out({-2}, 3).Alpha(3);
    infer.Show("aclopInferShape",
               aclopInferShape("BlendCustom", 1, infer.in.data(), infer.from.data(), 1, infer.out.data(), infer.attr));
    Call list = Call().In(Floats{1, 2}).In(Floats{3, 4}).In(Floats{5, 6}).Out({2}, 2);
    for (int i = 0; i < 3; ++i) aclSetTensorDynamicInput(list.in[i], i < 2 ? "x" : "w");
    list.Show("lists by name", list.Run("JoinCustom"));
    Call each = Call().In(Floats{1, 2}).In(Floats{5, 6}).Out({2}, 2);
    each.Show("one tensor each", each.Run("JoinCustom"));
    Floats image(32 * 48, 7);
    Call fractal = Call().In(ACL_FLOAT, {20, 40}, Device(image.data(), image.size() * 4), image.size() * 4).Out({4}, 4);
    const int64_t storage[] = {5, 2, 16, 8};
    aclSetTensorFormat(fractal.in[0], ACL_FORMAT_FRACTAL_NZ);
    aclSetTensorShape(fractal.in[0], 4, storage);
    fractal.Show("a matrix in FRACTAL_NZ", fractal.Run("FractalCustom"));
    Call both = Call().In(Floats{1, 2});
    both.out.push_back(both.in[0]), both.to.push_back(both.from[0]);
    both.Show("input and output at once", both.Run("ShiftCustom"));
}

void WrongNames() {
    Call call = Blend();
    Said("a name with a letter missing", call.Run("BlendCustm"));
    Said("an operator of the toolkit", call.Run("MatMul"));
    call.Show("corrected", call.Run("BlendCustom"));
}

void WrongTensors() {
    Call type = Call().In(ACL_FLOAT16, {4}, Device("12345678", 8), 8).Out({4}, 4).Alpha(2);
    Said("a type the operator has not", type.Run("BlendCustom"));
    Call few = Call().Out({4}, 4).Alpha(2);
    Said("no input", few.Run("BlendCustom"));
    Call many = Blend().None().In(Floats{1});
    Said("an input too many", many.Run("BlendCustom"));
    Call dynamic = Call().In(ACL_FLOAT, {-1}, Device("12345678", 8), 8).Out({2}, 2).Alpha(2);
    Said("an input that is not known", dynamic.Run("BlendCustom"));
    Call shape = Call().In(Floats{1, 2, 3, 4}).Out({2}, 4).Alpha(2);
    Said("another output", shape.Run("BlendCustom"));
    Call lists = Call().In(Floats{1}).In(Floats{2}).In(Floats{3}).Out({1}, 1);
    Said("which list", lists.Run("JoinCustom"));
    Call list = Call().In(Floats{1, 2}).Out({2}, 2).Alpha(2);
    aclSetTensorDynamicInput(list.in[0], "xs");
    Said("a list of no such name", list.Run("JoinCustom"));
    Call right = Blend();
    right.Show("corrected", right.Run("BlendCustom"));
}

void WrongBuffers() {
    Call small = Call().In(ACL_FLOAT, {4}, Device("12345678", 8), 8).Out({4}, 4).Alpha(2);
    Said("a small buffer", small.Run("BlendCustom"));
    Call large = Call().In(ACL_FLOAT, {4}, Device("12345678", 8), 16).Out({4}, 4).Alpha(2);
    Said("a buffer that says more than its block", large.Run("BlendCustom"));
    Call out = Call().In(Floats{1, 2, 3, 4}).Out({-1}, 2).Alpha(2);
    Said("a small output", out.Run("BlendCustom"));
    float host[4] = {1, 2, 3, 4};
    Call of_host = Call().In(ACL_FLOAT, {4}, host, 16).Out({4}, 4).Alpha(2);
    Said("memory of the host", of_host.Run("BlendCustom"));
    aclSetTensorPlaceMent(of_host.in[0], ACL_MEMTYPE_HOST);
    of_host.Show("corrected: said to be of the host", of_host.Run("BlendCustom"));
    aclSetTensorPlaceMent(of_host.out[0], ACL_MEMTYPE_HOST);
    Said("an output on the host", of_host.Run("BlendCustom"));
    Call gone = Blend();
    aclDestroyDataBuffer(gone.from[1]);
    Said("a destroyed buffer", gone.Run("BlendCustom"));
    aclDestroyTensorDesc(gone.in[0]);
    Said("a destroyed description", gone.Run("BlendCustom"));
}

void WrongAttributes() {
    Call none = Call().In(Floats{1}).Out({1}, 1);
    Said("a required attribute is missing", none.Run("BlendCustom"));
    Said("an attribute of another type", (aclopSetAttrInt(none.attr, "mode", 1), none.Alpha(2).Run("BlendCustom")));
    Call other = Call().In(Floats{1}).Out({1}, 1).Alpha(2);
    Said("no such attribute", (aclopSetAttrInt(other.attr, "axis", 1), other.Run("BlendCustom")));
    Call texts = Call().In(Floats{1}).Out({1}, 1).Alpha(2);
    const char* words[] = {"a"};
    Said("a list of texts", (aclopSetAttrListString(texts.attr, "mode", 1, words), texts.Run("BlendCustom")));
    Call right = Call().In(Floats{1}).Out({1}, 1).Alpha(2);
    right.Show("corrected", right.Run("BlendCustom"));
}

void WrongObjects() {
    const int64_t dims[] = {2, -3};
    Said("a negative dimension", aclCreateTensorDesc(ACL_FLOAT, 2, dims, ACL_FORMAT_ND) != nullptr);
    Said("dimensions at nullptr", aclCreateTensorDesc(ACL_FLOAT, 2, nullptr, ACL_FORMAT_ND) != nullptr);
    Said("no such type", aclCreateTensorDesc(static_cast<aclDataType>(14), 1, dims, ACL_FORMAT_ND) != nullptr);
    aclTensorDesc* desc = aclCreateTensorDesc(ACL_FLOAT, 1, dims, ACL_FORMAT_ND);
    int64_t size = 0;
    Said("a dimension it has not", aclGetTensorDescDimV2(desc, 1, &size));
    aclDestroyTensorDesc(desc);
    Said("a description that is gone", int(aclGetTensorDescSize(desc)));
    Said("an attribute without a name", aclopSetAttrInt(aclopCreateAttr(), nullptr, 1));
    char value[2];
    aclSetCompileopt(ACL_OP_DEBUG_LEVEL, "level");
    Said("no room for an option", aclGetCompileopt(ACL_OP_DEBUG_LEVEL, value, 2));
    Call fault = Call().In(Floats{13, 2});
    fault.out.push_back(fault.in[0]), fault.to.push_back(fault.from[0]);
    Said("a kernel's fault", fault.Run("ShiftCustom"));
}

}  // namespace

int main(int count, char** words) {
    if (count > 1 && std::strcmp(words[1], "wrong") == 0) {
        WrongNames(), WrongTensors(), WrongBuffers(), WrongAttributes(), WrongObjects();
    } else {
        Attributes(), Values(), Functions(), Shapes();
    }
}
