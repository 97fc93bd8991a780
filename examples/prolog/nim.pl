% Nim with heaps of 3, 4 and 5 stones, for a minimax program: take stones from one heap; who takes the last one wins.
% A position is nim(Heaps, Player to move).

initial(nim([3, 4, 5], x)).

max_to_move(nim(_, x)).
min_to_move(nim(_, o)).

% move(+Position, -Next): a player takes one stone or more from one heap.
move(nim(Heaps, Player), nim(Fewer, Other)) :-
    other(Player, Other),
    taken(Heaps, Fewer).

other(x, o).
other(o, x).

taken([Heap|Heaps], [Left|Heaps]) :-
    Most is Heap - 1,
    between(0, Most, Left).
taken([Heap|Heaps], [Heap|Fewer]) :- taken(Heaps, Fewer).

% utility(+Position, -Value): who cannot take has lost.
utility(nim(_, o), 1).
utility(nim(_, x), -1).

% For people: 2-3 is three stones from the second heap.
move_name(nim(Heaps, _), nim(Fewer, _), Number-Taken) :-
    nth1(Number, Heaps, Heap),
    nth1(Number, Fewer, Left),
    Left < Heap,
    Taken is Heap - Left.
