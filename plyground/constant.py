"""Base class of compile-time constants: games, boards and silent observers."""


# Below all other rooms: the compiler knows a constant by this class, and games, boards and observers are made of it.
class Constant:
    """An object that compiled code knows when it is compiled.

    Its methods become functions of the program, its int and tuple attributes constants, its attributes of this kind the
    same again; all cost nothing to use. So it must never change: another option is another object. Only its `Weights`
    are not constants, but data.
    """
