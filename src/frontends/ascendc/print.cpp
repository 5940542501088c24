// SPDX-License-Identifier: Apache-2.0
// printf, DumpTensor and assert of a kernel (framework.md 4.4).
#include "sfumato/ascendc/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "frontends/ascendc/context.h"
#include "runtime/code/task_types.h"
#include "runtime/launch/launch_state.h"
#include "sfumato/ascendc/services.h"
#include "sfumato/half.h"

namespace sfumato::ascendc {
namespace {

std::string FormatOne(const std::string& spec, const PrintArg& arg) {
    // spec is "%...c"; the width is rebuilt with the length modifier of our own argument.
    char buffer[512];
    const char conversion = spec.back();
    std::string flags = spec.substr(0, spec.size() - 1);
    flags.erase(
        std::remove_if(flags.begin(), flags.end(), [](char c) { return c == 'l' || c == 'h' || c == 'z' || c == 'j'; }),
        flags.end());
    const bool floating = arg.kind == PrintArg::Kind::kFloating;
    // Without a length modifier an unsigned conversion shows 32 bits, as the device does.
    const bool wide = spec.find_first_of("lzj") != std::string::npos;
    const uint64_t bits = wide ? arg.u : static_cast<uint32_t>(arg.u);
    switch (conversion) {
        case 'd':
        case 'i':
            std::snprintf(buffer, sizeof buffer, (flags + PRId64).c_str(),
                          floating ? static_cast<int64_t>(arg.d) : arg.i);
            return buffer;
        case 'u':
            std::snprintf(buffer, sizeof buffer, (flags + PRIu64).c_str(),
                          floating ? static_cast<uint64_t>(arg.d) : bits);
            return buffer;
        case 'x': std::snprintf(buffer, sizeof buffer, (flags + PRIx64).c_str(), bits); return buffer;
        case 'X': std::snprintf(buffer, sizeof buffer, (flags + PRIX64).c_str(), bits); return buffer;
        case 'f':
        case 'F':
        case 'e':
        case 'g':
            std::snprintf(buffer, sizeof buffer, (flags + conversion).c_str(),
                          floating                              ? arg.d
                          : arg.kind == PrintArg::Kind::kSigned ? static_cast<double>(arg.i)
                                                                : static_cast<double>(arg.u));
            return buffer;
        case 's': return arg.kind == PrintArg::Kind::kString ? arg.s : "(not a string)";
        case 'p': return fmt::format("{}", arg.p);
        case 'c': return std::string(1, static_cast<char>(arg.i));
        default: return spec;
    }
}

// Replaces each conversion by its argument. A conversion without argument is printed as it stands.
std::string Format(const char* format, const PrintArg* args, int count) {
    std::string text;
    int next = 0;
    for (const char* p = format; *p; ++p) {
        if (*p != '%') {
            text += *p;
            continue;
        }
        if (p[1] == '%') {
            text += *++p;
            continue;
        }
        const char* end = p + 1;
        while (*end && !std::strchr("diuxXfFegspc", *end)) ++end;
        if (!*end) return text + p;
        const std::string spec(p, end + 1);
        text += next < count ? FormatOne(spec, args[next++]) : spec;
        p = end;
    }
    return text;
}

void Write(runtime::Core& core, const std::string& text) {
    std::lock_guard lock(core.launch().mutex);
    if (core.launch().options.print) {
        core.launch().options.print(text);
    } else {
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::fflush(stdout);
    }
}

std::string Prefix(const runtime::Core& core, uint32_t blocks) {
    const auto& place = core.place();
    const char* kind = place.kind == isa::CoreKind::kVector ? "AIV"
                       : place.kind == isa::CoreKind::kCube ? "AIC"
                                                            : "AICORE";
    return fmt::format("[{} Block {}/{}] ", kind,
                       place.block * (place.kind == isa::CoreKind::kVector ? place.ratio : 1) + place.sub_block,
                       blocks);
}

// Each line of the text with the core in front.
std::string Attributed(runtime::Core& core, const std::string& text) {
    const std::string prefix = Prefix(core, core.launch().blocks);
    std::string out = prefix;
    for (size_t i = 0; i < text.size(); ++i) {
        out += text[i];
        if (text[i] == '\n' && i + 1 < text.size()) out += prefix;
    }
    return out;
}

// What the pages print without a core: as it is while one core runs, else with the core (framework.md 4.4, decided).
void WriteDump(runtime::Core& core, const std::string& text) {
    const auto& launch = core.launch();
    const bool alone = uint64_t{launch.blocks} * runtime::ShapeOf(launch.task_type).cores() == 1;
    Write(core, alone ? text : Attributed(core, text));
}

std::string ElementText(const uint8_t* base, DataType type, uint64_t index) {
    const auto read = [&](auto value) {
        std::memcpy(&value, base + index * sizeof value, sizeof value);
        return value;
    };
    switch (type) {
        case DataType::kInt4: {
            const int nibble = (base[index / 2] >> (index % 2 * 4)) & 15;
            return fmt::format("{}", nibble >= 8 ? nibble - 16 : nibble);
        }
        case DataType::kInt8: return fmt::format("{}", read(int8_t{}));
        case DataType::kUint8: return fmt::format("{}", read(uint8_t{}));
        case DataType::kInt16: return fmt::format("{}", read(int16_t{}));
        case DataType::kUint16: return fmt::format("{}", read(uint16_t{}));
        case DataType::kHalf: return fmt::format("{:f}", static_cast<float>(half::FromBits(read(uint16_t{}))));
        case DataType::kBfloat16:
            return fmt::format("{:f}", static_cast<float>(bfloat16_t::FromBits(read(uint16_t{}))));
        case DataType::kInt32: return fmt::format("{}", read(int32_t{}));
        case DataType::kUint32: return fmt::format("{}", read(uint32_t{}));
        case DataType::kFloat: return fmt::format("{:f}", read(float{}));
        case DataType::kInt64: return fmt::format("{}", read(int64_t{}));
        default: return fmt::format("{}", read(uint64_t{}));
    }
}

// Elements as nested lists of the shape's dimensions; what the data does not cover prints as "-".
std::string Nested(const uint8_t* base, DataType type, const AscendC::ShapeInfo& shape, uint32_t count, int dim,
                   uint64_t* next) {
    std::string text = "[";
    for (uint32_t i = 0; i < shape.shape[dim]; ++i) {
        if (i) text += ",";
        if (dim + 1 < shape.shapeDim) {
            text += Nested(base, type, shape, count, dim + 1, next);
        } else {
            text += *next < count ? ElementText(base, type, *next) : "-";
            ++*next;
        }
    }
    return text + "]";
}

// Whether the operand has `count` elements, once they are there; false when it was reported.
bool HasElements(runtime::Core& core, const char* call, const char* parameter, DataType type, uint32_t count,
                 Where where, const isa::Operand& operand) {
    const isa::Span span{operand.offset, operand.offset + BytesOf(type, count)};
    if (span.end > operand.limit) {
        const uint64_t room = operand.limit - operand.offset;
        return Refuse(core, call, where,
                      {Rule::kDumpSize, parameter, "more elements than the tensor's buffer holds",
                       fmt::format("{} elements of {}", count, CName(type)),
                       fmt::format("at most {} elements ({} bytes)", room * 8 / BitsOf(type), room), ""});
    }
    core.scalar().AwaitInOrder(operand.memory, operand.allocation, span);
    core.scalar().Access(operand.memory, operand.allocation, span, false, call, where);
    return true;
}

// `count` elements of a tensor as an operand, once they are there; false when it was reported.
template <class View>
bool Readable(runtime::Core& core, const char* call, const char* parameter, const View& tensor, DataType type,
              uint32_t count, Where where, isa::Operand* operand) {
    return ToOperand(core, call, "tensor", tensor, type, where, operand) &&
           HasElements(core, call, parameter, type, count, where, *operand);
}

// The elements at an operand that has them.
void DumpAt(runtime::Core& core, const isa::Operand& operand, DataType type, uint32_t desc, uint32_t count,
            const AscendC::ShapeInfo* shape) {
    const uint8_t* base = core.AddressOf(operand);
    std::string text = fmt::format("DumpTensor: desc={}, addr={:#x}, data_type={}, position={}, dump_size={}\n", desc,
                                   operand.offset, NumpyName(type), isa::Name(operand.memory), count);
    if (shape && shape->shapeDim) {
        std::string dims;
        for (int i = 0; i < shape->shapeDim; ++i) dims += fmt::format("{}{}", i ? ", " : "", shape->shape[i]);
        const auto size = static_cast<uint32_t>(GetShapeSize(*shape));
        if (count != size) {
            text += fmt::format("shape is [{}], dumpSize is {}, {}.\n", dims, count,
                                count > size ? "dumpSize is greater than shapeSize" : "data is not enough");
        }
        uint64_t next = 0;
        text += Nested(base, type, *shape, count, 0, &next) + "\n";
    } else {
        text += "[";
        for (uint32_t i = 0; i < count; ++i) text += (i ? ", " : "") + ElementText(base, type, i);
        text += "]\n";
    }
    WriteDump(core, text);
}

template <class View>
void Dump(const View& tensor, DataType type, uint32_t desc, uint32_t count, const AscendC::ShapeInfo* shape,
          Where where) {
    runtime::Core& core = ThisCore("DumpTensor");
    isa::Operand operand;
    if (Readable(core, "DumpTensor", "dumpSize", tensor, type, count, where, &operand))
        DumpAt(core, operand, type, desc, count, shape);
}

// The operand at a pointer into a memory of the core; false when it points into none.
bool OnChip(const runtime::Core& core, const void* pointer, isa::Operand* operand) {
    const runtime::CoreMemory& memory = core.memory();
    for (int i = 0; i < isa::kMemoryCount; ++i) {
        const auto m = static_cast<isa::Memory>(i);
        const auto offset = reinterpret_cast<uintptr_t>(pointer) - reinterpret_cast<uintptr_t>(memory.Base(m));
        if (!memory.Base(m) || offset >= memory.Bytes(m)) continue;
        operand->memory = m;
        operand->offset = offset;
        operand->limit = memory.Bytes(m);
        return true;
    }
    return false;
}

}  // namespace

bool OnCore() { return runtime::CurrentCore() != nullptr; }

void Print(const char* format, const PrintArg* args, int count) {
    if (!OnCore()) {
        std::fputs(Format(format, args, count).c_str(), stdout);
        return;
    }
    runtime::Core& core = ThisCore("printf");
    Write(core, Attributed(core, Format(format, args, count)));
}

void DumpLocal(const LocalView& tensor, DataType type, uint32_t desc, uint32_t count, const AscendC::ShapeInfo* shape,
               Where where) {
    Dump(tensor, type, desc, count, shape, where);
}
void DumpGlobal(const GlobalView& tensor, DataType type, uint32_t desc, uint32_t count, const AscendC::ShapeInfo* shape,
                Where where) {
    Dump(tensor, type, desc, count, shape, where);
}

void DumpPointer(const char* call, const void* pointer, DataType type, uint32_t desc, uint32_t count, Where where) {
    RequireService(Service::kServices, call, where);
    runtime::Core& core = ThisCore(call);
    isa::Operand operand;
    auto* at = static_cast<uint8_t*>(const_cast<void*>(pointer));
    if (!OnChip(core, pointer, &operand) &&
        !ToOperand(core, call, "address", GlobalView{at, 0, at}, type, where, &operand))
        return;
    if (HasElements(core, call, "dumpSize", type, count, where, operand))
        DumpAt(core, operand, type, desc, count, nullptr);
}

void PrintTime(uint32_t id, Where where) {
    RequireService(Service::kStoreAtomic, "PrintTimeStamp", where);
    runtime::Core& core = ThisCore("PrintTimeStamp");
    WriteDump(core, fmt::format("descId is {}, rsv is 0, timeStamp is {}, pcPtr is {}, entry is 0.\n", id,
                                SystemCycle(), core.next_index()));
}

void PrintLocal(const LocalView& tensor, DataType type, uint32_t count, Where where) {
    runtime::Core& core = ThisCore("Print");
    isa::Operand operand;
    if (!Readable(core, "Print", "count", tensor, type, count, where, &operand)) return;
    const uint32_t line = 256 / BitsOf(type);
    std::string text;
    for (uint32_t i = 0; i < count; ++i) {
        if (i % line == 0) text += fmt::format("{}{:04} :", i ? "\n" : "", i);
        text += " " + ElementText(tensor.address, type, i);
    }
    WriteDump(core, text + "\n");
}

bool WriteLocal(const LocalView& tensor, DataType type, const char* path, Where where) {
    runtime::Core& core = ThisCore("ToFile");
    isa::Operand operand;
    if (!Readable(core, "ToFile", "count", tensor, type, tensor.size, where, &operand)) return false;
    std::FILE* file = std::fopen(path, "wb");
    if (!file) return false;
    const size_t bytes = BytesOf(type, tensor.size), written = std::fwrite(tensor.address, 1, bytes, file);
    return std::fclose(file) == 0 && written == bytes;
}

void AssertFailed(const char* expression, Where where, const char* format, const PrintArg* args, int count) {
    const std::string text = Format(format, args, count);
    if (!OnCore()) {  // host code of the same file: the C library's assert
        std::fflush(stdout);
        std::fprintf(stderr, "%s:%u: assertion '%s' failed%s%s\n", where.file, where.line, expression,
                     text.empty() ? "" : ": ", text.c_str());
        std::abort();
    }
    runtime::Core& core = ThisCore("assert");
    Find(core, "assert", where,
         {Rule::kAssert, expression,
          text.empty() ? "the assertion failed" : fmt::format("the assertion failed: {}", text),
          fmt::format("{} is false", expression), "true", ""});
    core.stopping().Now();
}

}  // namespace sfumato::ascendc
