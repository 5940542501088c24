# SPDX-License-Identifier: Apache-2.0
"""te.utils.error_manager: how operator functions tell what is wrong with their arguments.

The toolkit has a text for each code; here the code and the words that the function gives are the text.
"""

from collections.abc import Callable, Mapping


def get_error_message(args: Mapping) -> str:
    """The text for a dict with errCode and what belongs to it."""
    words = ", ".join(f"{key}: {value}" for key, value in args.items() if key != "errCode")
    return f"{args.get('errCode', 'error')}: {words}"


def raising(name: str) -> Callable:
    """raise_err_specific_reson and its many sisters: each raises, with what it was given."""
    if not name.startswith("raise_"):
        raise AttributeError(name)

    def fail(*values, **named):
        words = [str(value) for value in values] + [f"{key}: {value}" for key, value in named.items()]
        raise RuntimeError({"errCode": name}, f"{name}: {', '.join(words)}")

    return fail


# A module with these has every name that raises.
NAMES = {"get_error_message": get_error_message, "__getattr__": raising}
