"""Rewrite a program's syntax tree so that it says, while it runs, which line it is on and which values it bound.

Tracing by the interpreter (`sys.settrace`) slows every library call down; a rewritten program pays for its own lines
alone, and a library runs untouched. Only the program's own statements are rewritten:

- before a statement its line is noted, so the statement that raises, hangs or crashes is known;
- after it the names that it bound are noted with their values, together with the next statement's line where there is
  one, so that most statements cost one call;
- a function's first act is to note its arguments and to take a frame (a small tuple: number, thread, name), kept in a
  local whose name no program can spell; a `return` passes its value through a hook; a handler notes what it caught;
- the name that a method is called on, or that an item is assigned in, is noted again: the object may have changed.

Hooks are in the tree as constants that no source text can hold by accident; `bind` puts the real functions in their
place in the compiled code. So no name of ours is looked up: a class body with a namespace of its own never sees one,
name mangling does not touch it, and a program that empties `builtins` keeps its recorder.

What a program does stays the same but for recursion depth, frame introspection, reference counts, bytecode and timing.
Lines inside lambdas and comprehensions, and code given to `exec`, are not noted.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from types import CodeType
from typing import Any, TypeVar, cast

from harness.bindings import bases, captures, receiver, targets

FLAG = 1 << 29
"""Stands for the line that is given along with values only: the line has been noted before."""
NEXT = 32
"""How far a second line is shifted that is given with the first, and reached right after it."""

FRAME = ".frame"
"""The local that holds a function's frame. Not an identifier, so no program can read or bind it."""

HOOKS = (
    *("note", "bind", "bind_many", "touch", "enter", "enter_one", "leave", "caught"),
    *("slow", "slow_enter", "slow_leave"),
)
MODULE_FRAME = "module_frame"
UNBOUND = "unbound"
"""What the tree holds for NameError: a name that is read guardedly may not be bound."""

_MARKS: dict[str, frozenset[str]] = {
    name: frozenset((f"hook of the flight recorder: {name}", "\0")) for name in (*HOOKS, MODULE_FRAME, UNBOUND)
}

_SEES_LOCALS = frozenset(
    {"locals", "vars", "dir", "eval", "exec", "f_locals", "_getframe", "currentframe"}
    | {"gi_frame", "cr_frame", "ag_frame", "tb_frame"}
    | {"getgeneratorlocals", "getcoroutinelocals", "getasyncgenlocals"}
)
"""A function that mentions one of these could meet the extra local: it gets none, and its hooks look the frame up."""

_MUTATORS = frozenset(["pop", "popitem", "popleft", "setdefault"])
"""Methods that change the object and are called for their result as well."""

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_END = (ast.Return, ast.Raise, ast.Break, ast.Continue)


class _Scope:
    """A module, function or class body: what the hooks in it are called with."""

    def __init__(self, name: str, kind: str, *, slow: bool = False, has_frame: bool = True) -> None:
        self.name = name
        self.kind = kind
        self.slow = slow
        """Its hooks find the thread, or the frame too, at each call."""
        self.has_frame = has_frame
        self.entry: ast.stmt | None = None
        """What a function's body begins with; taken by the block that is rewritten first, which is that body."""

    def child(self, name: str) -> str:
        if self.kind == "module":
            return name
        return f"{self.name}.<locals>.{name}" if self.kind == "function" else f"{self.name}.{name}"

    def frame(self) -> ast.expr:
        if self.kind == "module":
            return _mark(MODULE_FRAME)
        return ast.Name(FRAME, ast.Load()) if self.has_frame else ast.Constant(self.name)


class _Bound:
    """Names to note once a statement is done. `certain` where every one of them must be bound then."""

    def __init__(self, line: int, names: Iterable[str], *, certain: bool, kind: str = "set") -> None:
        self.line = line
        self.names = tuple(dict.fromkeys(names))
        self.certain = certain
        self.kind = kind


