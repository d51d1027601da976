#!/usr/bin/env python3
"""Writes man/lazyimg.1 and man/lazyimg-view.1: the prose of these with .in, and commands and options as the parser
describes them.

usage: manual.py [--check]    LAZYIMG_BINARY is the program (.build/debug/lazyimg); --check writes nothing and
                              fails where the page is stale

An option is described by its help, unless the prose has more to say of it:
    .\\" long COMMAND NAME     the lines up to `.\\" end` are the description; the command * means all
These lines are replaced:
    .\\" synopsis              the commands and their arguments
    .\\" common                the options that several commands have
    .\\" limits                the table of limits
    .\\" examples              the examples of all commands
    .\\" view                  in the page of lazyimg-view, the options that it shares with the command view
The options of a command follow its section (`.Ss NAME`).
"""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BINARY = os.environ.get("LAZYIMG_BINARY", f"{ROOT}/.build/debug/lazyimg")
PAGES = [f"{ROOT}/man/lazyimg.1", f"{ROOT}/man/lazyimg-view.1"]


def output(*arguments):
    return subprocess.run([BINARY, *arguments], check=True, capture_output=True, text=True).stdout


def escaped(text):
    text = text.replace("\\", "\\e").replace("--", "\\-\\-").strip()
    return "\\&" + text if text[:1] in ".'" else text


class Option:
    """An option or flag; equal ones of several commands are one."""

    def __init__(self, info):
        names = info["names"]
        self.short = [name["name"] for name in names if name["kind"] != "long"]
        self.long = [name["name"] for name in names if name["kind"] == "long"]
        self.value = info["valueName"] if info["kind"] == "option" else None
        self.help = info.get("abstract", "")
        self.default = info.get("defaultValue") if self.value else None
        self.key = json.dumps([self.short, self.long, self.value, self.help])

    @property
    def name(self):
        return self.long[0] if self.long else self.short[0]

    @property
    def head(self):
        names = [f"{name}" for name in self.short] + [f"-{name}" for name in self.long]
        return ".It Fl " + " , ".join(names) + (f" Ar {self.value}" if self.value else "")

    def item(self, long):
        default = f" Default: {self.default}." if self.default and "efault" not in self.help else ""
        return [self.head] + (long or [escaped(self.help + default)])


class Command:
    """A command; its subcommands' options are its own."""

    def __init__(self, info):
        self.name = info["commandName"]
        self.aliases = info.get("aliases", [])
        self.subcommands = [sub["commandName"] for sub in info.get("subcommands", []) if sub.get("shouldDisplay", True)]
        self.discussion = info.get("discussion", "")
        own = [argument for part in [info, *info.get("subcommands", [])] for argument in part.get("arguments", [])]
        shown = [argument for argument in own if argument["shouldDisplay"]]
        self.options = list({o.key: o for o in map(Option, (a for a in shown if a["kind"] != "positional"))}.values())
        self.positionals = [a for a in info.get("arguments", []) if a["kind"] == "positional" and a["shouldDisplay"]]

    def synopsis(self):
        lines = [".Nm", f".Cm {self.name}"]
        if self.subcommands:
            return lines + [f".Cm {' | '.join(self.subcommands)}", ".Op Ar options"]
        lines.append(".Op Ar options")
        for argument in self.positionals:
            name = argument["valueName"] + (" ..." if argument["isRepeating"] else "")
            lines.append(f".Op Ar {name}" if argument["isOptional"] else f".Ar {name}")
        return lines


