// SPDX-License-Identifier: Apache-2.0
// The ids of flags between pipes: those that queues and high-level calls take, those that the kernel asks for.
#include <fmt/format.h>

#include "frontends/ascendc/framework.h"

namespace sfumato::ascendc {

using AscendC::HardEvent;

namespace {

int8_t Exhausted(runtime::Core& core, const char* call, uint8_t event, const char* legal, Where where) {
    Find(core, call, where,
         {Rule::kEventIdsExhausted, runtime::EventName(event), "no event id is free",
          fmt::format("all {} ids of {} are taken", core.chip().event_ids, runtime::EventName(event)), legal, ""});
    return 0;
}

}  // namespace

int8_t Framework::TakeEvent(uint8_t event, Holder holder) {
    auto& pool = events_[event].holder;
    const auto first = static_cast<uint32_t>(statics_.has_ids() ? statics_.first_id() : 0);
    for (uint32_t id = first; id < core_.chip().event_ids; ++id) {
        if (pool[id] != Holder::kNobody) continue;
        pool[id] = holder;
        return static_cast<int8_t>(id);
    }
    return -1;
}

void Framework::GiveEvent(uint8_t event, int8_t* id) {
    if (*id >= 0) events_[event].holder[static_cast<size_t>(*id)] = Holder::kNobody;
    *id = -1;
}

void Framework::IssueToken(isa::Opcode op, uint8_t event, int8_t id, uint64_t token, Where where) {
    isa::Record record(op);
    auto& flag = record.As<isa::Flag>();
    flag.from = runtime::Event(event).from;
    flag.to = runtime::Event(event).to;
    flag.event = event;
    flag.id = id;
    flag.token = token;
    record.pipe = op == isa::Opcode::set_flag ? flag.from : flag.to;
    record.where = where;
    core_.Issue(record);
}

OwnFlag Framework::Raise(HardEvent event, Where where) {
    const auto number = static_cast<uint8_t>(event);
    const OwnFlag flag{core_.pipes().NewToken(), number, TakeEvent(number)};
    IssueToken(isa::Opcode::set_flag, number, flag.id, flag.token, where);
    return flag;
}

void Framework::Await(OwnFlag* flag, Where where) {
    if (flag->token == 0) return;
    IssueToken(isa::Opcode::wait_flag, flag->event, flag->id, flag->token, where);
    GiveEvent(flag->event, &flag->id);
    flag->token = 0;
}

void Framework::Order(HardEvent event, Where where) {
    OwnFlag flag = Raise(event, where);
    Await(&flag, where);
}

int8_t Framework::AllocEvent(uint8_t event, Where where) {
    const int8_t id = TakeEvent(event, Holder::kProgram);
    return id < 0 ? Exhausted(core_, "AllocEventID", event, "ReleaseEventID gives an id back", where) : id;
}

void Framework::ReleaseEvent(uint8_t event, int8_t id, Where where) {
    const bool in_range = id >= 0 && id < static_cast<int>(core_.chip().event_ids);
    if (!in_range || events_[event].holder[static_cast<size_t>(id)] != Holder::kProgram) {
        ascendc::Find(
            core_, "ReleaseEventID", where,
            {Rule::kEventIdRelease, runtime::EventName(event), "the id was not taken with AllocEventID for this event",
             fmt::format("id {}", id), "an id AllocEventID of the same event returned, released once", ""});
        return;
    }
    GiveEvent(event, &id);
}

int8_t Framework::FetchEvent(uint8_t event, Where where) {
    int8_t id = TakeEvent(event);
    if (id < 0)
        return Exhausted(core_, "FetchEventID", event, "ids are given back by ReleaseEventID, DeQue and AllocTensor",
                         where);
    const int8_t fetched = id;
    GiveEvent(event, &id);  // fetching does not reserve
    return fetched;
}

void Framework::CheckEventId(uint8_t event, int id, const char* call, Where where) {
    if (id < 0 || id >= static_cast<int>(core_.chip().event_ids)) return;  // refused when the record is checked
    if (events_[event].holder[static_cast<size_t>(id)] != Holder::kSfumato) return;
    ascendc::Find(
        core_, call, where,
        {Rule::kEventIdHeld, fmt::format("{} id {}", runtime::EventName(event), id), "a queue holds this event id now",
         fmt::format("id {} written by hand", id), "ids from AllocEventID or FetchEventID",
         "take the id from the TPipe: on the chip the flag of the queue would be disturbed"});
}

}  // namespace sfumato::ascendc
