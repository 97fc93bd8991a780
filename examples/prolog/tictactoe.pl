% Tic-tac-toe for a minimax program. A position is [Player to move, State, Board]: State is play, win or draw, and Board
% has nine cells, row by row, each x, o or 0. x is MAX and begins.

initial([x, play, [0, 0, 0, 0, 0, 0, 0, 0, 0]]).

max_to_move([x, _, _]).
min_to_move([o, _, _]).

% move(+Position, -Next): a player marks a free cell.
move([Player, play, Board], [Other, State, Next]) :-
    other(Player, Other),
    marked(Board, Player, Next),
    state(Player, Next, State).

other(x, o).
other(o, x).

marked([0|Cells], Player, [Player|Cells]).
marked([Cell|Cells], Player, [Cell|Marked]) :- marked(Cells, Player, Marked).

state(Player, Board, win) :- line(Player, Board), !.
state(_, Board, draw) :- \+ memberchk(0, Board), !.
state(_, _, play).

line(P, [P, P, P, _, _, _, _, _, _]).
line(P, [_, _, _, P, P, P, _, _, _]).
line(P, [_, _, _, _, _, _, P, P, P]).
line(P, [P, _, _, P, _, _, P, _, _]).
line(P, [_, P, _, _, P, _, _, P, _]).
line(P, [_, _, P, _, _, P, _, _, P]).
line(P, [P, _, _, _, P, _, _, _, P]).
line(P, [_, _, P, _, P, _, P, _, _]).

% utility(+Position, -Value): of a finished game, for MAX. Who has won is not to move.
utility([o, win, _], 1).
utility([x, win, _], -1).
utility([_, draw, _], 0).

% For people: a move is the number of its cell, 1 to 9, and a position is printed as three rows.
move_name([Player, _, Board], [_, _, Next], Cell) :-
    nth1(Cell, Next, Player),
    nth1(Cell, Board, 0).

show([_, _, [A, B, C, D, E, F, G, H, I]]) :-
    forall(member(Row, [[A, B, C], [D, E, F], [G, H, I]]),
           ( maplist(sign, Row, Signs), atomic_list_concat(Signs, ' ', Line), writeln(Line) )).

sign(0, '.') :- !.
sign(Mark, Mark).
