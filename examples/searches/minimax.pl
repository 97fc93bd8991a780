% Minimax for tic-tac-toe, to a depth. It is graded by its answers:
%
%   plyground grade "program:swipl minimax.pl"
%
% A question is a line, "xx./.o./...:o 2": the rows of the board, who is to move, and how many plies to look ahead.
% The answer is a line, "0 c1 29": the value for x, the move, and how many positions were entered, the first one too.
% A win is x or o, a finished game has the move -.

:- initialization(main, main).

main :-
    read_line_to_string(user_input, Line),
    (   Line == end_of_file
    ->  true
    ;   answer(Line),
        main
    ).

answer(Line) :-
    split_string(Line, " ", "", [State, Plies]),
    number_string(Depth, Plies),
    split_string(State, ":", "", [Rows, Mover]),
    string_chars(Rows, Chars),
    exclude(==('/'), Chars, Board),
    atom_string(Player, Mover),
    counted(value(Board, Player, Depth, Value, Move), Nodes),
    worth(Value, Word),
    format("~w ~w ~d~n", [Word, Move, Nodes]),
    flush_output.

% counted(Search, Nodes): how often a search enters a position.
counted(Search, Nodes) :-
    nb_setval(nodes, 0),
    once(Search),
    nb_getval(nodes, Nodes).

enter :-
    nb_getval(nodes, Before),
    Nodes is Before + 1,
    nb_setval(nodes, Nodes).

worth(1000, x) :- !.
worth(-1000, o) :- !.
worth(Value, Value).

% value(Board, Player, Depth, Value, Move): Player is to move.
value(_, _, _, _, _) :- enter, fail.
value(Board, _, _, 1000, -) :- wins(Board, x), !.
value(Board, _, _, -1000, -) :- wins(Board, o), !.
value(Board, _, _, 0, -) :- \+ memberchk('.', Board), !.
value(Board, _, 0, Value, -) :- !, evaluation(Board, Value).
value(Board, Player, Depth, Value, Move) :-
    Left is Depth - 1,
    other(Player, Opponent),
    findall(Worth-Name,
            ( place(Board, Player, Name, After), value(After, Opponent, Left, Worth, _) ),
            [First|Others]),
    foldl(better(Player), Others, First, Value-Move).

better(x, Worth-Name, Best-_, Worth-Name) :- Worth > Best, !.
better(o, Worth-Name, Best-_, Worth-Name) :- Worth < Best, !.
better(_, _, Best, Best).

other(x, o).
other(o, x).

place(Board, Player, Name, After) :-
    nth0(Index, Board, '.', Rest),
    nth0(Index, After, Player, Rest),
    Column is Index mod 3,
    Row is Index // 3 + 1,
    nth0(Column, [a, b, c], Letter),
    atom_concat(Letter, Row, Name).

line([0, 1, 2]). line([3, 4, 5]). line([6, 7, 8]).
line([0, 3, 6]). line([1, 4, 7]). line([2, 5, 8]).
line([0, 4, 8]). line([2, 4, 6]).

wins(Board, Player) :- line(Line), forall(member(Index, Line), nth0(Index, Board, Player)), !.

% Lines open to x minus lines open to o.
evaluation(Board, Value) :-
    aggregate_all(count, open(Board, o), X),
    aggregate_all(count, open(Board, x), O),
    Value is X - O.

open(Board, Without) :- line(Line), \+ ( member(Index, Line), nth0(Index, Board, Without) ).