class Manual:
    def __init__(self, template):
        root = json.loads(output("--experimental-dump-help"))["command"]
        commands = [Command(info) for info in root["subcommands"] if info.get("shouldDisplay", True)]
        self.root = root
        self.commands = {command.name: command for command in commands if command.name != "help"}
        self.owners, self.options = {}, {}
        for command in self.commands.values():
            for option in command.options:
                self.options[option.key] = option
                self.owners.setdefault(option.key, []).append(command.name)
        self.long, self.used = {}, set()
        self.lines = self.take_long(template)

    def take_long(self, template):
        """The lines without descriptions of options, which are kept."""
        lines, key = [], None
        for line in template.splitlines():
            if match := re.match(r'\.\\" long (\S+) (\S+)$', line):
                key = match.groups()
                self.long[key] = []
            elif line == '.\\" end':
                key = None
            elif key:
                self.long[key].append(line)
            else:
                lines.append(line)
        return lines

    def description(self, option):
        for owner in self.owners[option.key] + ["*"]:
            if (owner, option.name) in self.long:
                self.used.add((owner, option.name))
                return self.long[owner, option.name]
        return None

    def list(self, options):
        items = [line for option in options for line in option.item(self.description(option))]
        return [".Bl -tag -width Ds", *items, ".El"] if options else []

    def section(self, name):
        """What follows the prose of a command: its aliases and options."""
        command = self.commands[name]
        lines = []
        if command.aliases:
            is_one = len(command.aliases) == 1
            lines += [".Pp", "The alias is" if is_one else "The aliases are", f".Cm {' , '.join(command.aliases)} ."]
        lines += self.list([o for o in command.options if len(self.owners[o.key]) == 1])
        shared = [o for o in command.options if 1 < len(self.owners[o.key]) < len(self.commands)]
        if shared:
            names = " , ".join(f"-{option.name}" for option in shared)
            lines += [".Pp", "It also has", f".Fl {names} :", "see", ".Sx COMMON OPTIONS ."]
        return lines

    def common(self):
        groups = {}
        for key, owners in self.owners.items():
            if len(owners) > 1:
                groups.setdefault(tuple(owners), []).append(self.options[key])
        lines = []
        for owners, options in sorted(groups.items(), key=lambda group: -len(group[0])):
            is_all = len(owners) == len(self.commands)
            heading = ["Of all commands:"] if is_all else ["Of", f".Cm {' , '.join(owners)} :"]
            lines += [".Pp", *heading, *self.list(options)]
        return lines

    def viewer(self, template):
        """The page of the program with the window, which takes what the command has but those of all commands."""
        view = self.commands["view"].options
        items = self.list([o for o in view if len(self.owners[o.key]) < len(self.commands)])[1:-1]
        return "".join(f"{line}\n" for row in template.splitlines() for line in (items if row == '.\\" view' else [row]))

    def examples(self):
        lines = [".Bd -literal"]
        for text in [self.root.get("discussion", "")] + [c.discussion for c in self.commands.values()]:
            _, _, examples = text.partition("Examples:\n")
            for line in examples.splitlines():
                if not line.startswith("  "):
                    break
                # The root explains each of its examples, two spaces behind it.
                example, gap, _ = line[2:].partition("  ")
                if text == self.root.get("discussion") and not gap:
                    raise SystemExit(f"the example '{example}' has no caption two spaces behind it")
                lines.append(escaped(example))
        return list(dict.fromkeys(lines)) + [".Ed"]

    def limits(self):
        rows = [re.split(r" {2,}", line.strip()) for line in output("help", "limits").split("\n\n")[1].splitlines()]
        widths = " ".join(f'"{max((row[i] for row in rows), key=len)}"' for i in range(len(rows[0])))
        return [f".Bl -column {widths}", *(".It " + " Ta ".join(row) for row in rows), ".El"]

    def page(self):
        makers = {
            '.\\" synopsis': lambda: [line for c in self.commands.values() for line in c.synopsis()],
            '.\\" common': self.common, '.\\" limits': self.limits, '.\\" examples': self.examples,
        }
        page, section = [], None
        for line in self.lines + [".Sh"]:
            if section and line.startswith((".Ss ", ".Sh")):
                page += self.section(section)
                section = None
            if line.startswith(".Ss "):
                section = line[4:]
            page += makers[line]() if line in makers else [line]
        self.check()
        return "\n".join(page[:-1]) + "\n"

    def check(self):
        """Throws for commands and options that the prose has and the parser has not, and the other way around."""
        sections = [line[4:] for line in self.lines if line.startswith(".Ss ")]
        if wrong := set(sections) ^ set(self.commands):
            raise SystemExit(f"man/lazyimg.1.in: sections and commands differ: {' '.join(sorted(wrong))}")
        if wrong := set(self.long) - self.used:
            raise SystemExit(f"man/lazyimg.1.in: no such option: {' '.join(map(' --'.join, sorted(wrong)))}")
        known = {f"-{name}" for option in self.options.values() for name in option.long}
        for line in self.lines + sum(self.long.values(), []):
            for name in re.findall(r"(?:Fl |, )(-[a-z][a-z-]+)", line if " Fl " in f" {line[1:]}" else ""):
                if name not in known:
                    raise SystemExit(f"man/lazyimg.1.in: no such option: -{name}")


def main():
    prose = [open(page + ".in").read() for page in PAGES]
    manual = Manual(prose[0])
    for path, page in zip(PAGES, [manual.page(), manual.viewer(prose[1])]):
        if sys.argv[1:] != ["--check"]:
            with open(path, "w") as file:
                file.write(page)
        elif page != open(path).read():
            raise SystemExit(f"{os.path.relpath(path, ROOT)} is stale: run 'make manual'.")


if __name__ == "__main__":
    main()
