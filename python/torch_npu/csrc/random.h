// SPDX-License-Identifier: Apache-2.0
// The generator of the device: a generator of the CPU inside, so that a seed gives the CPU's numbers.
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Generator.h>

#include <vector>

#include "devices.h"

namespace torch_npu {

class GeneratorOfDevice final : public c10::GeneratorImpl {
public:
    explicit GeneratorOfDevice(c10::DeviceIndex device, at::Generator cpu = at::detail::createCPUGenerator())
        : GeneratorImpl(Devices::Npu(device), c10::DispatchKeySet(c10::DispatchKey::PrivateUse1)),
          cpu_(std::move(cpu)) {}

    void set_current_seed(uint64_t seed) override { cpu_.set_current_seed(seed); }
    void set_offset(uint64_t offset) override { cpu_.set_offset(offset); }
    uint64_t get_offset() const override { return cpu_.get_offset(); }
    uint64_t current_seed() const override { return cpu_.current_seed(); }
    uint64_t seed() override { return cpu_.seed(); }
    void set_state(const c10::TensorImpl& state) override { cpu_.unsafeGetGeneratorImpl()->set_state(state); }
    c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
        return cpu_.unsafeGetGeneratorImpl()->get_state();
    }

    const at::Generator& cpu() const { return cpu_; }

    static const at::Generator& Default(c10::DeviceIndex device) {
        static auto* generators = [] {
            auto* all = new std::vector<at::Generator>;
            for (c10::DeviceIndex i = 0; i < Devices::Count(); ++i)
                all->push_back(at::make_generator<GeneratorOfDevice>(i));
            return all;
        }();
        return (*generators)[static_cast<size_t>(Devices::Resolve(device))];
    }
    // The CPU's generator in one of the device; another is left as it is.
    static at::Generator Inside(const at::Generator& generator) {
        auto* own = dynamic_cast<GeneratorOfDevice*>(generator.unsafeGetGeneratorImpl());
        return own ? own->cpu() : generator;
    }

private:
    c10::GeneratorImpl* clone_impl() const override { return new GeneratorOfDevice(device().index(), cpu_.clone()); }

    at::Generator cpu_;
};

}  // namespace torch_npu