_Block = tuple[list[ast.stmt], _Scope, list[_Bound]]


def instrument(source: str | bytes, filename: str) -> ast.Module:
    """The rewritten tree of a program. To be compiled and then given to `bind`.

    Raises what compiling the program raises (SyntaxError, ValueError for a null byte, RecursionError, MemoryError): the
    original text is compiled first. Depth of nesting costs no recursion here.
    """
    compile(source, filename, "exec", dont_inherit=True)
    return rewrite(source, filename)


def rewrite(source: str | bytes, filename: str) -> ast.Module:
    """`instrument` for a program that has been compiled already."""
    tree = ast.parse(source, filename)
    todo: list[_Block] = [(tree.body, _Scope("<module>", "module"), [])]
    while todo:
        block, scope, before = todo.pop()
        block[:] = _rewrite(block, scope, before, todo)
    return tree


def bind(code: CodeType, hooks: dict[str, Any]) -> CodeType:
    """The code with the hooks (by the names in HOOKS, and MODULE_FRAME) in the place of their marks."""
    marks = {_MARKS[name]: hook for name, hook in hooks.items()}
    return _bind(code, marks)


def _bind(code: CodeType, marks: dict[frozenset[str], Any]) -> CodeType:
    consts = []
    for value in code.co_consts:
        if type(value) is CodeType:
            value = _bind(value, marks)
        elif type(value) is frozenset:
            value = marks.get(value, value)
        consts.append(value)
    return code.replace(co_consts=tuple(consts))


def _rewrite(block: list[ast.stmt], scope: _Scope, before: list[_Bound], todo: list[_Block]) -> list[ast.stmt]:
    """One block's statements with their hooks; blocks inside are put on `todo`."""
    out: list[ast.stmt] = []
    waiting = before
    last: ast.stmt | None = None
    silent = 0
    while silent < len(block) and _is_silent(block[silent], silent, scope):
        silent += 1
    out += block[:silent]
    entry, scope.entry = scope.entry, None
    if entry is not None:
        out.append(entry)
    for statement in block[silent:]:
        if isinstance(statement, (ast.Global, ast.Nonlocal)):
            out.append(statement)
            continue
        # A loop's test notes its line each time that it is evaluated.
        tested = isinstance(statement, ast.While) and not isinstance(statement.test, ast.Constant)
        line = 0 if tested else _line(statement)
        alone = line > 0 and not waiting and entry is None
        if entry is not None:
            line, entry = _entered(entry, line), None
        if alone and scope.kind != "class" and _is_plain(statement):
            # It can't fail: one hook after it notes its line and its value.
            out.append(statement)
            waiting = [_Bound(bound.line, bound.names, certain=True, kind="loop") for bound in _after(statement, scope)]
        else:
            out += _noted(waiting, line, scope, statement)
            out.append(statement)
            waiting = _after(statement, scope)
        last = statement
        _inside(statement, scope, todo)
    if waiting and not isinstance(last, _END):
        out += _noted(waiting, 0, scope, last or block[-1])
    return out


def _is_silent(statement: ast.stmt, index: int, scope: _Scope) -> bool:
    """A docstring or an import from __future__: nothing may precede it."""
    if isinstance(statement, ast.Expr):
        return index == 0 and isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, str)
    return scope.kind == "module" and isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _is_plain(statement: ast.stmt) -> bool:
    """Whether it gives one name a constant or an empty list, tuple or dict."""
    if not (isinstance(statement, ast.Assign) and len(statement.targets) == 1):
        return False
    value = statement.value
    empty = (isinstance(value, (ast.List, ast.Tuple)) and not value.elts) or (
        isinstance(value, ast.Dict) and not value.values
    )
    return isinstance(statement.targets[0], ast.Name) and (empty or isinstance(value, ast.Constant))


