# SPDX-License-Identifier: Apache-2.0
"""Sorts small keys by counting: counters in a ScalarArray, then places from their running sum."""

from te import tik

KEYS = 10


def running_counts(count=64, kernel_name="running_counts"):
    tik_instance = tik.Tik()
    key_gm = tik_instance.Tensor("int32", (count,), name="key_gm", scope=tik.scope_gm)
    sorted_gm = tik_instance.Tensor("int32", (count,), name="sorted_gm", scope=tik.scope_gm)
    order_gm = tik_instance.Tensor("int32", (count,), name="order_gm", scope=tik.scope_gm)
    key_ub, sorted_ub, order_ub = (
        tik_instance.Tensor("int32", (count,), name=name, scope=tik.scope_ubuf) for name in ("key", "sorted", "order")
    )
    places = tik_instance.ScalarArray("int32", KEYS + 1, name="places", init_value=0)
    key = tik_instance.Scalar("int32", name="key_now")
    tik_instance.data_move(key_ub, key_gm, 0, 1, count // 8, 0, 0)
    with tik_instance.for_range(0, count) as i:
        key.set_as(key_ub[i])
        places[key + 1].set_as(places[key + 1] + 1)
    with tik_instance.for_range(0, KEYS, name="k") as k:
        places[k + 1].set_as(places[k + 1] + places[k])
    with tik_instance.for_range(0, count) as i:
        key.set_as(key_ub[i])
        place = tik_instance.Scalar("int32", name="place", init_value=places[key])
        sorted_ub[place].set_as(key)
        order_ub[place].set_as(i)
        places[key].set_as(place + 1)
    tik_instance.data_move(sorted_gm, sorted_ub, 0, 1, count // 8, 0, 0)
    tik_instance.data_move(order_gm, order_ub, 0, 1, count // 8, 0, 0)
    tik_instance.BuildCCE(kernel_name=kernel_name, inputs=[key_gm], outputs=[sorted_gm, order_gm])
    return tik_instance


if __name__ == "__main__":
    running_counts()
