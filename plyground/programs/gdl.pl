% Rules in the Game Description Language (Love et al., "General Game Playing: Game Description Language Specification",
% 2008) of two players who take turns: the predicates that `prolog_answers.pl` asks for.
%
% The first role is MAX. A position is the sorted list of what is true in it. Each rule becomes a clause of Prolog, and
% the facts of the position that is asked about are clauses too, so that Prolog's indexes find them. A relation that
% calls itself is tabled (Swift and Warren, "XSB: Extending Prolog with Tabled Logic Programming", 2012): such rules end,
% whatever their order. Tables live as long as what they rest on: for ever, for a position, or for one move.

% relation(Name, Arity, Kind): a relation of the rules; Kind is `rules`, `position` or `move`, for what it rests on.
% fact_form(Name, Arity): facts of this form have been seen.  current_facts(Facts): of the position asked about.
% current_mover(Mover): `max` or `min` there, once it is known; last_mover(Mover): in the position before.
% has_tables(Kind): some relation of this kind is tabled.
:- dynamic relation/3, fact_form/2, current_facts/1, current_mover/1, last_mover/1, has_tables/1.

% -- the predicates of a minimax program --------------------------------------------------------------------------------

initial(gdl(Facts)) :- set_facts([]), solutions(Fact, relation_goal(init(Fact)), Facts).

max_to_move(gdl(Facts)) :- set_facts(Facts), mover(max).
min_to_move(gdl(Facts)) :- set_facts(Facts), mover(min).

utility(gdl(Facts), Value) :-
    set_facts(Facts),
    roles(Max, Min),
    once(relation_goal(goal(Max, Mine))),
    (   relation_goal(goal(Min, Theirs)) -> true ; Theirs is 100 - Mine ),
    Value is sign(Mine - Theirs).

move(Position, Next) :- named_moves(Position, Moves), member(_-Next, Moves).

% named_moves(+Position, -Moves): pairs Name-Next, in the order of the rules.
named_moves(gdl(Facts), Moves) :-
    set_facts(Facts),
    (   relation_goal(terminal)
    ->  Moves = []
    ;   roles(Max, Min),
        (   mover(max) -> Mover = Max, Other = Min ; Mover = Min, Other = Max ),
        (   has_choice(Mover), has_choice(Other)
        ->  throw(wrong(legal, "both roles have a choice at once, and the players must take turns"))
        ;   true
        ),
        (   relation_goal(legal(Other, Waits)) -> true ; no_move(Other) ),
        findall(Move, relation_goal(legal(Mover, Move)), Found),
        list_to_set(Found, Legal),
        ( Legal == [] -> no_move(Mover) ; true ),
        findall(Move-gdl(Next),
                ( member(Move, Legal), after([does(Mover, Move), does(Other, Waits)], Next) ),
                Moves)
    ).

no_move(Role) :-
    format(string(Said), "~w has no legal move, not even noop", [Role]),
    throw(wrong(legal, Said)).

% mover(?Mover): who is to move is who has a choice. Where nobody has, it is who does something else than noop.
mover(Mover) :- current_mover(Known), !, Mover = Known.
mover(Mover) :-
    roles(Max, Min),
    % That a role has no choice takes all its rules; so who was to move in the position before, often a sister, is first.
    (   last_mover(min), has_choice(Min) -> Known = min
    ;   has_choice(Max) -> Known = max
    ;   has_choice(Min) -> Known = min
    ;   \+ acts(Max), acts(Min) -> Known = min
    ;   Known = max
    ),
    retractall(last_mover(_)),
    assertz(last_mover(Known)),
    assertz(current_mover(Known)),
    Mover = Known.

has_choice(Role) :- once(relation_goal(legal(Role, One))), relation_goal(legal(Role, Other)), Other \== One, !.

acts(Role) :- relation_goal(legal(Role, Move)), Move \== noop, !.

roles(Max, Min) :- findall(Role, relation_goal(role(Role)), [Max, Min]).