def _inside(statement: ast.stmt, scope: _Scope, todo: list[_Block]) -> None:
    """Put the blocks of a compound statement on the list, with what is bound on the way into each."""
    line = statement.lineno
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            _function(statement, scope, todo)
        case ast.ClassDef():
            inner = _Scope(scope.child(statement.name), "class", slow=True, has_frame=False)
            todo.append((statement.body, inner, []))
        case ast.If():
            bound = _walrus(statement.test, line)
            todo.append((statement.body, scope, bound))
            if statement.orelse:
                todo.append((statement.orelse, scope, bound))
            elif bound and scope.kind != "class":
                statement.orelse = _noted(bound, 0, scope, statement)
        case ast.While():
            bound = _walrus(statement.test, line)
            if isinstance(statement.test, ast.Constant):
                todo.append((statement.body, scope, bound))
            else:
                # The test is evaluated again and again: each time its line is noted first. The hook gives None.
                note = _at(_note(line, scope), statement)
                statement.test = ast.copy_location(ast.BoolOp(ast.Or(), [note, statement.test]), statement.test)
                todo.append((statement.body, scope, bound))
            if statement.orelse:
                todo.append((statement.orelse, scope, []))
        case ast.For() | ast.AsyncFor():
            names, certain = targets([statement.target])
            bound = [found for found in _walrus(statement.iter, line) if found.names[0] not in names]
            todo.append((statement.body, scope, [*bound, _Bound(line, names, certain=certain, kind="loop")]))
            if statement.orelse:
                todo.append((statement.orelse, scope, []))
        case ast.With() | ast.AsyncWith():
            names, certain = targets([item.optional_vars for item in statement.items if item.optional_vars])
            bound = [found for item in statement.items for found in _walrus(item.context_expr, line)]
            bound = [found for found in bound if found.names[0] not in names]
            if names:
                bound.append(_Bound(line, names, certain=certain and len(statement.items) == 1))
            todo.append((statement.body, scope, bound))
        case ast.Match():
            for case in statement.cases:
                at = case.pattern.lineno
                names = captures(case.pattern)
                bound = [found for found in _walrus(statement.subject, line) if found.names[0] not in names]
                bound += _walrus(case.guard, at) if case.guard else ()
                todo.append((case.body, scope, [*bound, _Bound(at, names, certain=True, kind="loop")]))
        case ast.Try() | ast.TryStar():
            for block in (statement.body, statement.orelse, statement.finalbody):
                if block:
                    todo.append((block, scope, []))
            for handler in statement.handlers:
                caught = _Bound(handler.lineno, [handler.name or "exception"], certain=True, kind="raise")
                todo.append((handler.body, scope, [caught]))
        case ast.Return(value=ast.expr() as value) if scope.kind == "function":
            hook = "leave" if scope.has_frame else "slow_leave"
            site = ast.Constant(cast(Any, ("return", line, ("return",))))
            statement.value = _at(ast.Call(_mark(hook), [value, site, scope.frame()], []), value)


def _function(statement: ast.FunctionDef | ast.AsyncFunctionDef, scope: _Scope, todo: list[_Block]) -> None:
    yields, sees = _looks(statement)
    inner = _Scope(scope.child(statement.name), "function", slow=yields or sees, has_frame=not sees)
    a = statement.args
    names = [x.arg for x in (*a.posonlyargs, *a.args, *((a.vararg,) if a.vararg else ()), *a.kwonlyargs)]
    if a.kwarg:
        names.append(a.kwarg.arg)
    site = ast.Constant(cast(Any, ("call", statement.lineno, tuple(names), inner.name)))
    values = [ast.Name(name, ast.Load()) for name in names]
    entry: ast.stmt
    if sees:
        entry = ast.Expr(ast.Call(_mark("slow_enter"), [site, *values], []))
    else:
        hook = "enter_one" if len(names) == 1 else "enter"
        line = ast.Constant(statement.lineno)
        entry = ast.Assign([ast.Name(FRAME, ast.Store())], ast.Call(_mark(hook), [line, site, *values], []))
    inner.entry = _at(entry, statement)
    todo.append((statement.body, inner, []))


