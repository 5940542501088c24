// SPDX-License-Identifier: Apache-2.0
// Tests of the argument forms of `sfumato run`.
#include "argument_spec.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sfumato/report.h"

namespace sfumato::command {
namespace {

using Kind = ArgumentSpec::Kind;

std::string Refusal(const std::string& text) {
    try {
        ParseArgument(text);
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

TEST(ArgumentSpec, Inputs) {
    EXPECT_EQ(ParseArgument("dir/x.npy").kind, Kind::kInput);
    EXPECT_EQ(ParseArgument("dir/x.npy").input, "dir/x.npy");
    EXPECT_EQ(ParseArgument("a:b.npy").input, "a:b.npy") << "a is no type, so it belongs to the path";
    const ArgumentSpec b = ParseArgument("bfloat16:x.npy");
    EXPECT_EQ(b.input, "x.npy");
    EXPECT_EQ(b.type, DataType::kBfloat16);
}

TEST(ArgumentSpec, Outputs) {
    const ArgumentSpec o = ParseArgument("out:int32[16,32]=a=b.npy");
    EXPECT_EQ(o.kind, Kind::kOutput);
    EXPECT_EQ(o.shape, (std::vector<uint64_t>{16, 32}));
    EXPECT_EQ(ParseArgument("out:float32[0x40]=dst.npy").shape, (std::vector<uint64_t>{64}));
    EXPECT_EQ(ParseArgument("out:float32[2x0x10, 3]=dst.npy").shape, (std::vector<uint64_t>{2, 16, 3}));
    EXPECT_EQ(o.bytes, 2048u);
    EXPECT_EQ(o.output, "a=b.npy");
    EXPECT_EQ(ParseArgument("out:half[3x5]=x.npy").bytes, 30u);
    EXPECT_EQ(ParseArgument("out:int4[5]=x.npy").bytes, 3u);
    EXPECT_EQ(ParseArgument("out:float[]=x.npy").bytes, 4u);
    EXPECT_EQ(ParseArgument("out:float[0]=x.npy").bytes, 0u);
}

TEST(ArgumentSpec, InOut) {
    const ArgumentSpec a = ParseArgument("inout:a=1.npy=b=2.npy");
    EXPECT_EQ(a.input, "a=1.npy");
    EXPECT_EQ(a.output, "b=2.npy");
    EXPECT_EQ(ParseArgument("inout:bfloat16:a.npy=b.npy").type, DataType::kBfloat16);
}

TEST(ArgumentSpec, Lists) {
    const std::vector<ArgumentSpec> specs = {ParseArgument("list:a.npy,out:half[2,3]=b.npy,inout:c.npy=d.npy"),
                                             ParseArgument("e.npy"), ParseArgument("list:")};
    ASSERT_EQ(specs[0].items.size(), 3u);
    EXPECT_EQ(specs[0].items[1].shape, (std::vector<uint64_t>{2, 3}));
    EXPECT_EQ(specs[0].items[2].output, "d.npy");
    EXPECT_EQ(specs[2].kind, Kind::kList);
    EXPECT_EQ(Arrays(specs).size(), 4u);
    EXPECT_EQ(Refusal("list:a.npy,workspace:3"),
              "argument 'list:a.npy,workspace:3': 'workspace:3' is no array: a list holds FILE.npy, out:... and "
              "inout:...");
}

TEST(ArgumentSpec, Values) {
    const ArgumentSpec a = ParseArgument("int32:-512");
    EXPECT_EQ(a.kind, Kind::kInteger);
    EXPECT_TRUE(a.negative);
    EXPECT_EQ(a.magnitude, 512u);
    EXPECT_EQ(ParseArgument("uint64:0xFFFFFFFFFFFFFFFF").magnitude, UINT64_MAX);
    EXPECT_EQ(ParseArgument("float32:1e-3").floating, 1e-3);
    EXPECT_TRUE(std::isinf(ParseArgument("half:-inf").floating));
    EXPECT_EQ(ParseArgument("bool:true").magnitude, 1u);
    EXPECT_FALSE(ParseArgument("bool:1").type);
    EXPECT_EQ(ParseArgument("workspace:4096").bytes, 4096u);
    EXPECT_EQ(ParseArgument("tiling:t.bin").input, "t.bin");
    EXPECT_EQ(ParseArgument("tiling-of:topk(k=1)").kind, Kind::kTiling);
    EXPECT_EQ(ParseArgument("tiling-of:topk(k=1)").tiling_of, "topk(k=1)");
}

TEST(ArgumentSpec, Refusals) {
    EXPECT_EQ(
        Refusal("out:int32=dst.npy"),
        "argument 'out:int32=dst.npy': an output is given as out:DTYPE[SHAPE]=FILE.npy, e.g. out:int32[512]=dst.npy");
    EXPECT_EQ(Refusal("out:int33[4]=dst.npy"),
              "argument 'out:int33[4]=dst.npy': 'int33' is no element type; legal are int4, int8, uint8, int16, "
              "uint16, float16, "
              "bfloat16, int32, uint32, float32, int64, uint64");
    EXPECT_EQ(Refusal("out:int32[a]=dst.npy"),
              "argument 'out:int32[a]=dst.npy': 'a' is no dimension: a shape is written [512] or [16,32]");
    EXPECT_EQ(Refusal("out:int32[4]"),
              "argument 'out:int32[4]': the file to write is missing: out:DTYPE[SHAPE]=FILE.npy");
    EXPECT_EQ(Refusal("out:int32[9999999999,9999999999]=a"),
              "argument 'out:int32[9999999999,9999999999]=a': the shape has too many elements");
    EXPECT_EQ(Refusal("inout:a.npy"),
              "argument 'inout:a.npy': an array that is read and written is given as inout:IN.npy=OUT.npy");
    EXPECT_EQ(Refusal("int32:1.5"), "argument 'int32:1.5': '1.5' is no integer of up to 64 bits");
    EXPECT_EQ(Refusal("int32:"), "argument 'int32:': '' is no integer of up to 64 bits");
    EXPECT_EQ(Refusal("uint64:18446744073709551616"),
              "argument 'uint64:18446744073709551616': '18446744073709551616' is no integer of up to 64 bits");
    EXPECT_EQ(Refusal("float32:1.5x"), "argument 'float32:1.5x': '1.5x' is no floating-point number");
    EXPECT_EQ(Refusal("workspace:-1"), "argument 'workspace:-1': '-1' is no number of bytes: workspace:BYTES");
    EXPECT_EQ(Refusal("tiling-of:"), "argument 'tiling-of:': the tiling is missing: tiling-of:NAME(KEY=VALUE,...)");
    EXPECT_EQ(Refusal("tiling:"), "argument 'tiling:': the file is missing: tiling:FILE");
    EXPECT_TRUE(Refusal("512").starts_with("argument '512': a number is given with its type, such as int32:512;"))
        << Refusal("512");
    EXPECT_NE(Refusal(""), "");
}

}  // namespace
}  // namespace sfumato::command
