% A tic-tac-toe player in Prolog: alpha-beta, over the Connector's terms.
%   swipl alphabeta.pl HOST PORT SIDE FIRST [DEPTH]     as in
%   plyground play tictactoe --o "program:swipl alphabeta.pl {host} {port} {side} {first}"
% It reads (X,Y). and writes X,Y; X is the column and Y the row, from 1. It never learns that the game is over.

:- initialization(main, main).

main([Host, PortText, Side, First | Rest]) :-
    atom_number(PortText, Port),
    ( Rest = [DepthText | _] -> atom_number(DepthText, Depth) ; Depth = 9 ),
    tcp_connect(Host:Port, Stream, []),
    length(Board, 9),
    ( Side == First -> answer(Side, Depth, Board, Stream) ; true ),
    play(Side, Depth, Board, Stream).

play(Side, Depth, Board, Stream) :-
    read(Stream, Term),
    ( Term = (X, Y) -> true ; halt ),
    Cell is (Y - 1) * 3 + X,
    other(Side, Opponent),
    nth1(Cell, Board, Opponent),
    ( ended(Board) -> true ; answer(Side, Depth, Board, Stream) ),
    play(Side, Depth, Board, Stream).

% Boards are lists of nine; a free cell is an unbound variable, so a move binds one.
answer(Side, Depth, Board, Stream) :-
    best(Side, Depth, Board, -1000, 1000, Cell, _),
    nth1(Cell, Board, Side),
    X is (Cell - 1) mod 3 + 1, Y is (Cell - 1) // 3 + 1,
    format(Stream, "~w,~w~n", [X, Y]),
    flush_output(Stream).

% best(+Side, +Depth, +Board, +Alpha, +Beta, -Cell, -Value): negamax; values are Side's.
best(Side, Depth, Board, Alpha, Beta, Cell, Value) :-
    findall(Place, (nth1(Place, Board, Mark), var(Mark)), Places),
    try(Places, Side, Depth, Board, Alpha, Beta, none, Cell, Value).

try([], _, _, _, Alpha, _, Cell, Cell, Alpha).
try([Place | Places], Side, Depth, Board, Alpha, Beta, Kept, Cell, Value) :-
    copy_term(Board, After), nth1(Place, After, Side),
    worth(Side, Depth, After, Alpha, Beta, Found),
    ( Found >= Beta -> Cell = Place, Value = Found
    ; Found > Alpha -> try(Places, Side, Depth, Board, Found, Beta, Place, Cell, Value)
    ; Kept == none -> try(Places, Side, Depth, Board, Alpha, Beta, Place, Cell, Value)
    ; try(Places, Side, Depth, Board, Alpha, Beta, Kept, Cell, Value)
    ).

% The value for Side of a board in which Side has just moved; a win is worth more the sooner it comes.
worth(Side, Depth, Board, _, _, Value) :- line(Board, Side), !, Value is 100 + Depth.
worth(_, _, Board, _, _, 0) :- ground(Board), !.
worth(Side, 1, Board, _, _, Value) :- !, other(Side, Opponent), open_lines(Board, Side, Mine), open_lines(Board, Opponent, Theirs), Value is Mine - Theirs.
worth(Side, Depth, Board, Alpha, Beta, Value) :-
    other(Side, Opponent), Less is Depth - 1, Low is -Beta, High is -Alpha,
    best(Opponent, Less, Board, Low, High, _, Theirs),
    Value is -Theirs.

ended(Board) :- ground(Board), !.
ended(Board) :- ( line(Board, x) ; line(Board, o) ), !.

line(Board, Side) :- lines(Cells), maplist([Cell]>>(nth1(Cell, Board, Mark), Mark == Side), Cells), !.
open_lines(Board, Side, Count) :-
    other(Side, Opponent),
    aggregate_all(count, (lines(Cells), \+ (member(Cell, Cells), nth1(Cell, Board, Mark), Mark == Opponent)), Count).
lines(Cells) :- member(Cells, [[1,2,3],[4,5,6],[7,8,9],[1,4,7],[2,5,8],[3,6,9],[1,5,9],[3,5,7]]).
other(x, o).
other(o, x).