after(Done, Next) :-
    abolish_tables(move),
    retractall(move:does(_, _)),
    forall(member(does(Role, Move), Done), assertz(move:does(Role, Move))),
    solutions(Fact, relation_goal(next(Fact)), Next).

solutions(Each, Goal, Sorted) :- findall(Each, Goal, Found), sort(Found, Sorted).

% set_facts(+Facts): make these the facts that rules ask about.
set_facts(Facts) :- current_facts(Facts0), Facts0 == Facts, !.
set_facts(Facts) :-
    retractall(current_facts(_)),
    retractall(current_mover(_)),
    retractall(move:does(_, _)),
    abolish_tables(position),
    abolish_tables(move),
    forall(fact_form(Name, Arity), ( functor(Form, Name, Arity), retractall(position:Form) )),
    forall(member(Fact, Facts), ( fact_clause(Fact, Clause), assertz(position:Clause) )),
    assertz(current_facts(Facts)).

abolish_tables(Kind) :- ( has_tables(Kind) -> abolish_module_tables(Kind) ; true ).

% fact_clause(+Fact, -Clause): the clause that says that a fact is true.
fact_clause(Fact, Clause) :-
    Fact =.. [Word|Arguments],
    atom_concat('true ', Word, Name),
    length(Arguments, Arity),
    (   fact_form(Name, Arity) -> true
    ;   dynamic(position:Name/Arity), assertz(fact_form(Name, Arity))
    ),
    Clause =.. [Name|Arguments].

% is_true(?Fact): for a fact that is unknown when the rules are read.
is_true(Fact) :-
    nonvar(Fact),
    !,
    fact_clause(Fact, Clause),
    position:Clause.
is_true(Fact) :-
    fact_form(Name, Arity),
    functor(Clause, Name, Arity),
    position:Clause,
    Clause =.. [_|Arguments],
    atom_concat('true ', Word, Name),
    Fact =.. [Word|Arguments].

% -- rules as clauses ---------------------------------------------------------------------------------------------------

% relation_goal(+Goal): prove a relation of the rules.
relation_goal(Goal) :- goal_of(Goal, Called), call(Called).

% goal_of(+Goal, -Called): what Prolog calls to prove a goal of the rules.
goal_of(Goal, is_true(Goal)) :- var(Goal), !.
goal_of(true(Fact), is_true(Fact)) :- var(Fact), !.
goal_of(true(Fact), position:Clause) :- !, fact_clause(Fact, Clause).
goal_of(does(Role, Move), move:does(Role, Move)) :- !.
goal_of(distinct(One, Other), One \== Other) :- !.
goal_of(not(Goal), \+ Called) :- !, goal_of(Goal, Called).
goal_of(Or, Called) :-
    compound_name_arguments_of(Or, or, [Goal|Goals]),
    !,
    goal_of(Goal, First),
    foldl([Each, Before, (Before ; Next)]>>goal_of(Each, Next), Goals, First, Called).
goal_of(And, Called) :-
    compound_name_arguments_of(And, and, Goals),
    !,
    conjunction(Goals, Called).
goal_of(Goal, Kind:Named) :-
    compound_or_word(Goal, Word, Arguments),
    length(Arguments, Arity),
    ( relation(Word, Arity, Kind) -> true ; Kind = rules ),
    atom_concat('gdl ', Word, Name),
    Named =.. [Name|Arguments].

compound_or_word(Goal, Word, Arguments) :- compound(Goal), !, compound_name_arguments(Goal, Word, Arguments).
compound_or_word(Word, Word, []).

conjunction(Goals, Called) :-
    ordered(Goals, Ordered),
    foldl([Goal, Before, (Before, Next)]>>goal_of(Goal, Next), Ordered, true, Called).

% ordered(+Goals, -Ordered): what denies stands behind what binds its variables, and as early as it can.
ordered(Goals, Ordered) :-
    partition(denies, Goals, Denials, Others),
    foldl(place, Others, s([], Denials, []), s(_, Left, Reversed)),
    reverse(Reversed, Placed),
    append(Placed, Left, Ordered).

