"""Two transformations of LLVM's text that make a search as fast as compiled C.

*Recursion is opened.* A search visits most of its nodes at the leaves, where a call costs more than the work. LLVM,
which Numba uses, leaves a function that calls itself as it is; four things are done to it here (`bench/README.md` says
what each is worth):

1. *Results in registers.* Numba's functions return a status and write their result to an address. Private copies
   return both together, so LLVM can remove the results, arguments and statuses that no caller reads.
2. *A leaf ends where it is made.* The function is cut in two where all its calls of itself are ahead: what finds out
   that a node is a leaf is put into the callers, only what searches the others, the rest, is called.
3. *Every other level of the tree needs no call*, because the rest holds a copy of the whole function for each of its
   calls, as C compilers do it. Opening twice gains nothing more.
4. *The last ply stands apart.* Where an argument counts down to a test for 0, there is a rest for 1, whose children are
   all leaves, and another for more. Else LLVM moves work for leaves out of loops that never come to them.

A large search stays as it is, because its copies would take half of the time that compiling takes, and be slower:
their code is read again and again from beyond the processor's nearest memory.

*Loops wait for their callers.* Every function is optimised alone before it is put into its callers. A loop whose length
only the caller knows would by then be unrolled for a length of any size, and never again, when it is known, be written
out. Connect Four, whose rules are such loops, is half as fast again without that.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from llvmlite import binding as llvm

# llvmlite is untyped; its own values are Any throughout this module.
Llvm = Any

_BRANCH = re.compile(r"^( +br i?1?[^\n!]*)$", re.MULTILINE)
_NAME = r'("[^"\n]+"|[\w.$-]+)'
_VALUE = re.compile(f"%{_NAME}")
_LABEL = re.compile(f"^{_NAME}:", re.MULTILINE)
_SET = re.compile(f"^  %{_NAME} = ", re.MULTILINE)
_PHI = re.compile(r"(= phi \S+ )([^\n]*\])")
_END = re.compile(r"^  (?:br|switch|ret|unreachable)\b.*\Z", re.MULTILINE | re.DOTALL)
_LINES_AT_MOST = 3_500
"""Most lines of LLVM's text in a function that is opened. The engine's search has up to 2,600 in most games, where it
is 0.88 to 1.07 times as fast opened; in chess 4,400, where it is 0.9 times as fast and takes 1.8 times as long to
compile (`bench/TRIED.md`)."""
_ARGUMENTS_AT_MOST = 14
"""Most arguments of the rest: passing more costs more than the cut gains."""


def open_recursion(module: str) -> str | None:
    """The module's text with every function that calls itself opened; None if no function is.

    The function's own name and type stay; what is added is private to the module. A function that is large, or not of
    the form that Numba gives to a search, stays as it is.
    """
    if not any(_is_to_open(name, text) for name, text in _definitions(module)):
        return None
    parsed = _with_names(llvm.parse_assembly(module))
    text = re.sub(r" +; preds = .*", "", str(parsed))
    changed = False
    for name, definition in _definitions(text):
        if _is_to_open(name, definition) and (opened := _opened(name, definition, parsed)):
            text, changed = text.replace(definition, opened, 1), True
    return text if changed else None


def _is_to_open(name: str, definition: str) -> bool:
    """Whether a function calls itself and is small enough for copies of it."""
    return f"call i32 {name}(" in definition and definition.count("\n") <= _LINES_AT_MOST


def _definitions(module: str) -> list[tuple[str, str]]:
    """The name and text of each function that is defined."""
    found = re.finditer(rf"^define [^\n]*?(@{_NAME})\([^\n]*\{{\n.*?^\}}\n", module, re.MULTILINE | re.DOTALL)
    return [(one[1], one[0]) for one in found]


def _with_names(module: Llvm) -> Llvm:
    """The module with a name for every value, so that parts of a function can stand elsewhere."""
    target = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine()
    manager = llvm.create_new_module_pass_manager()
    manager.add_instruction_namer_pass()
    manager.run(module, llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options()))
    return module


def _arguments(text: str) -> tuple[list[str], str]:
    """The text up to the closing parenthesis, split at its commas, and the text after it."""
    depth, start, found = 0, 0, []
    for place, sign in enumerate(text):
        if depth == 0 and sign in ",)":
            found.append(text[start:place].strip())
            start = place + 1
            if sign == ")":
                return found, text[start:]
        depth += (sign in "([{") - (sign in ")]}")
    raise ValueError(text)


@dataclass
class _Recursive:
    """A function that calls itself, its text changed so that it returns its results; `@AGAIN` stands for its calls."""

    name: str
    head: str
    """First line of the definition."""
    types: dict[str, str]
    """Type of each value."""
    parameters: list[str]
    """Names of the parameters, without the first, which was the address for the results."""
    where: str
    """Name of the first parameter."""
    words: int
    """Number of ints in the result."""
    blocks: dict[str, str]
    """Text of each block by its label, the first block first."""

    @property
    def returned(self) -> str:
        """LLVM type of a status with the results."""
        return "{ i32" + ", i64" * self.words + " }"

    @property
    def entry(self) -> str:
        return next(iter(self.blocks))

    @property
    def text(self) -> str:
        return "\n".join(self.blocks.values())

    def private(self, part: str) -> str:
        """The name of a function made from this one."""
        return f'@"{self.name[1:].strip(chr(34))}.{part}"'

    def typed(self, values: list[str]) -> str:
        return ", ".join(f"{self.types[value.strip(chr(34))]} %{value}" for value in values)

    def function(self, part: str, values: list[str], text: str, again: str = "", inline: str = "") -> str:
        """A private function with these parameters; `again` is the part that its recursive calls go to."""
        head = f"define internal fastcc {self.returned} {self.private(part)}({self.typed(values)}) nounwind {inline}"
        return f"\n{head} {{\n{text.replace('@AGAIN', self.private(again))}}}\n"

    def call(self, part: str, arguments: str, result: str = "answer") -> str:
        """Terminator of a block: return the result of a part."""
        asked = f"call fastcc {self.returned} {self.private(part)}({arguments})"
        return f"  %{result} = {asked}\n  ret {self.returned} %{result}\n"

    def next(self, label: str) -> list[str]:
        """Labels of a block's successors."""
        end = _END.search(self.blocks[label])
        return re.findall(f"label %{_NAME}", end[0]) if end else []

    def following(self, start: str, without: str = "") -> list[str]:
        """The blocks that can be reached from one without going through another, itself among them, in their order."""
        seen, open_ends = set[str](), [start]
        while open_ends:
            label = open_ends.pop()
            if label not in seen and label != without:
                seen.add(label)
                open_ends += self.next(label)
        return [label for label in self.blocks if label in seen]

    def only(self, labels: list[str]) -> str:
        """Text of these blocks, with edges from other blocks removed."""

        def kept(phi: re.Match[str]) -> str:
            pairs = re.findall(rf"\[ [^\[\]]+, %{_NAME} \]", phi[2]), re.findall(r"\[ [^\[\]]+ \]", phi[2])
            return phi[1] + ", ".join(pair for label, pair in zip(*pairs, strict=True) if label in labels)

        return "\n".join(_PHI.sub(kept, self.blocks[label]) for label in labels)

    @cached_property
    def cut(self) -> tuple[str, list[str], list[str]] | None:
        """The last block in no loop that dominates every recursive call, the live-in values of it, and
        the places on the stack that only it and the blocks behind it use. None: there is no such block.
        """
        calling = [label for label, text in self.blocks.items() if "@AGAIN" in text]
        best: tuple[str, list[str], list[str]] | None = None
        fewest = len(self.blocks)
        for label, text in self.blocks.items():
            before, behind = self.following(self.entry, without=label), self.following(label)
            fits = label != self.entry and " = phi " not in text and not set(calling) & set(before)
            if not fits or len(behind) >= fewest or any(label in self.next(each) for each in behind):
                continue
            rest = self.only(behind)
            known = {*_SET.findall(rest), *behind}
            used = list(dict.fromkeys(value for value in _VALUE.findall(rest) if value not in known))
            leading = "\n".join(self.blocks[each] for each in before if label in self.following(each))
            leading = re.sub(r".*@llvm\.lifetime.*| +%\S+ = alloca .*", "", leading)
            stack = [value for value in used if f"  %{value} = alloca " in self.text]
            own = [value for value in stack if value not in _VALUE.findall(leading)]
            handed = [value for value in used if value not in own]
            if len(handed) <= _ARGUMENTS_AT_MOST:
                best, fewest = (label, handed, own), len(behind)
        return best

    @cached_property
    def countdown(self) -> str | None:
        """The argument that each call passes reduced by one, and that is tested for 0."""
        calls = [_arguments(line)[0] for line in re.findall(r"@AGAIN\((.*)", self.text)]
        for place, name in enumerate(self.parameters):
            passed = {arguments[place].split()[-1] for arguments in calls}
            less = [rf"{re.escape(value)} = add (?:nsw |nuw )*i64 %{re.escape(name)}, -1\n" for value in passed]
            if f"icmp eq i64 %{name}, 0\n" in self.text and all(re.search(line, self.text) for line in less):
                return name
        return None


