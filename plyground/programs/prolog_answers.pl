% Answers to questions about the positions of a game whose rules are a file of Prolog, or of the Game Description
% Language: `prolog_program.py` starts it with the language and the name of that file, and asks.
%
% A question is a line: `ask`, `show` or `start`, a tab, and a position as text, which `start` leaves out. The answer is
% lines of words with tabs between them, and ends with the line `end`. The program has neither input nor output of its
% own: what it prints is thrown away, but for what `show/1` prints.

:- module(plyground_answers, [serve/0]).

:- dynamic loading_fault/1.
:- multifile user:message_hook/3.
:- dynamic user:message_hook/3.

user:message_hook(_, error, Lines) :-
    \+ loading_fault(_),
    message_text(Lines, Text),
    (   source_location(_, Line), \+ sub_string(Text, _, _, _, ".pl:")
    ->  format(string(Said), "line ~w: ~w", [Line, Text])
    ;   Said = Text
    ),
    assertz(loading_fault(Said)),
    fail.

message_text(Lines, Text) :-
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)).

serve :-
    current_prolog_flag(argv, Words),
    append(_, [Language, File], Words),
    !,
    stream_property(In, file_no(0)),
    stream_property(Out, file_no(1)),
    set_stream(In, encoding(utf8)),
    set_stream(Out, encoding(utf8)),
    set_stream(Out, newline(posix)),
    set_stream(Out, buffer(full)),
    silence,
    catch(load(Language, File), Fault, fault_said(Fault)),
    (   loading_fault(Said)
    ->  write_words(Out, [fault, loading, Said])
    ;   write_words(Out, [ready])
    ),
    finish(Out),
    answer_all(In, Out).

load(prolog, File) :- load_files(user:File, [silent(true)]).
load(gdl, File) :-
    module_property(plyground_answers, file(Here)),
    file_directory_name(Here, Folder),
    directory_file_path(Folder, 'gdl.pl', Interpreter),
    load_files(user:Interpreter, [silent(true)]),
    user:load_gdl(File).

% Rules that read find the end of their input, and what they print is lost.
silence :-
    open_null_stream(Nowhere),
    open_string("", Nothing),
    set_stream(Nowhere, alias(user_output)),
    set_stream(Nowhere, alias(user_error)),
    set_stream(Nothing, alias(user_input)),
    set_output(Nowhere),
    set_input(Nothing).

fault_said(Fault) :-
    (   loading_fault(_) -> true
    ;   Fault = wrong(_, Text) -> assertz(loading_fault(Text))
    ;   fault_text(Fault, Text), assertz(loading_fault(Text))
    ).

fault_text(Fault, Text) :-
    (   catch(phrase('$messages':translate_message(Fault), Lines), _, fail)
    ->  message_text(Lines, Text)
    ;   format(string(Text), "~q", [Fault])
    ).

answer_all(In, Out) :-
    read_line_to_string(In, Line),
    (   Line == end_of_file
    ->  true
    ;   split_string(Line, "\t", "", [Question|Texts]),
        catch(answers(Question, Texts, Rows), Fault, (fault_row(Fault, Row), Rows = [Row])),
        forall(member(Row, Rows), write_words(Out, Row)),
        finish(Out),
        answer_all(In, Out)
    ).

fault_row(wrong(Rule, Said), [fault, Rule, Said]) :- !.
fault_row(Fault, [fault, rules, Text]) :- fault_text(Fault, Text).

finish(Out) :- write_words(Out, [end]), flush_output(Out).

write_words(Out, Words) :-
    maplist(clean, Words, Clean),
    atomic_list_concat(Clean, '\t', Line),
    format(Out, "~w~n", [Line]).

% A word in which neither a tab nor a new line would be taken for the end of it.
clean(Word, Clean) :-
    format(string(Text), "~w", [Word]),
    split_string(Text, "\t\n\r", "\t\n\r ", Parts),
    exclude(==(""), Parts, Whole),
    atomic_list_concat(Whole, ' ', Clean).

% -- the answers ------------------------------------------------------------------------------------------------------

answers("start", _, [[state, Text, Turn]]) :-
    forall(member(Rule/Arity, [move/2, min_to_move/1, max_to_move/1, utility/2, initial/1]),
           (   current_predicate(user:Rule/Arity)
           ->  true
           ;   missing(Rule, Arity)
           )),
    (   once(user:initial(Position))
    ->  true
    ;   throw(wrong('initial/1', "it has no answer"))
    ),
    state_text('initial/1', Position, Text),
    (   number(Position)
    ->  throw(wrong('initial/1', "a number is no position, for it could be a move: write a term, as in pos(21, x)"))
    ;   true
    ),
    turn(Position, Turn).