def _entered(entry: ast.stmt, line: int) -> int:
    """Give the line of a function's first statement to the hook that notes the call; what is left to be noted."""
    if isinstance(entry, ast.Assign) and isinstance(entry.value, ast.Call):
        first = entry.value.args[0]
        if isinstance(first, ast.Constant) and isinstance(first.value, int):
            first.value |= line << NEXT
            return 0
    return line


def _looks(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[bool, bool]:
    """Whether it can be left and entered again (generator, coroutine), and whether it may look at its own locals."""
    yields = isinstance(function, ast.AsyncFunctionDef) or any(
        isinstance(node, (ast.Yield, ast.YieldFrom)) for node in _own(function.body)
    )
    sees = any(
        (isinstance(node, ast.Name) and node.id in _SEES_LOCALS)
        or (isinstance(node, ast.Attribute) and node.attr in _SEES_LOCALS)
        for node in ast.walk(function)
    )
    return yields, sees


def _own(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes evaluated in this scope, without those in the bodies of functions, lambdas and classes within."""
    todo = list(nodes)
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, ast.Lambda):
            todo += [x for x in (*node.args.defaults, *node.args.kw_defaults) if x is not None]
        elif isinstance(node, _FUNCTIONS):
            todo += [*node.decorator_list, *node.args.defaults, *(x for x in node.args.kw_defaults if x is not None)]
        elif isinstance(node, ast.ClassDef):
            todo += [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
        else:
            todo += ast.iter_child_nodes(node)


def _after(statement: ast.stmt, scope: _Scope) -> list[_Bound]:
    """What to note after a statement that is no block, or that binds beside its blocks."""
    if scope.kind == "class":
        return []
    line = statement.lineno
    names: list[str] = []
    certain = True
    touched: list[str] = []
    found: list[_Bound] = []
    match statement:
        case ast.Assign():
            names, certain = targets(statement.targets)
            touched = [*bases(statement.targets), *receiver(statement.value, only=_MUTATORS)]
        case ast.AugAssign():
            names, certain = targets([statement.target])
            touched = bases([statement.target])
        case ast.AnnAssign() if statement.value is not None:
            names, certain = targets([statement.target])
            touched = bases([statement.target])
        case ast.Import() | ast.ImportFrom():
            names = [alias.asname or alias.name.partition(".")[0] for alias in statement.names if alias.name != "*"]
            certain = len(names) == 1
        case ast.Delete():
            touched = bases(statement.targets)
        case ast.Expr():
            touched = receiver(statement.value)
        case ast.If() | ast.While() | ast.For() | ast.AsyncFor() | ast.With() | ast.AsyncWith() | ast.Match():
            return []
        case ast.Try() | ast.TryStar():
            return []
    expressions = [node for node in ast.iter_child_nodes(statement) if isinstance(node, ast.expr)]
    inner = (bound for expression in expressions for bound in _walrus(expression, line))
    once = {bound.names[0]: bound for bound in inner}  # two expressions of one statement may bind a name
    found += [bound for name, bound in once.items() if name not in names]
    if names:
        found.append(_Bound(line, names, certain=certain))
    noted = {name for bound in found for name in bound.names}
    found += [_Bound(line, [name], certain=False, kind="touch") for name in dict.fromkeys(touched) if name not in noted]
    return found


def _walrus(expression: ast.expr, line: int) -> list[_Bound]:
    names = [node.target.id for node in _own([expression]) if isinstance(node, ast.NamedExpr)]
    return [_Bound(line, [name], certain=False) for name in dict.fromkeys(names)]


def _noted(waiting: list[_Bound], line: int, scope: _Scope, at: ast.stmt) -> list[ast.stmt]:
    """The hooks that go before a statement on `line` (0: none is to be noted): values bound so far, then the line.

    The last hook for values notes the line too, where it can.
    """
    if scope.kind == "class":
        waiting = []
    out: list[ast.stmt] = []
    for index, bound in enumerate(waiting):
        with_line = line and index == len(waiting) - 1 and _takes_line(bound, scope)
        out.append(_at(_values(bound, line if with_line else 0, scope), at))
        if with_line:
            line = 0
    if line:
        out.append(_at(ast.Expr(_note(line, scope)), at))
    return out


def _takes_line(bound: _Bound, scope: _Scope) -> bool:
    """Whether the hook for these values notes the next statement's line as well."""
    if bound.kind == "loop":
        return bound.certain and bool(bound.names)
    return bound.kind in ("set", "touch")


def _values(bound: _Bound, line: int, scope: _Scope) -> ast.stmt:
    """The statement that notes the values of `bound`, and the line of the statement after it where one is given."""
    site = ast.Constant(cast(Any, (bound.kind, bound.line, bound.names)))
    if bound.kind == "raise":
        return ast.Expr(ast.Call(_mark("caught"), [ast.Constant(bound.line), site, scope.frame()], []))
    noted = bound.line | line << NEXT if bound.kind == "loop" else line or FLAG
    if not bound.names:
        return ast.Expr(_note(noted, scope))
    args: list[ast.expr] = [ast.Constant(noted), site, scope.frame()]
    args += [ast.Name(name, ast.Load()) for name in bound.names]
    if scope.slow:
        name = "slow"
    elif len(bound.names) > 1:
        name = "bind_many"
    else:
        name = "touch" if bound.kind == "touch" else "bind"
    call = ast.Expr(ast.Call(_mark(name), args, []))
    if bound.certain:
        return call
    instead: ast.stmt = ast.Expr(_note(line, scope)) if line else ast.Pass()
    return ast.Try([call], [ast.ExceptHandler(_mark(UNBOUND), None, [instead])], [], [])


def _note(line: int, scope: _Scope) -> ast.expr:
    if scope.slow:
        return ast.Call(_mark("slow"), [ast.Constant(line), ast.Constant(None), scope.frame()], [])
    return ast.Call(_mark("note"), [ast.Constant(line), scope.frame()], [])


def _mark(name: str) -> ast.expr:
    return ast.Constant(cast(Any, _MARKS[name]))


def _line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return decorators[0].lineno if decorators else statement.lineno


_Node = TypeVar("_Node", bound=ast.AST)


def _at(new: _Node, at: ast.stmt | ast.expr) -> _Node:
    """Give the new nodes of `new` (those without a position) the position of `at`: its first line's part alone.

    An exception that comes out of a hook (a signal's handler may raise anywhere) then points at that part.
    """
    line, column = at.lineno, at.col_offset
    end = _head(at)
    todo: list[ast.AST] = [new]
    while todo:
        node = todo.pop()
        if hasattr(node, "lineno"):
            continue
        if "lineno" in node._attributes:
            placed: Any = node
            placed.lineno, placed.col_offset = line, column
            placed.end_lineno, placed.end_col_offset = end
        todo += ast.iter_child_nodes(node)
    return new


def _head(at: ast.stmt | ast.expr) -> tuple[int, int]:
    """Where the part of a statement ends that is evaluated before its blocks."""
    part: ast.expr | ast.stmt = at
    match at:
        case ast.If() | ast.While():
            part = at.test
        case ast.For() | ast.AsyncFor():
            part = at.iter
        case ast.With() | ast.AsyncWith():
            part = at.items[-1].optional_vars or at.items[-1].context_expr
        case ast.Match():
            part = at.subject
        case ast.Try() | ast.TryStar() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return at.lineno, at.col_offset + 3
    return part.end_lineno or at.lineno, part.end_col_offset or at.col_offset
