"""What a run with a fault has to leave behind, and what it may say."""

import fnmatch
import json
import re
import signal

# What says how something failed to nobody.
MEANINGLESS = re.compile(
    r"Success\b|error 0\b|Fatal error|Swift runtime|couldn.t be completed|unexpectedly|NSCocoaErrorDomain|"
    r"stack dump|Undefined error|\(null\)|Optional\(")
# Names of files that are not yet complete.
UNFINISHED = ("*.part.lazyimg-*", ".part.*", "lazyimg.??????")
HIDDEN = "hidden"
SILENT = re.compile("from lib(av[a-z]*|dav1d|aom|x264|vpx|webp|freetype|harfbuzz|ass|fribidi)[.]")
OTHER = re.compile("half made or wrong|prints something else|nor what it becomes|is missing with exit 0")
ENDINGS = {signal.SIGABRT, signal.SIGILL, signal.SIGSEGV, signal.SIGTRAP, signal.SIGBUS}


class Ending:
    """How a run ended."""

    def __init__(self, status, output, said, tree, is_hung=False):
        self.status, self.output, self.said, self.tree, self.is_hung = status, output, said, tree, is_hung


def is_without_facts(order, name):
    """Whether it is a page, or what one is made of, of a file that could not be looked at: without its date and device."""
    return order.kind == "status" and name.endswith(("item.json", "site/index.html"))


class Expected:
    """What is there before a job, and after two runs of it without a fault."""

    def __init__(self, job, before, first, second):
        self.job, self.before, self.after = job, before, first.tree
        self.output = first.output if first.output == second.output else None
        self.said = first.said
        # What holds the time, or a number that is not the same each time.
        self.varies = {n for n in first.tree if first.tree[n] != second.tree.get(n)}

    def is_shared(self, name, ending, what):
        """Whether it is a page, which is another one without an item, or without a library that it can do without."""
        isOther = ending.status > 0 or any(library in what for library in self.job.optional)
        return isOther and any(fnmatch.fnmatch(name, pattern) for pattern in self.job.shared)

    def is_right(self, name, data):
        return name in self.after and (name in self.varies or self.after[name] == data)


def fault(expected, ending, order, orders):
    """What is wrong with a run, in a sentence, or nothing; HIDDEN where a library does not tell."""
    if ending.is_hung:
        return "hung"
    what = orders.what.decode(errors="replace")
    wrong = judged(expected, ending, order, what, may_end(order, orders))
    # Codecs leave out some of what they find no memory for, and FreeType and HarfBuzz some glyphs: what they return then is
    # other pictures or bytes and no error.
    if wrong and order.kind == "allocation" and SILENT.search(what) and ending.status == 0 and OTHER.search(wrong):
        return HIDDEN
    return wrong


def may_end(order, orders):
    """Whether a signal may end the command for lack of memory: not in our code, and not because of a decoder."""
    if order.kind == "swift-allocation":
        return not orders.decodes
    # libaom jumps out of its error handler into a frame that has returned, so nobody knows where it ends.
    isKnown = orders.ended_in not in (b"", b"the program") or b"from libaom." in orders.what
    return order.kind == "allocation" and not orders.decodes and isKnown


def judged(expected, ending, order, what, may_end):
    if ending.status < 0 and not (may_end and -ending.status in ENDINGS):
        return f"ended by signal {-ending.status}"
    if ending.status >= 0 and ending.status not in expected.job.exits:
        return f"exit status {ending.status}"
    return (
        lost(expected, ending, order, what, ending.status < 0)
        or (unsaid(expected, ending, order, what) if ending.status >= 0 else None))


def has_warning(expected, ending):
    return ending.status == 0 and ending.said != expected.said


def lost(expected, ending, order, what, is_killed):
    """Whether something is lost, or half there."""
    for name, data in expected.before.items():
        if is_without_facts(order, name) and name in ending.tree:
            continue
        if name not in ending.tree:
            if name in expected.after or ending.status != 0:
                if name not in expected.after:
                    continue
                return f"{name} is gone"
        elif ending.tree[name] != data and not (
                expected.is_right(name, ending.tree[name]) or expected.is_shared(name, ending, what)):
            return f"{name} is neither what it was nor what it becomes"
    # A library that it does without changes the page.
    hasWarning = has_warning(expected, ending) or any(library in what for library in expected.job.optional)
    # fontconfig takes another font for one that it cannot read, and says nothing.
    hasWarning = hasWarning or "libfontconfig" in what
    for name, data in ending.tree.items():
        if name in expected.before or expected.is_right(name, data) or expected.is_shared(name, ending, what):
            continue
        if is_without_facts(order, name):
            continue
        if any(fnmatch.fnmatch(name.split("/")[-1], pattern) for pattern in UNFINISHED):
            # Who may not remove a file leaves it; so does who is killed while it gets its name.
            if order.kind == "unlink" or is_killed:
                continue
            return f"{name} is left behind"
        if name not in expected.after:
            return f"{name} is left behind"
        if not hasWarning and name not in expected.varies:
            return f"{name} is half made or wrong"
    return None


def is_sentence(line):
    if line.startswith("{"):
        # With --json.
        line = "lazyimg: " + json.loads(line)["error"]["message"]
    return re.match(r"lazyimg: \S.*\.$", line)


def unsaid(expected, ending, order, what):
    """Whether something failed without a word, or with a wrong one."""
    # Not what fontconfig itself prints.
    said = "".join(line for line in ending.said.splitlines(True) if not line.startswith("Fontconfig "))
    if found := MEANINGLESS.search(said):
        return f"says {found[0]!r}: {ending.said[-200:]!r}"
    if ending.status and not ending.said:
        # The sentence itself could not be written.
        return None if "standard error" in what else f"exit status {ending.status} without a word"
    if ending.status:
        lines = ending.said.strip().splitlines()
        # One of several inputs has its sentence before the results of those that come after it.
        told = any(map(is_sentence, lines)) if 1 in expected.job.exits else is_sentence(lines[-1])
        return None if told else f"ends with {lines[-1][-200:]!r}"
    if ending.said != expected.said or "libfontconfig" in what:
        return None
    missing = sorted(n for n in expected.after if n not in ending.tree)
    if missing:
        return f"{missing[0]} is missing with exit 0 and without a warning"
    wrong = sorted(n for n, data in expected.after.items() if not expected.is_right(n, ending.tree[n]))
    if wrong:
        return f"{wrong[0]} is as before with exit 0 and without a warning"
    if expected.output is not None and not expected.job.omits and ending.output != expected.output:
        return f"prints something else with exit 0 and without a warning: {ending.output[-100:]!r}"
    return None