def _opened(name: str, definition: str, module: Llvm) -> str | None:
    """The text of a function that calls itself, opened, with the private functions it is then made of."""
    function = _recursive(name, definition, module)
    if function is None:
        return None
    cut, results = function.cut, ""
    for word in range(function.words):
        results += f"  %word.{word} = extractvalue {function.returned} %answer, {word + 1}\n"
        results += f"  %at.{word} = getelementptr i64, ptr %{function.where}, i64 {word}\n"
        results += f"  store i64 %word.{word}, ptr %at.{word}\n"
    start = f"call fastcc {function.returned} {function.private('start')}({function.typed(function.parameters)})"
    status = f"  %status = extractvalue {function.returned} %answer, 0\n{results}  ret i32 %status\n"
    made = [f"{function.head}\n  %answer = {start}\n{status}}}\n"]

    if cut:
        label, handed, own = cut
        leaf = function.only(function.following(function.entry, without=label))
        leaf += f"\n{label}:\n{function.call('rest', function.typed(handed), 'rest.answer')}"
        rest = "".join(
            line + "\n" for line in re.findall(r"  %.* = alloca .*", function.text) if _VALUE.findall(line)[0] in own
        )
        rest = f"rest.entry:\n{rest}  br label %{label}\n\n{function.only(function.following(label))}"
        called = "leaf"
        made.append(function.function("leaf", function.parameters, leaf, inline="alwaysinline"))
    else:
        handed, rest, called = function.parameters, function.text, "rest"
    made.append(function.function("start", function.parameters, function.text, called, inline="alwaysinline"))

    counter = function.countdown if function.countdown in handed else None
    for part, is_last in (("last", "0, 0"), ("deep", "1, 0")) if counter else (("deep", ""),):
        text = function.text
        if counter:
            text = text.replace(f"icmp eq i64 %{counter}, 0\n", f"icmp eq i64 {is_last}\n")
        made.append(function.function(f"{part}.child", function.parameters, text, called, inline="alwaysinline"))
        made.append(function.function(part, handed, rest, f"{part}.child", inline="alwaysinline"))
    every = function.typed(handed)
    body = f"every:\n{function.call('deep', every)}"
    if counter:
        one = every.replace(f"i64 %{counter}", "i64 1")
        body = f"every:\n  %is.last = icmp eq i64 %{counter}, 1\n  br i1 %is.last, label %last, label %deep\n"
        body += f"\nlast:\n{function.call('last', one, 'last.answer')}\ndeep:\n{function.call('deep', every)}"
    made.append(function.function("rest", handed, body))
    return "".join(made)


