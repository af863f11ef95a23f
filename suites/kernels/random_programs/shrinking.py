"""Makes a failing program small: cuts its tree, piece by piece, as long as it still fails."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from .language import Block, Function, Node, Program, Statement, constant

Cuts = tuple[int, ...]
_LOOPS = ("for", "while", "do")
_ASSIGNING = ("assign", "call", "exchange", "atomic", "own_atomic", "sub_group")  # these assign to their first node


def cut(program: Program, cuts: Sequence[int]) -> Program:
    """The program after these cuts; each is the number of a program in `smaller`."""
    for number in cuts:
        program = next(itertools.islice(smaller(program), number, None))
    return program


def shrink(program: Program, fails: Callable[[Program, Cuts], bool], budget: int) -> tuple[Program, Cuts]:
    """The smallest failing program that is found in at most `budget` trials, and its cuts.

    After a cut the search continues at the same place: a cut that did not help before seldom helps later.
    """
    start, again = 0, False
    cuts: Cuts = ()
    while budget > 0:
        for i, candidate in enumerate(smaller(program)):
            if i < start:
                continue
            budget -= 1
            if budget >= 0 and fails(candidate, (*cuts, i)):
                program, start, again, cuts = candidate, i, True, (*cuts, i)
                break
        else:
            if not again:
                break
            start, again = 0, False
    return program, cuts


def smaller(program: Program) -> Iterator[Program]:
    """Programs with one cut; the largest cuts come first."""
    kernel = program.kernel
    for body in _smaller_block(kernel.body):
        if _well_formed(body, ()):
            yield _tidy(program.with_kernel(body=body))
    for i, function in enumerate(program.functions[:-1]):
        for body in _smaller_block(function.body):
            if body and body[-1].op.startswith("return") and _well_formed(body, ()):
                functions = list(program.functions)
                functions[i] = replace(function, body=body)
                yield _tidy(Program(tuple(functions)))
    used = _names(kernel)
    for field in ("parameters", "variables", "arrays", "structs"):
        for row in getattr(kernel, field):
            if (row.name if field == "structs" else row[0]) not in used:
                rest = tuple(r for r in getattr(kernel, field) if r is not row)
                yield program.with_kernel(**{field: rest})


def _smaller_block(block: Block) -> Iterator[Block]:
    """The block without some of its statements, at any depth; then with smaller expressions."""
    yield from _fewer(block)
    for i, s in enumerate(block):
        for others in _simpler(s):
            yield block[:i] + others + block[i + 1 :]


def _fewer(block: Block) -> Iterator[Block]:
    size = len(block)
    while size:
        for start in range(0, len(block), size):
            yield block[:start] + block[start + size :]
        size //= 2
    for i, s in enumerate(block):
        for inner in s.blocks:
            yield block[:i] + inner + block[i + 1 :]
        for k, inner in enumerate(s.blocks):
            for other in _fewer(inner):
                less = replace(s, blocks=(*s.blocks[:k], other, *s.blocks[k + 1 :]))
                yield (*block[:i], less, *block[i + 1 :])


def _simpler(s: Statement) -> Iterator[Block]:
    """The statement with fewer trips, or with a smaller expression, at any depth."""
    if s.op in (*_LOOPS, "repeat") and s.value[1] > 1:
        yield (replace(s, value=(s.value[0], 1)),)
    first = 1 if s.op in _ASSIGNING else 0  # a target stays
    for i, node in enumerate(s.nodes[first:], first):
        for n in _smaller_node(node):
            yield (replace(s, nodes=(*s.nodes[:i], n, *s.nodes[i + 1 :])),)
    for i, block in enumerate(s.blocks):
        for k, inner in enumerate(block):
            for others in _simpler(inner):
                less = block[:k] + others + block[k + 1 :]
                yield (replace(s, blocks=(*s.blocks[:i], less, *s.blocks[i + 1 :])),)


def _smaller_node(n: Node) -> Iterator[Node]:
    if n.op == "constant":
        return
    yield constant(1, n.type)
    for arg in n.args:
        if arg.type == n.type:
            yield arg
    yield constant(0, n.type)
    for i, arg in enumerate(n.args):
        for other in _smaller_node(arg):
            yield replace(n, args=(*n.args[:i], other, *n.args[i + 1 :]))


def _well_formed(block: Block, around: tuple[str, ...]) -> bool:
    """Whether each break and continue is in a statement that it can leave."""
    for s in block:
        if s.op == "break" and not around:
            return False
        if s.op == "continue" and not set(around) & set(_LOOPS):
            return False
        inner = (*around, s.op) if s.op in (*_LOOPS, "switch") else around
        if not all(_well_formed(b, inner) for b in s.blocks):
            return False
    return True


def _tidy(program: Program) -> Program:
    """The program without functions that nothing calls."""
    called: set[str] = set()
    kept: list[Function] = []
    for function in reversed(program.functions):
        if function is program.kernel or function.name in called:
            kept.append(function)
            called |= {s.value[0] for s in _statements(function.body) if s.op in ("call", "pass")}
    return Program(tuple(reversed(kept)))


def _statements(block: Block) -> Iterator[Statement]:
    for s in block:
        yield s
        for inner in s.blocks:
            yield from _statements(inner)


def _names(kernel: Function) -> set[str]:
    """The names of all variables, arrays and structs in the kernel's statements and initialisers."""
    names: set[str] = set()

    def visit(n: Node) -> None:
        if n.op in ("variable", "element"):
            name = n.value if n.op == "variable" else n.value[0]
            names.update((name, name.partition(".")[0]))
        for arg in n.args:
            visit(arg)

    for node in (n for _, nodes in kernel.initial for n in nodes):
        visit(node)
    for s in _statements(kernel.body):
        for node in s.nodes:
            visit(node)
        if s.op in (*_LOOPS, "repeat"):
            names.add(s.value[0])
        elif s.op == "call":
            names.add(s.value[1])
        elif s.op in ("copy", "pass"):
            names.update(s.value)
    return names
