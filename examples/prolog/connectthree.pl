% Three in a row on a board of 4 columns and 4 rows into which discs fall, for a minimax program. A position is
% connect(Columns, Player to move, State): a column is a list of discs, the lowest first; State is play, win or draw.

initial(connect([[], [], [], []], x, play)).

max_to_move(connect(_, x, _)).
min_to_move(connect(_, o, _)).

% move(+Position, -Next): a disc falls into a column that is not full.
move(connect(Columns, Player, play), connect(Next, Other, State)) :-
    other(Player, Other),
    nth1(Number, Columns, Column, Others),
    length(Column, Height),
    Height < 4,
    append(Column, [Player], Higher),
    nth1(Number, Next, Higher, Others),
    Row is Height + 1,
    state(Next, Player, Number, Row, State).

other(x, o).
other(o, x).

state(Columns, Player, Column, Row, win) :-
    member(Right/Up, [1/0, 0/1, 1/1, 1/(-1)]),
    run(Columns, Player, Column, Row, Right, Up, Ahead),
    run(Columns, Player, Column, Row, -Right, -Up, Behind),
    Ahead + Behind >= 2,
    !.
state(Columns, _, _, _, draw) :- maplist([Column]>>length(Column, 4), Columns), !.
state(_, _, _, _, play).

% run(+Columns, +Player, +Column, +Row, +Right, +Up, -Count): discs of the player that follow in a direction.
run(Columns, Player, Column, Row, Right, Up, Count) :-
    NextColumn is Column + Right,
    NextRow is Row + Up,
    (   nth1(NextColumn, Columns, Discs),
        nth1(NextRow, Discs, Player)
    ->  run(Columns, Player, NextColumn, NextRow, Right, Up, More),
        Count is More + 1
    ;   Count = 0
    ).

% utility(+Position, -Value): of a finished game, for MAX. Who has won is not to move.
utility(connect(_, o, win), 1).
utility(connect(_, x, win), -1).
utility(connect(_, _, draw), 0).

% For people: a move is its column, a to d.
move_name(connect(Columns, _, _), connect(Next, _, _), Name) :-
    nth1(Number, Columns, Column),
    nth1(Number, Next, Higher),
    Higher \== Column,
    !,
    Code is 0'a + Number - 1,
    char_code(Name, Code).

show(connect(Columns, _, _)) :-
    forall(member(Row, [4, 3, 2, 1]),
           ( forall(member(Column, Columns),
                    ( nth1(Row, Column, Disc) -> format("~w ", [Disc]) ; write('. ') )),
             nl )).
