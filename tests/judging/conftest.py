# SPDX-License-Identifier: Apache-2.0
import pytest
from known import CHIP, LIMITS

import sfumato


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """Verdicts and objects of this module's tests."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def judge(cache):
    with sfumato.Judge(CHIP, limits=LIMITS, cache=cache) as one:
        yield one
