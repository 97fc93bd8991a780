"""What people have is read, and what is written is read back."""

import random

import pytest
from games import random_position

from plyground.errors import BadInput
from plyground.games import GAMES, game_named
from plyground.play.notations import forms, parse_pasted
from plyground.position import Position

SAME = ["d d d c e", "44435", "DDDCE", "1. d d 2. d c 3. e", "1.d d 2.d c 3.e *", "d 4 DCE"]


@pytest.mark.parametrize("text", [*SAME, '[Event "A game"]\n\n1. d {the middle} d 2. d c 3. e 1-0'])
def test_one_game(text: str) -> None:
    """The same game of Connect Four in the notations of many."""
    assert parse_pasted("connectfour", text).position.history == "d d d c e"


@pytest.mark.parametrize(
    ("spec", "text", "state"),
    [
        ("tictactoe", "b2a1c3", "o../.x./..x:o"),
        ("tictactoe", " | x | \n---+---+---\n | o | x\n---+---+---\n |   | ", ".x./.ox/...:o"),
        ("tictactoe", "+-+-+-+\n| |X| |\n+-+-+-+\n| |O|X|\n+-+-+-+\n| | | |\n+-+-+-+", ".x./.ox/...:o"),
        ("tictactoe", "   a  b  c\n1  ·  ·  o\n2  · (x) ·\n3  ·  ·  ·", "..o/.x./...:x"),
        ("tictactoe", "- X -\n- - -\n- O -", ".x./.../.o.:x"),
        ("mnk:5,5,4", ".....\n.....\n..x..\n.....\n.....", "...../...../..x../...../.....:o"),
        ("kalah", "c F", Position.parse(game_named("kalah"), "3 6").text),
        ("kalah", "36", Position.parse(game_named("kalah"), "3 6").text),
        ("chess", "1. e4 e5 2. Nf3 Nc6", Position.parse(game_named("chess"), "e4 e5 Nf3 Nc6").text),
    ],
)
def test_read(spec: str, text: str, state: str) -> None:
    """Other games, lists and drawings."""
    assert parse_pasted(spec, text).position.text == state


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("44835", "'44835', move 3: '8' is not a column"),
        ("zz", "^Move 1: 'zz': 'z' is not a column"),
        ("4444444", "move 7: .* is not a legal move"),
        ("1. d d 2. z", "Move 2. z: 'z' is not a column"),
        ("x o\no x", "2 rows of 2 cells; this board has 6 rows of 7"),
        ('{"plyground": 1', "not JSON"),
        ("what?", "what"),
    ],
)
def test_refused(text: str, said: str) -> None:
    """What is wrong is said in a sentence, with its place."""
    with pytest.raises(BadInput, match=said):
        parse_pasted("connectfour", text)


@pytest.mark.parametrize("spec", [choice.name for choice in GAMES])
def test_read_back(spec: str) -> None:
    """Whatever is written of a game, in any notation, is read back to the same position."""
    here = random_position(game_named(spec), random.Random(14), 7)
    for form in forms(spec, here):
        read = parse_pasted("tictactoe" if form.name == "jsonl" else spec, form.text)
        assert read.game == spec and read.position.state == here.state, form
    assert {"moves", "numbered", "position", "jsonl"} <= {form.name for form in forms(spec, here)}


@pytest.mark.parametrize(
    ("game", "text", "said"),
    [
        ("reversi:4", "..../..../..../....:x", "cannot arise: the four middle squares have discs"),
        ("connectfour:3,3,3", ".../.../...:o", "cannot arise: with 0 discs x is to move"),
    ],
)
def test_a_state_that_begins_with_an_empty_square_is_no_record(game: str, text: str, said: str) -> None:
    """Its dots are no number of a move: the sentence says why the state cannot arise."""
    with pytest.raises(BadInput) as fault:
        parse_pasted(game, text, game_named(game))
    assert said in str(fault.value) and "Move" not in str(fault.value)