answers("ask", [Given], [[state, Text, Turn]|Rows]) :-
    position(Given, Position),
    state_text('the position', Position, Text),
    turn(Position, Turn),
    named_nexts(Position, Text, Nexts),
    (   Nexts == []
    ->  worth('utility/2', Position, Worth),
        Rows = [[utility, Worth]]
    ;   maplist(next_row, Nexts, NextRows),
        (   current_predicate(user:staticval/2)
        ->  worth('staticval/2', Position, Worth)
        ;   Worth = 0
        ),
        Rows = [[value, Worth]|NextRows]
    ).
answers("show", [Given], Rows) :-
    position(Given, Position),
    (   current_predicate(user:show/1)
    ->  with_output_to(string(Shown), ignore(user:show(Position)))
    ;   Shown = Given
    ),
    split_string(Shown, "\n", "", Lines),
    findall([Coded], (member(Line, Lines), coded(Line, Coded)), Rows).
answers("bounds", _, [[bounds, Low, High]]) :-
    (   current_predicate(user:utility_bounds/2)
    ->  (   once(user:utility_bounds(Low, High)), integer(Low), integer(High), Low =< High
        ->  true
        ;   throw(wrong('utility_bounds/2', "it gives the lowest and the highest utility, as in utility_bounds(-9, 9)"))
        )
    ;   Low = -1, High = 1
    ).

% A line as it is, blanks and all: behind a bar, which `clean` leaves there.
coded(Line, Coded) :- string_concat("|", Line, Barred), string_concat(Barred, "|", Coded).

% One more than the most moves that a position may have.
most_moves(131073).

missing(Rule, Arity) :-
    format(string(Said), "~w/~w is not defined", [Rule, Arity]),
    throw(wrong(rules, Said)).

% named_nexts(+Position, +Text, -Nexts): pairs Name-Next of the moves; the name is "" where there is none.
named_nexts(Position, _, Nexts) :-
    current_predicate(user:named_moves/2),
    !,
    user:named_moves(Position, Nexts).
named_nexts(Position, Text, Nexts) :-
    most_moves(Most),
    findall(Next, limit(Most, user:move(Position, Next)), Found),
    (   length(Found, Most)
    ->  format(string(Many), "it has ~D answers or more for ~w", [Most, Text]),
        throw(wrong('move/2', Many))
    ;   list_to_set(Found, Each)
    ),
    maplist(named(Position), Each, Nexts).

named(Position, Next, Name-Next) :-
    ( current_predicate(user:move_name/3), once(user:move_name(Position, Next, Called)) -> Name = Called ; Name = "" ).

next_row(Called-Next, [move, Text, Turn, Name]) :-
    state_text('move/2', Next, Text),
    turn(Next, Turn),
    format(string(Name), "~w", [Called]).

turn(Position, Turn) :-
    (   once(user:max_to_move(Position)) -> Max = true ; Max = false ),
    (   once(user:min_to_move(Position)) -> Min = true ; Min = false ),
    (   Max \== Min
    ->  ( Max == true -> Turn = 0 ; Turn = 1 )
    ;   ( Max == true -> Which = "both are true" ; Which = "neither is true" ),
        format(string(Said), "~w of ~q", [Which, Position]),
        throw(wrong('max_to_move/1 and min_to_move/1', Said))
    ).

worth(Rule, Position, Whole) :-
    term_to_atom(Name/_, Rule),
    Goal =.. [Name, Position, Worth],
    (   once(user:Goal)
    ->  true
    ;   format(string(None), "it has no answer for ~q", [Position]),
        throw(wrong(Rule, None))
    ),
    (   number(Worth), Whole is integer(Worth), Whole =:= Worth
    ->  true
    ;   format(string(Wrong), "~q of ~q is no whole number", [Worth, Position]),
        throw(wrong(Rule, Wrong))
    ).

% -- positions as texts -----------------------------------------------------------------------------------------------

position(Text, Position) :-
    catch(term_string(Position, Text, [module(user)]), _, throw(wrong(position, "it is no term"))),
    (   ground(Position), acyclic_term(Position)
    ->  true
    ;   throw(wrong(position, "it has variables"))
    ).

% The text of a position, in which there is no blank; `Rule` is to blame where it has none.
state_text(Rule, Position, Text) :-
    (   acyclic_term(Position), ground(Position)
    ->  true
    ;   format(string(Open), "~W has variables, and a position has none", [Position, [quoted(true), max_depth(20)]]),
        throw(wrong(Rule, Open))
    ),
    (   member(Options, [[], [ignore_ops(true)]]),
        format(string(Written), "~W", [Position, [quoted(true), module(user)|Options]]),
        split_string(Written, " ", "", Parts),
        atomic_list_concat(Parts, '\\x20\\', Bare),
        catch(term_string(Read, Bare, [module(user)]), _, fail),
        Read == Position
    ->  atom_string(Bare, Text)
    ;   format(string(Odd), "~q is not read again as it is written", [Position]),
        throw(wrong(Rule, Odd))
    ).
