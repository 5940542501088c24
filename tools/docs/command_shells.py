# SPDX-License-Identifier: Apache-2.0
"""Completion for bash, zsh and fish: verbs, options, words that an option takes, chips, files and folders."""

_FILES = ("FILE", "NAME=FILE", "NAMES=FILE")


def _words(tree: dict, option: dict) -> list[str]:
    if option["names"][0] == "--chip":
        return tree["chips"]
    return option.get("choices", [])


def _inner(verb: dict) -> list[str]:
    return [inner["name"] for inner in verb.get("verbs", [])]


def _names(option: dict) -> list[str]:
    """As they are typed: --json, and --json= for the file it may take."""
    return [*option["names"], *(f"{name}=" for name in option["names"] if "optional" in option)]


def bash(tree: dict, verbs: list, made: str) -> str:
    known = " ".join([v["name"] for v in tree["verbs"]] + [n for o in tree["options"] for n in o["names"]])
    options, values = [], []
    for name, verb in verbs:
        names = [n for o in verb["options"] for n in _names(o)] + _inner(verb)
        options.append(f"        '{name}') options='{' '.join(names)}' ;;")
        for option in verb["options"]:
            words, value = _words(tree, option), option.get("value") or option.get("optional", "")
            if not value:
                continue
            said = f"words='{' '.join(words)}'" if words else "kind=" + _kind(value)
            key = "|".join(f"'{name} {n}'" for n in option["names"])
            values.append(f"        {key}) {said} ;;")
    return f"""# {made}
# shellcheck shell=bash
_sfumato() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} verb=${{COMP_WORDS[1]}}
    local options='' words='' kind='' i
    # "--json=x" comes as three words.
    if [[ $current == '=' ]]; then
        current=''
    elif [[ $before == '=' ]]; then
        before=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W '{known}' -- "$current")
        return
    fi
    # Behind "--" stand the kernel's arguments.
    for ((i = 2; i < COMP_CWORD; i++)); do
        [[ ${{COMP_WORDS[i]}} == -- ]] && return
    done
    [[ $verb == explain && COMP_CWORD -gt 2 ]] && verb="explain ${{COMP_WORDS[2]}}"
    case "$verb" in
{chr(10).join(options)}
    esac
    case "$verb $before" in
{chr(10).join(values)}
    esac
    if [[ -n $words ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    elif [[ $kind == directory ]]; then
        mapfile -t COMPREPLY < <(compgen -d -- "$current")
    elif [[ $kind == file ]]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    elif [[ -z $kind && ($current == -* || $verb == explain) ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
        [[ ${{#COMPREPLY[@]}} == 1 && ${{COMPREPLY[0]}} == *= ]] && compopt -o nospace
    fi
}}
complete -o default -o bashdefault -F _sfumato sfumato
"""


def _kind(value: str) -> str:
    return "directory" if value == "DIR" else "file" if value in _FILES else "other"


def _zsh_text(text: str) -> str:
    for character in "\\[]:":
        text = text.replace(character, "\\" + character)
    return text.replace("'", "'\\''")


def _zsh_action(tree: dict, option: dict) -> str:
    words, value = _words(tree, option), option.get("value") or option.get("optional", "")
    if not value:
        return ""
    kind = {"directory": "_files -/", "file": "_files", "other": " "}[_kind(value)]
    return f":{_zsh_text(value)}:{f'({chr(32).join(words)})' if words else kind}"


def zsh(tree: dict, verbs: list, made: str) -> str:
    cases = []
    for name, verb in verbs:
        lines = []
        for option in verb["options"]:
            for each in option["names"]:
                joined = "=-" if "optional" in option else "=" if each.startswith("--") and option.get("value") else ""
                action = _zsh_action(tree, option)
                action = ":" + action if "optional" in option else action
                lines.append(f"'*{each}{joined}[{_zsh_text(option['text'])}]{action}'")
        rest = f"'1:topic:({' '.join(_inner(verb))})'" if _inner(verb) else "'*:file:_files'"
        cases.append(
            f"        '{name}') arguments=({chr(10)}            {(chr(10) + ' ' * 12).join([*lines, rest])}\n        ) ;;"
        )
    listed = "\n".join(f"        '{v['name']}:{_zsh_text(v['text'])}'" for v in tree["verbs"])
    return f"""#compdef sfumato
# {made}
_sfumato() {{
    local -a verbs arguments
    local verb=${{words[2]}}
    verbs=(
{listed}
    )
    if ((CURRENT == 2)); then
        _describe command verbs
        return
    fi
    if [[ $verb == explain ]] && ((CURRENT > 3)); then
        verb="explain ${{words[3]}}"
        shift words
        ((CURRENT--))
    fi
    case $verb in
{chr(10).join(cases)}
    esac
    shift words
    ((CURRENT--))
    _arguments -S $arguments
}}
_sfumato "$@"
"""


def _fish_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'")


def fish(tree: dict, verbs: list, made: str) -> str:
    first = " ".join(v["name"] for v in tree["verbs"])
    out = [f"# {made}"]
    for verb in tree["verbs"]:
        condition = f"not __fish_seen_subcommand_from {first}"
        out.append(f"complete -c sfumato -f -n '{condition}' -a '{verb['name']}' -d '{_fish_text(verb['text'])}'")
    for name, verb in verbs:
        condition = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in name.split())
        for inner in verb.get("verbs", []):
            out.append(f"complete -c sfumato -f -n '{condition}' -a '{inner['name']}' -d '{_fish_text(inner['text'])}'")
        for option in verb["options"]:
            words, value = _words(tree, option), option.get("value", "")
            line = f"complete -c sfumato -n '{condition}'"
            for each in option["names"]:
                bare = each.lstrip("-")
                line += f" -l {bare}" if each.startswith("--") else f" -{'s' if len(bare) == 1 else 'o'} {bare}"
            if value:
                line += {"directory": " -x -a '(__fish_complete_directories)'", "file": " -r -F", "other": " -x"}[
                    _kind(value)
                ]
            if words:
                line += f" -a '{' '.join(words)}'"
            out.append(f"{line} -d '{_fish_text(option['text'])}'")
    return "\n".join(out) + "\n"