place(Goal, s(Bound0, Denials, Done0), s(Bound, Left, Done)) :-
    term_variables(Goal+Bound0, Bound),
    partition([Denial]>>( term_variables(Denial, Its), forall(member(One, Its), ( member(Known, Bound), Known == One )) ),
              Denials, Ready, Left),
    reverse(Ready, Reversed),
    append(Reversed, [Goal|Done0], Done).

denies(Goal) :- compound_name_arguments_of(Goal, Name, _), memberchk(Name, [not, distinct]).

compound_name_arguments_of(Term, Name, Arguments) :- compound(Term), compound_name_arguments(Term, Name, Arguments).

% add_rules(+Rules): make clauses of the rules, pairs Head-Body.
add_rules(Rules) :-
    set_prolog_flag(rules:unknown, fail),
    set_prolog_flag(position:unknown, fail),
    set_prolog_flag(move:unknown, fail),
    dynamic(move:does/2),
    findall(Own-Its,
            ( member(Head-Body, Rules), key_of(Head, Own), findall(Key, ( sub_goal(Body, Goal), key_of(Goal, Key) ), Its) ),
            Uses),
    findall(Own, member(Own-_, Uses), Found),
    sort(Found, Owns),
    findall(Own-All, ( member(Own, Owns), reached([Own], Uses, [], All) ), Reached),
    forall(member(Own-All, Reached), declare(Own, All)),
    forall(member(Head-Body, Rules),
           ( goal_of(Head, Kind:Named), conjunction(Body, Called), assertz((Kind:Named :- user:Called)) )).

declare(Word/Arity, All) :-
    (   memberchk(does/2, All) -> Kind = move
    ;   memberchk(true/1, All) -> Kind = position
    ;   Kind = rules
    ),
    assertz(relation(Word, Arity, Kind)),
    atom_concat('gdl ', Word, Name),
    dynamic(Kind:Name/Arity),
    ( memberchk(Word/Arity, All) -> table(Kind:Name/Arity), assertz(has_tables(Kind)) ; true ).

% reached(+Keys, +Uses, +Before, -All): the relations that some rest on; those themselves only if they call themselves.
reached([], _, All, All).
reached([Key|Keys], Uses, Before, All) :-
    findall(One, ( member(Key-Its, Uses), member(One, Its), \+ memberchk(One, Before) ), Found),
    sort(Found, More),
    append(More, Before, Now),
    append(More, Keys, Left),
    reached(Left, Uses, Now, All).

key_of(Goal, Word/Arity) :- nonvar(Goal), compound_or_word(Goal, Word, Arguments), length(Arguments, Arity).

% sub_goal(+Goals, -Goal): one of some goals, also below `not`, `or` and `and`.
sub_goal(Goals, Goal) :-
    member(One, Goals),
    (   compound_name_arguments_of(One, Name, Parts), memberchk(Name, [not, or, and])
    ->  sub_goal(Parts, Goal)
    ;   Goal = One
    ).

% -- the reader ---------------------------------------------------------------------------------------------------------

load_gdl(File) :-
    read_file_to_codes(File, Codes, [encoding(utf8)]),
    (   phrase(forms(Forms), Codes)
    ->  true
    ;   throw(wrong(gdl, "its brackets do not match"))
    ),
    maplist(rule_of, Forms, Rules),
    add_rules(Rules),
    findall(Role, relation_goal(role(Role)), Roles),
    (   length(Roles, 2)
    ->  true
    ;   length(Roles, Count),
        format(string(Said), "it has ~w roles, and a game of ours has 2", [Count]),
        throw(wrong(gdl, Said))
    ),
    forall(member(Relation/Arity, [init/1, legal/2, next/1, terminal/0, goal/2]),
           (   relation(Relation, Arity, _)
           ->  true
           ;   format(string(None), "it has no rule of ~w", [Relation]),
               throw(wrong(gdl, None))
           )).

rule_of(Form, Head-Body) :-
    term_of(Form, Term, [], _),
    ( compound_name_arguments_of(Term, '<=', [Head|Body]) -> true ; Head = Term, Body = [] ).

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
