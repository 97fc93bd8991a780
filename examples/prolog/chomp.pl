% Chomp on a bar of 3 rows and 4 columns, for a minimax program: bite off a square with all below it and to its right;
% who takes the poisoned square at the top left loses. A position is chomp(Rows, Player to move), and Rows are the
% squares left in each row, from the top.

initial(chomp([4, 4, 4], x)).

max_to_move(chomp(_, x)).
min_to_move(chomp(_, o)).

% move(+Position, -Next): a bite in one row cuts that row and all below it.
move(chomp(Rows, Player), chomp(Left, Other)) :-
    Rows = [First|_],
    First > 0,
    other(Player, Other),
    append(Above, [Row|Below], Rows),
    Most is Row - 1,
    between(0, Most, Cut),
    maplist(cut(Cut), [Row|Below], Shorter),
    append(Above, Shorter, Left).

other(x, o).
other(o, x).

cut(Most, Row, Cut) :- Cut is min(Most, Row).

% utility(+Position, -Value): who has just moved took the poison.
utility(chomp(_, x), 1).
utility(chomp(_, o), -1).

% For people: the square that is bitten, its column as a letter and its row from the top.
move_name(chomp(Rows, _), chomp(Left, _), Name) :-
    nth1(Row, Rows, Old),
    nth1(Row, Left, New),
    New < Old,
    !,
    Code is 0'a + New,
    format(atom(Name), "~c~w", [Code, Row]).

show(chomp(Rows, _)) :-
    forall(member(Row, Rows), ( forall(between(1, Row, _), write('# ')), nl )).
