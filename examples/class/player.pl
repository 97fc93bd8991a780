% Eight students' programs in Prolog: KIND SIDE FIRST.
:- initialization(main, main).

main([Kind, Side, First]) :-
    ( Kind == broken -> halt(1) ; true ),
    ( Kind == waits -> read_string(user_input, _, _) ; true ),
    length(Board, 9),
    ( Side == First -> go(Kind, Side, Board) ; true ),
    loop(Kind, Side, Board).

loop(Kind, Side, Board) :-
    read(Told),
    ( Told = (X, Y)
    -> C is (Y - 1) * 3 + X, opponent(Side, Other), nth1(C, Board, Other),
       go(Kind, Side, Board), loop(Kind, Side, Board)
    ; true ).

opponent(x, o).
opponent(o, x).

line(1, 2, 3). line(4, 5, 6). line(7, 8, 9). line(1, 4, 7). line(2, 5, 8). line(3, 6, 9). line(1, 5, 9). line(3, 5, 7).

won(Board, Side) :-
    line(A, B, C), nth1(A, Board, P), P == Side, nth1(B, Board, Q), Q == Side, nth1(C, Board, R), R == Side, !.

go(_, Side, Board) :-
    opponent(Side, Other),
    ( won(Board, Side) ; won(Board, Other) ; \+ (member(Q, Board), var(Q)) ), !.
go(Kind, Side, Board) :-
    include(==(Side), Board, Mine), length(Mine, Moves),
    ( Kind == crash, Moves == 1 -> throw(the_second_move) ; true ),
    ( Kind == hang, Moves == 1 -> repeat, fail ; true ),
    ( Kind == illegal -> C = 5
    ; Kind == perfect, \+ (member(P, Board), nonvar(P)) -> C = 5
    ; Kind == perfect -> best(Board, Side, _, C)
    ; nth1(C, Board, V), var(V) ), !,
    ( Kind == talk -> writeln('I think that this is good') ; true ),
    nth1(C, Board, Place), ( var(Place) -> Place = Side ; true ),
    X is (C - 1) mod 3 + 1, Y is (C - 1) // 3 + 1,
    format("~w,~w~n", [X, Y]), flush_output.

best(Board, Side, Value, Move) :-
    opponent(Side, Other),
    findall(V-M, (nth1(M, Board, P), var(P), P = Side, value(Board, Other, W), V is -W), Found),
    max_member(Value-Move, Found).

value(Board, Side, -1) :- opponent(Side, Other), won(Board, Other), !.
value(Board, _, 0) :- \+ (member(Q, Board), var(Q)), !.
value(Board, Side, Value) :- best(Board, Side, Value, _).
