"""Laws of the compiler's form: every register is set once and before it is read, jumps lead to what encloses them, and
operands are of the kinds that their operations take."""

from collections.abc import Sequence

from plyground.compiler import form
from plyground.compiler.form import Cell, FunctionForm, Instruction, Operand, Register, RegisterKind, walk_instructions

Known = frozenset[Register | Cell]
"""Registers and cells that are set on every way to a place."""

INT, BOOL, FLOAT, ADDRESS = RegisterKind.INT, RegisterKind.BOOL, RegisterKind.FLOAT, RegisterKind.ADDRESS
OPERANDS: dict[str, tuple[RegisterKind, ...]] = {
    **dict.fromkeys(("add", "sub", "mul", "and", "or", "xor", "shl", "shr", "ushr"), (INT, INT)),
    **dict.fromkeys(("quotient", "remainder", "deposit"), (INT, INT)),
    **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge", "below"), (INT, INT)),
    **dict.fromkeys(("ones", "zeros_below", "zeros_above", "float_of", "float_from"), (INT,)),
    **dict.fromkeys(("both", "either", "differ"), (BOOL, BOOL)),
    **dict.fromkeys(("not", "int_of"), (BOOL,)),
    **dict.fromkeys(("fadd", "fsub", "fmul", "fdiv", "feq", "fne", "flt", "fle", "fgt", "fge"), (FLOAT, FLOAT)),
    **dict.fromkeys(("truncated", "bits_of", "sqrt", "log"), (FLOAT,)),
    **dict.fromkeys(("load", "load_shared", "prefetch"), (ADDRESS,)),
    **dict.fromkeys(("place", "half_place", "store", "store_shared", "store_half"), (ADDRESS, INT)),
    **dict.fromkeys(("add_shared", "claim_half"), (ADDRESS, INT)),
    "copy": (ADDRESS, ADDRESS, INT),
}


def require_laws(functions: Sequence[FunctionForm], with_cells: bool = True) -> None:
    """Hold functions, and their calls of one another, to the laws.

    Args:
        functions: the functions.
        with_cells: whether cells, too, are set before they are read. Recursion that is inlined hands over some that
            are not, and are not used.
    """
    for function in functions:
        _Verifier(function, with_cells).require_all()


class _Verifier:
    def __init__(self, function: FunctionForm, with_cells: bool) -> None:
        self.function, self.with_cells = function, with_cells
        self.ends: dict[int, list[Known]] = {}
        """Registers and cells set at each jump to an enclosing label."""

    def require(self, condition: bool, law: str, each: object) -> None:
        assert condition, f"{self.function.name}: {law}: {each}\n\n{form.format_functions([self.function])}"

    def require_all(self) -> None:
        results = [result for each in walk_instructions(self.function.body) for result in _results(each)] + [
            *self.function.parameters
        ]
        numbers = [each.number for each in results]
        self.require(len(numbers) == len(set(numbers)), "a register is set twice", sorted(numbers))
        end = self.walk(self.function.body, frozenset(self.function.parameters))
        self.require(end is None, "the end of the body is reached", "")

    def walk(self, body: Sequence[Instruction], known: Known | None) -> Known | None:
        """Registers and cells set after the instructions, given those set before; None if control flow ends."""
        for each in body:
            if isinstance(each, form.PhiMoves) and not each.body:
                continue
            if known is None and isinstance(each, form.FaultExit):
                continue  # behind a function that never returns and was inlined
            self.require(known is not None, "an instruction that no way leads to", each)
            assert known is not None
            for operand in _operands(each):
                is_known = operand in known or isinstance(operand, form.ConstantOperand)
                self.require(is_known, "a register is read that is not set on every way", operand)
            known = self.follow(each, known)
        return known

    def follow(self, each: Instruction, known: Known) -> Known | None:
        self.require_kinds(each)
        match each:
            case form.If():
                return _meet([self.walk(each.then, known), self.walk(each.otherwise, known)])
            case form.Block():
                self.ends[each.label] = []
                behind = self.walk(each.body, known)
                return _meet([behind, *self.ends.pop(each.label)])
            case form.Loop():
                self.ends[each.label] = []
                behind = self.walk(each.body, known)
                del self.ends[each.label]
                return behind
            case form.PhiMoves():
                return self.walk(each.body, known)
            case form.Jump():
                self.require(each.label in self.ends, "a jump to what does not enclose it", each)
                self.ends[each.label].append(known)
                return None
            case form.Return() | form.FaultExit():
                return None
            case form.ReadCell():
                is_set = each.cell in known or not self.with_cells
                self.require(is_set, "a cell is read that is not set on every way", each.cell)
            case form.WriteCell():
                return known | {each.cell}
        return known | set(_results(each))

    def require_kinds(self, each: Instruction) -> None:
        kinds = tuple(operand.kind for operand in _operands(each))
        wanted = kinds
        match each:
            case form.Op(name="select"):
                wanted = (BOOL, kinds[1], kinds[1])
                self.require(each.result is not None and each.result.kind is kinds[1], "kind of a result", each)
            case form.Op():
                wanted = OPERANDS[each.name]
                made = form.RESULT_KINDS.get(each.name)
                self.require((each.result.kind if each.result else None) is made, "kind of a result", each)
            case form.WriteCell() | form.ReadCell():
                other = each.value if isinstance(each, form.WriteCell) else each.result
                self.require(other.kind is each.cell.kind, "kind of a cell", each)
            case form.If():
                wanted = (BOOL,)
            case form.Return():
                wanted = self.function.results
            case form.Call():
                wanted = tuple(parameter.kind for parameter in each.function.parameters)
                made_kinds = tuple(result.kind for result in each.results)
                self.require(made_kinds == each.function.results, "kinds of a call's results", each)
        self.require(kinds == wanted, "kinds of operands", each)


def _meet(ways: Sequence[Known | None]) -> Known | None:
    reached = [way for way in ways if way is not None]
    return frozenset.intersection(*reached) if reached else None


def _results(each: Instruction) -> tuple[Register, ...]:
    match each:
        case form.Op(result=Register() as result):
            return (result,)
        case form.ReadCell() | form.StackSlot() | form.ConstantData() | form.WeightsData():
            return (each.result,)
        case form.Call():
            return each.results
    return ()


def _operands(each: Instruction) -> tuple[Operand, ...]:
    match each:
        case form.Op() | form.Call():
            return each.operands
        case form.WriteCell():
            return (each.value,)
        case form.If():
            return (each.condition,)
        case form.Return():
            return each.values
    return ()
