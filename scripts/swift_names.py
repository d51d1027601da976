"""What Swift files declare at their top level, and which names they use: shared by layers.py."""
import collections
import functools
import re

# What ends a run of plain code: a comment, a string, or a parenthesis, which may end an interpolation.
INTERESTING = re.compile(r'//[^\n]*|/\*|#*"""|#*"|[()]')
DECLARATION = re.compile(r"""[{}]|\b(?P<kind>struct|class|enum|protocol|actor|typealias|extension|associatedtype)
                             \s+(?P<name>[A-Z][\w.]*)""", re.VERBOSE)
# What opens and closes, an extension, and a member or function with its name.
MEMBER = re.compile(r"[{}]|\bextension\b|\b(?:func|var|let|case)\s+`?(?P<name>[a-z]\w*)")
GENERIC = re.compile(r"\b(?:func\s+[^\s(<]+\s*|init[?!]?|subscript|(?:struct|class|enum|actor|typealias)\s+\w+)<([^>{(]*)")
NAME = re.compile(r"(\.\s*)?\b([A-Z]\w*)")
# The end of what precedes the dot of a member; the dots of a range belong to no member.
BASE = re.compile(r"(\w*)[?!)\]]*\s*$")


def after_comment(text, start):
    """The index after a comment, which may have others in it."""
    depth = 1
    for mark in re.compile(r"/\*|\*/").finditer(text, start):
        depth += 1 if mark.group() == "/*" else -1
        if depth == 0:
            return mark.end()
    return len(text)


def code(text):
    """The text without its comments and what its strings say; expressions in strings stay."""
    kept, index = [], 0
    # For each string that is open, its delimiter; for the code in it, the number of parentheses that are open.
    strings, depths = [], [0]
    while index < len(text):
        if len(strings) == len(depths):
            quote = strings[-1]
            escape = "\\" + "#" * quote.count("#")
            end = quote.lstrip("#") + "#" * quote.count("#")
            stop = re.compile(f"{re.escape(end)}|{re.escape(escape)}(.)" + ("" if '"""' in quote else "|\n"), re.DOTALL).search(text, index)
            if not stop:
                break
            index = stop.end()
            if stop.group(1) == "(":
                depths.append(0)
                kept.append(" (")
            elif not stop.group(1):
                strings.pop()
                kept.append('" ')
            continue
        mark = INTERESTING.search(text, index)
        if not mark:
            kept.append(text[index:])
            break
        kept.append(text[index:mark.start()])
        index, token = mark.end(), mark.group()
        if token == "/*":
            index = after_comment(text, index)
        elif token.endswith('"'):
            strings.append(token)
            kept.append(' "')
        elif token in "()":
            if token == ")" and depths[-1] == 0 and strings:
                depths.pop()
            else:
                depths[-1] += 1 if token == "(" else -1
            kept.append(token)
    return "".join(kept)


class Source:
    """A Swift file: what it declares, and the names that it uses."""

    def __init__(self, module, folder, path, text):
        self.module, self.folder, self.path = module, folder, path
        self.code = code(text)
        # The types that other files see, and those that only this one sees.
        self.types, self.own = set(), set()
        # Names of types in types, by the name of the outer one; the types whose inner names this file sees.
        self.inner, self.outer = collections.defaultdict(set), set()
        self._read_declarations()
        for parameters in GENERIC.findall(self.code):
            self.own.update(re.findall(r"(?:^|,)\s*(?:each\s+)?([A-Z]\w*)", parameters))

    def _read_declarations(self):
        open_types, next_type = [], None
        for mark in DECLARATION.finditer(self.code):
            kind = mark["kind"]
            if not kind:
                if mark.group() == "{":
                    open_types.append(next_type)
                elif open_types:
                    open_types.pop()
                next_type = None
                continue
            name = mark["name"].split(".")[-1]
            before = self.code[self.code.rfind("\n", 0, mark.start()) + 1:mark.start()]
            if re.search(r"\bimport\s*$|:\s*$", before):
                continue
            if kind == "extension":
                self.outer.update(mark["name"].split("."))
            elif not open_types:
                (self.own if re.search(r"\b(?:file)?private\b", before) else self.types).add(name)
                self.outer.add(name)
            else:
                self.own.add(name)
                self.outer.add(name)
                for outer in filter(None, open_types[-1:]):
                    self.inner[outer].add(name)
            if kind not in ("typealias", "associatedtype"):
                next_type = name

    @functools.cached_property
    def imports(self):
        return set(re.findall(r"^\s*(?:@\w+\s+)*(?:\w+\s+)?import\s+(?:\w+\s+)?([A-Z]\w*)", self.code, re.M))

    @functools.cached_property
    def names(self):
        """The names of types that are used, without those of types in other types."""
        found = set()
        for mark in NAME.finditer(self.code):
            start = mark.start()
            is_member = mark[1] and self.code[start - 1:start] != "."
            if not is_member or BASE.search(self.code, max(0, start - 60), start)[1] == self.module:
                found.add(mark[2])
        return found


def members(source):
    """Yields the names of functions and members of a file, each with whether other files see it from outside of a type's body."""
    open_extensions, is_extension = [], False
    for mark in MEMBER.finditer(source.code):
        if mark["name"]:
            before = source.code[source.code.rfind("\n", 0, mark.start()) + 1:mark.start()]
            is_seen = open_extensions in ([], [True]) and not re.search(r"\b(?:file)?private\b", before)
            yield mark["name"], is_seen
        elif mark.group() == "{":
            open_extensions.append(is_extension)
            is_extension = False
        elif mark.group() == "}":
            open_extensions = open_extensions[:-1]
        else:
            is_extension = True


def member_references(sources, everything):
    """Yields (file, file, name) for functions and members of extensions that a file uses and another declares.

    Only of names that no other file of the package declares: the others may mean something else.
    """
    declaring = collections.defaultdict(dict)
    for source in everything:
        for name, is_seen in members(source):
            declaring[name][source.path] = (source, is_seen or declaring[name].get(source.path, (None, False))[1])
    owners = {}
    for name, files in declaring.items():
        (owner, is_seen), *others = files.values()
        if is_seen and not others:
            owners[name] = owner
    for source in sources:
        for name in sorted(set(re.findall(r"\b[a-z]\w*+(?!:)", source.code)) & owners.keys()):
            if owners[name].module == source.module:
                yield source, owners[name], name


def references(sources):
    """Yields (file, file, name) for each top-level type that a file of one module uses and another declares."""
    declaring, inner = {}, collections.defaultdict(set)
    for source in sources:
        declaring.update((name, source) for name in source.types)
        for outer, names in source.inner.items():
            inner[outer] |= names
    for source in sources:
        hidden = set.union(source.own, source.types, *(inner[outer] for outer in source.outer if outer in inner))
        for name in sorted((source.names - hidden) & declaring.keys()):
            yield source, declaring[name], name


def circles(arrows):
    """The sets of nodes that reach each other, of two and more (Tarjan's strongly connected components)."""
    order, lowest, path, found = {}, {}, [], []

    def visit(node):
        order[node] = lowest[node] = len(order)
        path.append(node)
        for other in sorted(arrows.get(node, ())):
            if other not in order:
                visit(other)
            if other in path:
                lowest[node] = min(lowest[node], lowest[other])
        if lowest[node] == order[node]:
            circle = path[path.index(node):]
            del path[path.index(node):]
            if len(circle) > 1:
                found.append(sorted(circle))

    for node in sorted(arrows):
        if node not in order:
            visit(node)
    return found
