// SPDX-License-Identifier: Apache-2.0
// Faults of launches become Python exceptions of the call that launched.
#pragma once

#include <Python.h>

#include <c10/util/Exception.h>

#include <mutex>
#include <string>
#include <vector>

#include "sfumato/host/watch.h"

namespace torch_npu {

// Throws c10::Error with the reports that no call has raised.
inline void RaiseFaults() {
    const std::string faults = sfumato::host::CollectFaults();
    TORCH_CHECK(faults.empty(), faults);
}

// A kernel of PyTorch's that is written in Python leaves its exception behind the C++ one.
inline void ForgetPythonError() {
    if (!Py_IsInitialized()) return;
    const PyGILState_STATE state = PyGILState_Ensure();
    PyErr_Clear();
    PyGILState_Release(state);
}

// A launch returns nothing, and C++ that throws through an extension would end the process where a destructor or C code
// lies between. So the fault waits in the thread until Python goes on, right behind the call that launched. It stays
// with the device where the thread has no Python, and the next call that synchronises raises it.
struct Launch {
    std::string kernel, file;
    uint32_t line, blocks;
    uint64_t records;
    double seconds;
};

class Watcher final : public sfumato::host::LaunchWatcher {
public:
    static Watcher& The() {
        static auto* watcher = new Watcher;
        return *watcher;
    }

    // `type`: an exception class that collects the reports when it is made without arguments.
    void RaiseAs(PyObject* type) {
        Py_XINCREF(type);
        type_ = type;
        sfumato::host::WatchLaunches(this);
    }

    void Launched(const sfumato::host::LaunchNote& note) override {
        std::lock_guard lock(mutex_);
        if (!recording_) return;
        notes_.push_back({note.kernel, note.file, note.line, note.blocks, note.records, note.seconds});
    }
    void Referenced(const char* json) override {
        std::lock_guard lock(mutex_);
        if (recording_) references_.emplace_back(json);
    }
    void FaultKept() override { SetPending(type_); }
    void FaultsCollected() override { SetPending(nullptr); }

    void Record(bool on) {
        std::lock_guard lock(mutex_);
        recording_ = on;
    }
    std::vector<Launch> TakeNotes() {
        std::lock_guard lock(mutex_);
        return std::move(notes_);
    }
    std::vector<std::string> TakeReferences() {
        std::lock_guard lock(mutex_);
        return std::move(references_);
    }

private:
    static void SetPending(PyObject* type) {
        if (!Py_IsInitialized() || !PyGILState_GetThisThreadState()) return;
        const PyGILState_STATE state = PyGILState_Ensure();
        PyThreadState_SetAsyncExc(PyThread_get_thread_ident(), type);
        PyGILState_Release(state);
    }

    PyObject* type_ = nullptr;
    std::mutex mutex_;
    bool recording_ = false;
    std::vector<Launch> notes_;
    std::vector<std::string> references_;  // notes of reference operators, one for each run
};

}  // namespace torch_npu