def _recursive(name: str, definition: str, module: Llvm) -> _Recursive | None:
    """A function that calls itself, changed to return its results; None if it is of another form."""
    head, body = definition.rstrip().removesuffix("}").split("\n", 1)
    function = module.get_function(name[1:].strip('"'))
    types = {argument.name: str(argument.type) for argument in function.arguments}
    for block in function.blocks:
        types |= {value.name: str(value.type) for value in block.instructions if value.name}
    where, *parameters = (_VALUE.findall(each)[-1] for each in _arguments(head.split(f"{name}(", 1)[1])[0])

    call = re.compile(rf"^  (%{_NAME}) = [a-z ]*call i32 {re.escape(name)}\((.*)$", re.MULTILINE)
    places = {_VALUE.findall(_arguments(each[3])[0][0])[-1] for each in call.finditer(body)}
    kinds = {
        kind for place in places for kind in re.findall(rf"  %{re.escape(place)} = alloca (.*?)(?:, align .*)?\n", body)
    }
    kind = kinds.pop() if len(kinds) == 1 else ""
    if body.count(f"call i32 {name}(") != len(call.findall(body)) or not re.fullmatch(r"i64|\[[12] x i64\]", kind):
        return None
    words = 2 if kind.startswith("[2") else 1
    returned, number = "{ i32" + ", i64" * words + " }", 0

    def asked(found: re.Match[str]) -> str:
        nonlocal number
        number += 1
        (place, *arguments), rest = _arguments(found[3])
        both, place = f"%both.{number}", _VALUE.findall(place)[-1]
        lines = [f"{both} = call fastcc {returned} @AGAIN({', '.join(arguments)}){rest}"]
        lines.append(f"{found[1]} = extractvalue {returned} {both}, 0")
        for word in range(words):
            lines.append(f"%got.{number}.{word} = extractvalue {returned} {both}, {word + 1}")
            lines.append(f"%to.{number}.{word} = getelementptr i64, ptr %{place}, i64 {word}")
            lines.append(f"store i64 %got.{number}.{word}, ptr %to.{number}.{word}")
        return "\n".join(f"  {line}" for line in lines)

    def told(found: re.Match[str]) -> str:
        nonlocal number
        number += 1
        both = f"%told.{number}"
        lines = [f"{both}.0 = insertvalue {returned} undef, i32 {found[1]}, 0"]
        for word in range(words):
            lines.append(f"%from.{number}.{word} = getelementptr i64, ptr %{where}, i64 {word}")
            lines.append(f"%result.{number}.{word} = load i64, ptr %from.{number}.{word}")
            lines.append(
                f"{both}.{word + 1} = insertvalue {returned} {both}.{word}, i64 %result.{number}.{word}, {word + 1}"
            )
        return "\n".join(f"  {line}" for line in [*lines, f"ret {returned} {both}.{words}"])

    body = re.sub(r"^  ret i32 (\S+)$", told, call.sub(asked, body), flags=re.MULTILINE)
    labels = list(_LABEL.finditer(body))
    if not labels or labels[0].start() > 0:
        return None
    ends = [label.start() for label in labels[1:]] + [len(body)]
    blocks = {label[1]: body[label.start() : end].rstrip() + "\n" for label, end in zip(labels, ends, strict=True)}
    blocks[labels[0][1]] = blocks[labels[0][1]].replace("\n", f"\n  %{where} = alloca {kind}, align 8\n", 1)
    types[where.strip('"')] = "ptr"
    return _Recursive(name, head, types, parameters, where, words, blocks)


def marked_loops(module: str) -> str:
    """The module's text with every loop marked not to be unrolled for a length known only when it runs.

    The mark belongs on a loop's branch back; on any other branch it means nothing.
    """
    return _BRANCH.sub(r"\1, !llvm.loop !90000000", module) + (
        '!90000000 = distinct !{!90000000, !90000001}\n!90000001 = !{!"llvm.loop.unroll.runtime.disable"}\n'
    )
