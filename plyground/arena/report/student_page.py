"""Page for a student: the mark, faults, the worst moves and proofs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape

from plyground.arena.marking.marks import MarkPart, StudentMark
from plyground.arena.marking.weights import criterion_text
from plyground.arena.report.frame import ended, given, head, paragraphs, table
from plyground.arena.report.positions import Mistake, Scenes
from plyground.arena.report.wording import without_side
from plyground.arena.results import Audited, Played
from plyground.play.ending import FAULT_WORDS, Ending
from plyground.position import Position
from plyground.text import plain_lines

WORST = 3
"""Moves that a student's page looks at again."""


@dataclass(frozen=True)
class StudentPage:
    """The page of one student. It has that student's games with the fixed opponents alone, so nothing of another."""

    game: str
    """The game's spec."""
    mark: StudentMark
    games: Sequence[Played]
    """The student's games, the void ones too."""
    audits: Sequence[Audited]
    """The student's audits."""
    certificates: Mapping[str, str]
    """Name of the file with the proof, beside the page, by side; sides without a proof are not in it."""

    def html(self) -> str:
        """The whole page, as one file."""
        scenes = Scenes(self.game)
        parts = {
            "How the mark came about": self._parts(),
            "Games lost by a fault": self._faults(scenes),
            "Moves to look at again": self._worst(scenes),
            "Does it ever lose?": "".join(self._audit(scenes, each) for each in self.audits),
            "All games": self._games(scenes),
        }
        sections = "".join(f"<section><h2>{name}</h2>{inside}</section>\n" for name, inside in parts.items() if inside)
        name = foreign(self.mark.name)
        return (
            f"{head(self.mark.name)}<body>{scenes.drawings}<header><h1>{name}</h1>"
            f'<p class="quiet">{escape(self.game)}</p>{self._points()}</header>\n<main>{sections}</main>'
            "</body></html>\n"
        )

    def _points(self) -> str:
        if self.mark.points is None:
            return f'<p class="points">No mark</p><p>{foreign(self.mark.why)}</p>'
        return f'<p class="points"><strong>{self.mark.points:g}</strong> of 100 points</p>'

    def _parts(self) -> str:
        rows = "".join(self._row(part) for part in self.mark.parts)
        note = "A criterion without points is left out, and the others count for more."
        is_any_out = any(part.share is None for part in self.mark.parts)
        shown = table("Criteria", ("criterion", "points", "of", "why"), rows, lefts=(0, 3), look="why")
        return shown + paragraphs([note] if is_any_out else [], "quiet") if rows else ""

    def _row(self, part: MarkPart) -> str:
        points, most = self.mark.part_points(part), self.mark.part_points(replace(part, share=1.0))
        cells = ("–", "–") if points is None or most is None else (f"{points:.1f}", f"{most:.1f}")
        return (
            f'<tr><th scope="row" class="name">{escape(criterion_text(part.criterion))}</th><td>{cells[0]}</td>'
            f'<td>{cells[1]}</td><td class="left">{foreign(part.why)}</td></tr>'
        )

    def _seat(self, played: Played) -> int:
        return int(played.task.o == self.mark.name)

    def _met(self, played: Played, scenes: Scenes) -> str:
        """Which game it was, in words."""
        seat = self._seat(played)
        other = (played.task.o, played.task.x)[seat]
        return f"Game {played.task.number}, as {escape(scenes.names[seat])} against {escape(other)}"

    def _faults(self, scenes: Scenes) -> str:
        lost: dict[tuple[str, str], list[Played]] = {}
        kinds = [*FAULT_WORDS, *Ending]
        for played in self.games:
            if played.void or played.fault == self._seat(played):
                lost.setdefault((without_side(played, scenes.names), played.words), []).append(played)
        order = sorted(lost.values(), key=lambda games: (kinds.index(games[0].ending), -len(games)))
        return f'<div class="cards">{"".join(self._fault(games, scenes) for games in order)}</div>' if lost else ""

    def _fault(self, games: Sequence[Played], scenes: Scenes) -> str:
        played = games[0]
        position = scenes.after(played, len(played.moves))
        what = "Not counted" if played.void else FAULT_WORDS.get(played.ending, "a fault").capitalize()
        times = f", {len(games)} games" if len(games) > 1 else ""
        words = f'<p>Its error output:</p><pre tabindex="0">{foreign(played.words)}</pre>' if played.words else ""
        moves = f"<p>After {escape(' '.join(position.words))}:</p>" if position.moves else ""
        return (
            f'<article class="card">{scenes.board(position, escape(f"The board then: {position.text}"))}<div>'
            f"<h3>{what}{times}</h3><p>{self._met(played, scenes)}.</p>{moves}<p>{foreign(ended(played.why))}</p>"
            f"{words}</div></article>"
        )

    def _worst(self, scenes: Scenes) -> str:
        own = [
            replace(each, judged=tuple(move for move in each.judged or () if move.mover == self._seat(each)))
            for each in self.games
            if not each.void
        ]
        cards = "".join(self._mistake(each, scenes) for each in scenes.mistakes(own)[:WORST])
        return f'<div class="cards">{cards}</div>' if cards else ""

    def _mistake(self, mistake: Mistake, scenes: Scenes) -> str:
        played, judged = mistake.made[0]
        position = mistake.before
        more = f" and {len(mistake.made) - 1} more" if len(mistake.made) > 1 else ""
        sure = "" if mistake.exact else " (in the opinion of a deep search)"
        return (
            f'<article class="card">{scenes.board(position, escape(f"The board before: {position.text}"))}<div>'
            f"<p>{self._met(played, scenes)}{more}, after {escape(' '.join(position.words)) or 'the start'}.</p>"
            f'<p>It played <span class="given">{escape(judged.move)}</span>: '
            f"{given(judged.before, judged.after)}{sure}.</p>"
            f'<p>Right: <span class="held">{escape(", ".join(mistake.held))}</span>.</p></div></article>'
        )

    def _audit(self, scenes: Scenes, audited: Audited) -> str:
        side = escape(scenes.names["xo".index(audited.side)])
        found = audited.found
        if found is None:
            return f"<h3>As {side}</h3><p>{foreign(audited.why)}</p>"
        sentence = f"{found.lost_text}." if found.losses else found.sentence
        said = f"<h3>As {side}</h3><p>{foreign(sentence[0].upper() + sentence[1:])}</p>"
        if file := self.certificates.get(audited.side):
            name = escape(file)
            return (
                f'{said}<p>The proof is in <a href="{name}">{name}</a>; anybody can check it: '
                f"<code>plyground audit --verify {name}</code></p>"
            )
        if not found.losses:
            return said
        loss = found.losses[0]
        position = Position.parse(scenes.game, found.start)
        before = position
        for ply, move in enumerate(loss.moves, start=1):
            before = position if ply == loss.wrong else before
            position = position.play(move)
        boards = [(position, "How it ends")]
        right = ""
        if loss.wrong:
            boards.insert(0, (before, "Where it goes wrong"))
            right = (
                f'<p>Its move <span class="given">{escape(loss.moves[loss.wrong - 1])}</span>, ply {loss.wrong}, gave '
                f'the game away; right: <span class="held">{escape(", ".join(loss.held))}</span>.</p>'
            )
        shown = "".join(
            f"<figure>{scenes.board(each, name)}<figcaption>{name}</figcaption></figure>" for each, name in boards
        )
        return (
            f"{said}<p>The shortest game that it loses: {escape(' '.join(loss.moves))}; {foreign(ended(loss.why))}</p>"
            f'{right}<div class="boards">{shown}</div>'
        )

    def _games(self, scenes: Scenes) -> str:
        rows = []
        for played in self.games:
            seat = self._seat(played)
            score = {1.0: "won", 0.5: "drawn", 0.0: "lost", None: "void"}[played.score(seat)]
            other = (played.task.o, played.task.x)[seat]
            cells = (scenes.names[seat], other, score, " ".join(played.moves))
            inside = "".join(f'<td class="left">{escape(cell)}</td>' for cell in cells)
            rows.append(f"<tr><td>{played.task.number}</td>{inside}</tr>")
        heads = ("game", "side", "against", "result", "moves")
        shown = table("Games", heads, "".join(rows), lefts=(1, 2, 3, 4))
        return f"<details><summary>{len(rows)} games</summary>{shown}</details>" if rows else ""


def foreign(text: str) -> str:
    """Text from outside as HTML: without control characters, and escaped."""
    return escape(plain_lines(text))
