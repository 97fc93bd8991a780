% Rules in the Game Description Language (Love et al., "General Game Playing: Game Description Language Specification",
% 2008) of two players who take turns: the predicates that `prolog_answers.pl` asks for, by an interpreter of the rules.
%
% The first role is MAX. A position is the sorted list of what is true in it. Who has another move than noop is to move.
% A goal above 50 is a win, 50 a draw.

:- dynamic rule/2.

% -- the predicates of a minimax program --------------------------------------------------------------------------------

initial(gdl(Facts)) :- findall(Fact, proved(init(Fact), [], []), Found), sort(Found, Facts).

min_to_move(gdl(Facts)) :- roles(_, Min), acts(Min, Facts).
max_to_move(Position) :- \+ min_to_move(Position).

move(gdl(Facts), gdl(Next)) :-
    \+ proved(terminal, Facts, []),
    turns(Facts, Mover, Other),
    waits(Facts, Other, Waits),
    legal_moves(Mover, Facts, Moves),
    member(Move, Moves),
    after(Facts, [does(Mover, Move), does(Other, Waits)], Next).

% turns(+Facts, -Mover, -Other): the players take turns, so one of them has nothing but noop.
turns(Facts, Mover, Other) :-
    roles(Max, Min),
    (   \+ acts(Min, Facts) -> Mover = Max, Other = Min
    ;   \+ acts(Max, Facts) -> Mover = Min, Other = Max
    ;   throw(wrong(legal, "both roles have a move other than noop at once, and the players must take turns"))
    ).

waits(Facts, Role, Move) :-
    (   proved(legal(Role, Move), Facts, [])
    ->  true
    ;   format(string(Said), "~w has no legal move, not even noop", [Role]),
        throw(wrong(legal, Said))
    ).

after(Facts, Done, Next) :- findall(Fact, proved(next(Fact), Facts, Done), Found), sort(Found, Next).

utility(gdl(Facts), Value) :-
    roles(Max, _),
    once(proved(goal(Max, Goal), Facts, [])),
    Value is sign(Goal - 50).

move_name(gdl(Facts), gdl(Next), Move) :-
    turns(Facts, Mover, Other),
    waits(Facts, Other, Waits),
    legal_moves(Mover, Facts, Moves),
    member(Move, Moves),
    after(Facts, [does(Mover, Move), does(Other, Waits)], Next),
    !.

roles(Max, Min) :- findall(Role, proved(role(Role), [], []), [Max, Min]).

acts(Role, Facts) :- proved(legal(Role, Move), Facts, []), Move \== noop, !.

legal_moves(Role, Facts, Moves) :-
    findall(Move, proved(legal(Role, Move), Facts, []), Found),
    list_to_set(Found, Moves).

% -- proofs: proved(+Goal, +What is true, +What is done) ------------------------------------------------------------------

proved(true(Fact), Facts, _) :- !, member(Fact, Facts).
proved(does(Role, Move), _, Done) :- !, member(does(Role, Move), Done).
proved(distinct(One, Other), _, _) :- !, One \== Other.
proved(not(Goal), Facts, Done) :- !, \+ proved(Goal, Facts, Done).
proved(Or, Facts, Done) :- compound_name_arguments_of(Or, or, Goals), !, member(Goal, Goals), proved(Goal, Facts, Done).
proved(Goal, Facts, Done) :- rule(Goal, Body), all_proved(Body, Facts, Done).

all_proved([], _, _).
all_proved([Goal|Goals], Facts, Done) :- proved(Goal, Facts, Done), all_proved(Goals, Facts, Done).

compound_name_arguments_of(Term, Name, Arguments) :- compound(Term), compound_name_arguments(Term, Name, Arguments).

% -- the reader ---------------------------------------------------------------------------------------------------------

load_gdl(File) :-
    read_file_to_codes(File, Codes, [encoding(utf8)]),
    (   phrase(forms(Forms), Codes)
    ->  true
    ;   throw(wrong(gdl, "its brackets do not match"))
    ),
    forall(member(Form, Forms), ( clause_of(Form, Head, Body), assertz(rule(Head, Body)) )),
    findall(Role, proved(role(Role), [], []), Roles),
    (   length(Roles, 2)
    ->  true
    ;   length(Roles, Count),
        format(string(Said), "it has ~w roles, and a game of ours has 2", [Count]),
        throw(wrong(gdl, Said))
    ),
    forall(member(Relation/Arity, [init/1, legal/2, next/1, terminal/0, goal/2]),
           (   functor(Relation0, Relation, Arity), rule(Relation0, _)
           ->  true
           ;   format(string(None), "it has no rule of ~w", [Relation]),
               throw(wrong(gdl, None))
           )).

clause_of(Form, Head, Ordered) :-
    term_of(Form, Term, [], _),
    (   compound_name_arguments_of(Term, '<=', [Head|Body])
    ->  partition(denies, Body, Last, First),  % what denies comes after what binds its variables
        append(First, Last, Ordered)
    ;   Head = Term, Ordered = []
    ).

denies(Goal) :- compound_name_arguments_of(Goal, Name, _), memberchk(Name, [not, distinct]).

term_of(variable(Name), Value, Known, Known) :- memberchk(Name-Value, Known), !.
term_of(variable(Name), Value, Known, [Name-Value|Known]).
term_of(word(Word), Word, Known, Known).
term_of(list([word(Name)|Forms]), Term, Before, After) :-
    foldl([Form, Part, Old, New]>>term_of(Form, Part, Old, New), Forms, Parts, Before, After),
    ( Parts == [] -> Term = Name ; compound_name_arguments(Term, Name, Parts) ).

forms([Form|Forms]) --> blanks, form(Form), !, forms(Forms).
forms([]) --> blanks.

form(list(Forms)) --> "(", forms(Forms), ")".
form(variable(Name)) --> "?", word(Name).
form(word(Word)) --> word(Word).

word(Word) --> letters([First|Rest]), { string_codes(Text, [First|Rest]), string_lower(Text, Low), term_word(Low, Word) }.

term_word(Text, Word) :- number_string(Word, Text), !.
term_word(Text, Word) :- atom_string(Word, Text).

letters([Letter|Letters]) --> [Letter], { \+ code_type(Letter, space), \+ memberchk(Letter, `();?`) }, !, letters(Letters).
letters([]) --> [].

blanks --> [Space], { code_type(Space, space) }, !, blanks.
blanks --> ";", !, line, blanks.
blanks --> [].

line --> "\n", !.
line --> [_], !, line.
line --> [].
