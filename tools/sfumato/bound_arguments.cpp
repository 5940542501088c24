// SPDX-License-Identifier: Apache-2.0
// Reads what arguments name, and lays it out in global memory.
#include "bound_arguments.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "sfumato/tiling/tiling_of.h"

namespace sfumato::command {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void Refuse(const ArgumentSpec& spec, const std::string& why) {
    throw Error(fmt::format("argument '{}': {}", spec.text, why));
}

std::string ReadBytes(const ArgumentSpec& spec) {
    const std::string& path = spec.input;
    std::error_code error;
    if (fs::is_directory(path, error)) Refuse(spec, fmt::format("{} is a directory", path));
    std::ifstream in(path, std::ios::binary);
    std::string bytes;
    if (const uint64_t size = fs::file_size(path, error); !error && size > 0) {
        try {
            bytes.resize(size);
        } catch (const std::exception&) {
            Refuse(spec, fmt::format("the file is too large: the machine cannot allocate {} bytes", size));
        }
        in.read(bytes.data(), static_cast<std::streamsize>(size));
    } else {
        bytes.assign(std::istreambuf_iterator<char>(in), {});  // a pipe does not tell its size
    }
    if (!in) Refuse(spec, fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
    return bytes;
}

std::string TilingBytes(const ArgumentSpec& spec, const std::string& chip) {
    try {
        return tiling::TilingOf(chip, spec.tiling_of).bytes;
    } catch (const Error& e) {
        Refuse(spec, e.what());
    }
}

// The file must hold the stated type, or raw elements of its size: packed int4 in bytes, bfloat16 in uint16.
void CheckStatedType(const ArgumentSpec& spec, const NpyFile& file) {
    if (!spec.type || *spec.type == file.type()) return;
    const bool raw = (*spec.type == DataType::kInt4 && BitsOf(file.type()) == 8) ||
                     (*spec.type == DataType::kBfloat16 && file.type() == DataType::kUint16);
    if (!raw) {
        Refuse(spec, fmt::format("{} holds {} ('{}'), not {}", spec.input, NumpyName(file.type()), file.descr(),
                                 NumpyName(*spec.type)));
    }
}

// outputs: the files of the arguments before.
Bound OpenArgument(const ArgumentSpec& spec, const std::string& chip, std::vector<fs::path>* outputs) {
    using Kind = ArgumentSpec::Kind;
    Bound b{&spec, std::nullopt, {}, spec.type.value_or(DataType::kUint8), spec.shape, nullptr, {}, {}};
    if (spec.kind == Kind::kInput || spec.kind == Kind::kInOut) {
        b.file.emplace(spec.input);
        CheckStatedType(spec, *b.file);
        b.type = spec.type.value_or(b.file->type());
        b.shape = b.file->shape();
    } else if (spec.kind == Kind::kWindow && !spec.input.empty()) {
        b.bytes = ReadBytes(spec);
    } else if (spec.kind == Kind::kTiling) {
        b.bytes = spec.tiling_of.empty() ? ReadBytes(spec) : TilingBytes(spec, chip);
    }
    for (const ArgumentSpec& item : spec.items) b.items.push_back(OpenArgument(item, chip, outputs));
    if (spec.output.empty()) return b;
    try {
        b.target = ResolveOutput(spec.output);
    } catch (const Error& e) {
        Refuse(spec, e.what());
    }
    const fs::path& path = b.target.real;
    if (b.target.replaced() && access(path.parent_path().c_str(), W_OK) != 0) {
        Refuse(spec, fmt::format("cannot write into {}: {}", path.parent_path().string(), std::strerror(errno)));
    }
    if (b.target.replaced() && std::find(outputs->begin(), outputs->end(), path) != outputs->end()) {
        Refuse(spec, fmt::format("{} is already the file of another output", spec.output));
    }
    outputs->push_back(path);
    return b;
}

}  // namespace

std::vector<Bound> OpenArguments(const std::vector<ArgumentSpec>& specs, const std::string& chip) {
    std::vector<Bound> bound;
    std::vector<fs::path> outputs;
    for (const ArgumentSpec& spec : specs) bound.push_back(OpenArgument(spec, chip, &outputs));
    return bound;
}

std::vector<std::optional<DataType>> TypesOf(std::span<const Bound> bound) {
    using Kind = ArgumentSpec::Kind;
    std::vector<std::optional<DataType>> types;
    for (const Bound& b : bound) {
        if (b.spec->kind == Kind::kWindow) continue;
        const Bound& array = b.items.empty() ? b : b.items.front();
        const Kind kind = array.spec->kind;
        const bool typed = kind == Kind::kInput || kind == Kind::kOutput || kind == Kind::kInOut;
        types.push_back(typed ? std::optional(array.type) : std::nullopt);
    }
    return types;
}

std::vector<Argument> Allocate(std::span<Bound> bound, const KernelInfo& kernel, GlobalMemory& memory) {
    using Kind = ArgumentSpec::Kind;
    const auto allocate = [&](const ArgumentSpec& spec, uint64_t bytes, const std::string& name) {
        try {
            return memory.Allocate(bytes, name);
        } catch (const Error& e) {
            Refuse(spec, e.what());
        }
    };
    using Role = GlobalMemory::Role;
    const auto array = [&](Bound& b, const std::string& name) {
        b.gm = allocate(*b.spec, b.file ? b.file->bytes() : b.spec->bytes, name);
        if (b.file) b.file->Read(b.gm);
        const bool workspace = b.spec->kind == Kind::kWorkspace;
        memory.SetRole(b.gm,
                       workspace                ? Role::kWorkspace
                       : b.spec->output.empty() ? Role::kInput
                       : b.file                 ? Role::kInOut
                                                : Role::kOutput,
                       workspace ? std::nullopt : std::optional(b.type));
    };
    std::vector<Argument> arguments;
    for (Bound& b : bound) {
        const ArgumentSpec& spec = *b.spec;
        if (spec.kind == Kind::kWindow) continue;
        const size_t i = arguments.size();
        const bool named = i < kernel.params.size() && !kernel.params[i].name.empty();
        const std::string name = named ? kernel.params[i].name : fmt::format("arg{}", i);
        Argument a;
        if (spec.kind == Kind::kInteger) {
            a.kind = Argument::Kind::kInteger;
            a.negative = spec.negative;
            a.magnitude = spec.magnitude;
            a.type = spec.type;
        } else if (spec.kind == Kind::kFloating) {
            a = Argument::Floating(spec.floating, spec.type);
        } else if (spec.kind == Kind::kContext) {
            a = Argument::Pointer(b.gm);
        } else if (spec.kind == Kind::kTiling) {
            a = Argument::Bytes(b.bytes);
            a.pointer = allocate(spec, b.bytes.size(), name);
            std::memcpy(a.pointer, b.bytes.data(), b.bytes.size());
            memory.SetRole(a.pointer, Role::kInput);
        } else if (spec.kind == Kind::kList) {
            std::vector<ListedTensor> tensors;
            for (Bound& item : b.items) {
                array(item, fmt::format("{}[{}]", name, tensors.size()));
                tensors.push_back({item.gm, item.shape});
            }
            a = Argument::Pointer(memory.AllocateList(tensors, name));
            memory.SetRole(a.pointer, Role::kInput);
        } else {
            array(b, name);
            a = Argument::Pointer(b.gm);
            if (spec.kind != Kind::kWorkspace) a.type = b.type;
        }
        a.text = spec.text;
        arguments.push_back(std::move(a));
    }
    return arguments;
}

}  // namespace sfumato::command
