% An Ultimate tic-tac-toe player in Prolog: the first legal move, over the Connector's terms.
%   plyground play ultimate:send=false --o "program:swipl ultimate.pl {host} {port} {side} {first}"
% A move is [Board,Cell], both 1 to 9, row by row; it reads them with a full stop and writes them without.

:- initialization(main, main).

main([Host, PortText, Side, First]) :-
    atom_number(PortText, Port),
    tcp_connect(Host:Port, Stream, []),
    ( Side == First -> answer(Side, [], Taken, Stream) ; Taken = [] ),
    play(Side, Taken, Stream).

play(Side, Taken, Stream) :-
    read(Stream, Term),
    ( Term = [Board, Cell] -> true ; halt ),
    other(Side, Opponent),
    answer(Side, [mark(Board, Cell, Opponent) | Taken], After, Stream),
    play(Side, After, Stream).

answer(Side, Taken, After, Stream) :-
    ( between(1, 9, Board), \+ closed(Board, Taken), between(1, 9, Cell), \+ member(mark(Board, Cell, _), Taken)
    -> After = [mark(Board, Cell, Side) | Taken], format(Stream, "[~w,~w]~n", [Board, Cell]), flush_output(Stream)
    ; After = Taken ).

closed(Board, Taken) :-
    member(Mark, [x, o]), lines(Cells),
    forall(member(Cell, Cells), memberchk(mark(Board, Cell, Mark), Taken)), !.
lines(Cells) :- member(Cells, [[1,2,3],[4,5,6],[7,8,9],[1,4,7],[2,5,8],[3,6,9],[1,5,9],[3,5,7]]).
other(x, o).
other(o, x).
