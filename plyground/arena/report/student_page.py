"""Page for a student: the mark, faults, the worst moves and proofs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from plyground.arena.marking.marks import MarkPart, StudentMark
from plyground.arena.marking.weights import criterion_text
from plyground.arena.report.frame import card, cards, last_words, loss_in_words, page, paragraphs, table
from plyground.arena.report.positions import Mistake, Scenes
from plyground.arena.report.wording import without_side
from plyground.arena.results import Audited, Played
from plyground.errors import sentence_of
from plyground.markup import Inside, Markup, el
from plyground.play.ending import FAULT_WORDS, Ending
from plyground.position import Position

MOST_MISTAKES_SHOWN = 3
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
    facts: Sequence[str] = ()
    """Facts for its head, such as the student's number and the time of the files."""

    def html(self) -> Markup:
        """The whole page, as one file."""
        scenes = Scenes(self.game)
        parts: dict[str, Inside] = {
            "How the mark came about": self._parts(),
            "Games lost by a fault": self._faults(scenes),
            "Moves to look at again": self._worst(scenes),
            "Does it ever lose?": [self._audit(scenes, each) for each in self.audits],
            "All games": self._games(scenes),
        }
        sections = [el("section", el("h2", name), inside, "\n") for name, inside in parts.items() if inside]
        top = el(
            "header",
            el("h1", self.mark.name),
            el("p", " · ".join([self.game, *self.facts]), class_="quiet"),
            self._points(),
        )
        return page(self.mark.name, scenes.drawings, top, "\n", el("main", sections))

    def _points(self) -> Inside:
        if self.mark.points is None:
            return [el("p", "No mark", class_="points"), el("p", self.mark.why)]
        points = el("p", el("strong", f"{self.mark.points:g}"), " of 100 points", class_="points")
        return [points, el("p", self.mark.why)] if self.mark.why else points

    def _parts(self) -> Inside:
        rows = [self._row(part) for part in self.mark.parts]
        note = "A criterion without points is left out, and the others count for more."
        if self.mark.points is None:
            note = "This is what the games so far bring. A criterion without points cannot be judged yet."
        is_any_out = any(part.share is None for part in self.mark.parts)
        shown = table("Criteria", ("criterion", "points", "of", "why"), rows, lefts=(0, 3), look="why")
        return [shown, paragraphs([note] if is_any_out else [], "quiet")] if rows else None

    def _row(self, part: MarkPart) -> Markup:
        points, most = self.mark.part_points(part), self.mark.part_points(replace(part, share=1.0))
        cells = ("–", "–") if points is None or most is None else (f"{points:.1f}", f"{most:.1f}")
        name = el("th", criterion_text(part.criterion), scope="row", class_="name")
        return el("tr", name, (el("td", cell) for cell in cells), el("td", part.why, class_="left"))

    def _seat(self, played: Played) -> int:
        return int(played.task.o == self.mark.name)

    def _opponent_text(self, played: Played, scenes: Scenes) -> str:
        """A game in words: its number, the student's side and the opponent."""
        seat = self._seat(played)
        other = (played.task.o, played.task.x)[seat]
        return f"Game {played.task.number}, as {scenes.names[seat]} against {other}"

    def _faults(self, scenes: Scenes) -> Markup | None:
        lost: dict[tuple[str, str], list[Played]] = {}
        kinds = [*FAULT_WORDS, *Ending]
        for played in self.games:
            # Void games too: a student must see why a game does not count.
            if played.void or played.fault == self._seat(played):
                lost.setdefault((without_side(played, scenes.names), played.words), []).append(played)
        order = sorted(lost.values(), key=lambda games: (kinds.index(games[0].ending), -len(games)))
        return cards([self._fault(games, scenes) for games in order])

    def _fault(self, games: Sequence[Played], scenes: Scenes) -> Markup:
        played = games[0]
        position = scenes.after(played, len(played.moves))
        what = "Not counted" if played.void else FAULT_WORDS.get(played.ending, "a fault").capitalize()
        return card(
            scenes.board(position, f"The board then: {position.text}"),
            el("h3", f"{what}, {len(games)} games" if len(games) > 1 else what),
            el("p", f"{self._opponent_text(played, scenes)}."),
            el("p", f"After {' '.join(position.words)}:") if position.moves else None,
            el("p", sentence_of(played.why)),
            last_words(played.words),
        )

    def _worst(self, scenes: Scenes) -> Markup | None:
        own = [
            replace(each, judged=tuple(move for move in each.judged or () if move.mover == self._seat(each)))
            # Only the student's own moves are judged here: another one's mistakes are not this student's to read.
            for each in self.games
            if not each.void
        ]
        return cards([self._mistake(each, scenes) for each in scenes.mistakes(own)[:MOST_MISTAKES_SHOWN]])

    def _mistake(self, mistake: Mistake, scenes: Scenes) -> Markup:
        played, judged = mistake.made[0]
        position = mistake.before
        more = f" and {len(mistake.made) - 1} more" if len(mistake.made) > 1 else ""
        sure = "" if mistake.exact else " (in the opinion of a deep search)"
        lost = f": {loss_in_words(judged.before, judged.after)}{sure}."
        return card(
            scenes.board(position, f"The board before: {position.text}"),
            el("p", f"{self._opponent_text(played, scenes)}{more}, after {' '.join(position.words) or 'the start'}."),
            el("p", "It played ", el("span", judged.move, class_="given"), lost),
            el("p", "Right: ", el("span", ", ".join(mistake.held), class_="held"), "."),
        )

    def _audit(self, scenes: Scenes, audited: Audited) -> Inside:
        head = el("h3", f"As {scenes.names['xo'.index(audited.side)]}")
        found = audited.found
        if found is None:
            return [head, el("p", audited.why)]
        sentence = f"{found.lost_text}." if found.losses else found.sentence
        said = [head, el("p", sentence[0].upper() + sentence[1:])]
        if file := self.certificates.get(audited.side):
            link, command = el("a", file, href=file), el("code", f"plyground audit --verify {file}")
            return [said, el("p", "The proof is in ", link, "; anybody can check it: ", command)]
        if not found.losses:
            return said
        loss = found.losses[0]
        position = Position.parse(scenes.game, found.start)
        before = position
        for ply, move in enumerate(loss.moves, start=1):
            before = position if ply == loss.wrong else before
            position = position.play(move)
        boards = [(position, "How it ends")]
        right = None
        if loss.wrong:
            boards.insert(0, (before, "Where it goes wrong"))
            right = el(
                "p",
                "Its move ",
                el("span", loss.moves[loss.wrong - 1], class_="given"),
                f", ply {loss.wrong}, gave the game away; right: ",
                el("span", ", ".join(loss.held), class_="held"),
                ".",
            )
        shown = (el("figure", scenes.board(each, name), el("figcaption", name)) for each, name in boards)
        shortest = f"The shortest game that it loses: {' '.join(loss.moves)}; {sentence_of(loss.why)}"
        return [said, el("p", shortest), right, el("div", shown, class_="boards")]

    def _games(self, scenes: Scenes) -> Markup | None:
        rows = []
        for played in self.games:
            seat = self._seat(played)
            score = {1.0: "won", 0.5: "drawn", 0.0: "lost", None: "void"}[played.score(seat)]
            other = (played.task.o, played.task.x)[seat]
            cells = (scenes.names[seat], other, score, " ".join(played.moves))
            rows.append(el("tr", el("td", played.task.number), (el("td", cell, class_="left") for cell in cells)))
        heads = ("game", "side", "against", "result", "moves")
        shown = table("Games", heads, rows, lefts=(1, 2, 3, 4))
        return el("details", el("summary", f"{len(rows)} games"), shown) if rows else None
