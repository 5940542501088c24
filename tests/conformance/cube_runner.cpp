// SPDX-License-Identifier: Apache-2.0
// Whole memories before and after a record.
#include "conformance/cube_runner.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>

namespace sfumato::conformance {
namespace {

using isa::Memory;

constexpr uint64_t kKiB = 1024;
constexpr uint64_t kMaxFailures = 4;

uint64_t SizeOf(Memory memory) {
    switch (memory) {
        case Memory::kGm:
        case Memory::kL1: return 1024 * kKiB;
        case Memory::kUb:
        case Memory::kL0C: return 256 * kKiB;
        case Memory::kL0A:
        case Memory::kL0B: return 64 * kKiB;
        case Memory::kBt: return 4 * kKiB;
        case Memory::kFb: return 8 * kKiB;
        default: return 0;
    }
}

std::string NameOfTest() {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    return std::string(test.test_suite_name()) + "." + test.name();
}

}  // namespace

CubeRunner::CubeRunner()
    : random_(NameOfTest()), before_(isa::kMemoryCount), now_(isa::kMemoryCount), targets_(exec::Targets()) {
    for (size_t i = 0; i < before_.size(); ++i) {
        before_[i].resize(SizeOf(static_cast<Memory>(i)));
        now_[i].resize(before_[i].size());
        map_.base[i] = now_[i].data();
    }
    gm_.assign(2, now_[static_cast<size_t>(Memory::kGm)].data());
    map_.gm = gm_.data();
    Shuffle();
}

void CubeRunner::Shuffle() {
    for (size_t i = 0; i < before_.size(); ++i) {
        for (size_t at = 0; at < before_[i].size(); at += 8) {
            const uint64_t bits = random_.Bits();
            std::memcpy(before_[i].data() + at, &bits, 8);
        }
        now_[i] = before_[i];
    }
}

isa::Operand CubeRunner::Operand(Memory memory, DataType type, uint64_t offset) {
    isa::Operand o;
    o.memory = memory;
    o.type = type;
    o.allocation = memory == Memory::kGm ? 1 : 0;
    o.offset = offset;
    o.limit = Size(memory);
    return o;
}

uint64_t CubeRunner::Place(Memory memory, uint64_t bytes, uint64_t unit) {
    const uint64_t size = Size(memory);
    return bytes >= size
               ? 0
               : unit * static_cast<uint64_t>(random_.Between(0, static_cast<int64_t>((size - bytes) / unit)));
}

bool CubeRunner::Run(const isa::Record& record, const std::function<bool()>& oracle) {
    const size_t dst = static_cast<size_t>(record.dst().memory);
    expected_ = before_[dst];
    bool saturated = false;
    try {
        saturated = oracle();
    } catch (const std::out_of_range&) {
        ++rejected_;
        return false;
    }
    ++cases_;
    for (size_t i = 0; i < now_.size(); ++i) {
        if (!now_[i].empty()) std::memcpy(now_[i].data(), before_[i].data(), now_[i].size());
    }
    for (const std::string& target : targets_) {
        exec::ForceTarget(target);
        std::memcpy(now_[dst].data(), before_[dst].data(), now_[dst].size());
        bool found = false;
        try {
            found = exec::Execute(record, map_);
        } catch (const std::exception& e) {
            Fail(record, target + ": threw " + e.what());
            break;
        }
        exec::Publish();
        bytes_ += expected_.size();
        if (std::memcmp(now_[dst].data(), expected_.data(), expected_.size()) != 0) {
            size_t at = 0, count = 0;
            while (now_[dst][at] == expected_[at]) ++at;
            for (size_t i = at; i < expected_.size(); ++i) count += now_[dst][i] != expected_[i];
            char line[200];
            std::snprintf(line, sizeof line, ": %zu bytes differ, first %s+%zu: found %02X, expected %02X, before %02X",
                          count, isa::Name(record.dst().memory), at, now_[dst][at], expected_[at], before_[dst][at]);
            Fail(record, target + line);
        }
        if (found != saturated) Fail(record, target + ": the flag is " + (found ? "set" : "not set"));
    }
    exec::ForceTarget("");
    for (size_t i = 0; i < now_.size(); ++i) {
        if (i != dst && now_[i] != before_[i]) {
            Fail(record, std::string("something was written in ") + isa::Name(static_cast<Memory>(i)));
        }
    }
    return true;
}

void CubeRunner::Fail(const isa::Record& record, const std::string& what) {
    if (++failures_ > kMaxFailures) return;
    text_ += "case " + std::to_string(cases_) + ", " + what + "\n  " + isa::Print(record) + "\n";
}

std::string CubeRunner::Finish(const std::string& name) {
    std::printf("%s: %llu parameter sets (%llu refused), %zu targets, %llu MB compared, %llu failures\n", name.c_str(),
                static_cast<unsigned long long>(cases_), static_cast<unsigned long long>(rejected_), targets_.size(),
                static_cast<unsigned long long>(bytes_ >> 20), static_cast<unsigned long long>(failures_));
    if (failures_ > kMaxFailures) text_ += "and " + std::to_string(failures_ - kMaxFailures) + " more\n";
    return text_;
}

std::string RunCases(CubeRunner& runner, const std::string& name, uint64_t cases, const std::function<void()>& one) {
    const uint64_t end = runner.cases() + cases;
    for (uint64_t attempts = 0; runner.cases() < end; ++attempts) {
        if (attempts == 20 * cases) return name + ": the generator finds too few legal parameter sets\n";
        one();
    }
    return runner.Finish(name);
}

}  // namespace sfumato::conformance
