"""The report of an arena as one HTML file without external resources; all names are escaped."""

from collections.abc import Iterable, Sequence
from html import escape
from urllib.parse import urlsplit

from plyground.arena.report.export import csv, gradebook, parquet, to_frame
from plyground.arena.report.frame import ended, given, head, paragraphs, table
from plyground.arena.report.positions import Mistake, Scenes
from plyground.arena.report.standings import Standings, standings
from plyground.arena.report.testing import sprt_stand
from plyground.arena.report.wording import (
    blunders_text,
    elo_text,
    faults_text,
    games_text,
    interval_text,
    lead_text,
    los_text,
    points_text,
    rate_text,
    signed,
    without_side,
)
from plyground.arena.results import Arena, Judged, Played
from plyground.arena.statistics.tally import Against, Standing
from plyground.errors import BadInput
from plyground.play.ending import FAULT_WORDS
from plyground.position import Position

__all__ = ["csv", "gradebook", "html", "parquet", "to_frame"]

MOST_QUESTIONS = 60
"""Most blunders that are shown; exact, costly and frequent ones come first."""
BOARDS = 200
"""Games of which each shows its last board; where there are more, only those that ended by a fault do."""
MOST_PLIES = 60
"""Columns of the table of blunders by ply."""
MOST_NAMED = 12
"""Most games that one line names."""


def html(arena: Arena, games: Sequence[Played], *, page: str = "", said: Iterable[str] = ()) -> str:
    """The whole report.

    Args:
        arena: what was played.
        games: its games, in any order.
        page: the address of a playground, to which positions are linked; empty: they are given as text.
        said: more sentences for the head, such as what an SPRT has decided.

    Raises:
        BadInput: there is no such game, or the page's address is none.
    """
    return _Report(arena, games, page_at(page), list(said)).html()


def page_at(address: str) -> str:
    """The address of a playground without the part after #, which says what it shows; empty if there is none.

    Raises:
        BadInput: it is no such address.
    """
    if address and urlsplit(address).scheme not in ("http", "https"):
        raise BadInput(f"{address!r} is no address of a playground: it begins with http:// or https://.")
    return address.partition("#")[0]


class _Report:
    """One report."""

    def __init__(self, arena: Arena, games: Sequence[Played], page: str, said: list[str]) -> None:
        self.arena, self.page, self.said = arena, page, said
        self.games = sorted(games, key=lambda played: played.task.number)
        self.scenes = Scenes(arena.game)
        self.table: Standings = standings([entrant.name for entrant in arena.entrants], games)
        self.rank = {row.name: at for at, row in enumerate(self.table.rows)}

    def html(self) -> str:
        mistakes = self.scenes.mistakes(self.games)
        parts = {
            "Standings": self._standings(),
            "Cross table": self._cross(),
            "Find the move that holds": self._questions(mistakes),
            "Blunders by ply": self._by_ply(),
            "Faults": self._faults(),
            "Games": self._games(),
        }
        told = {name: inside for name, inside in parts.items() if inside}
        links = "".join(f'<a href="#{_anchor(name)}">{name}</a>' for name in told)
        sections = "".join(
            f'<section aria-labelledby="{_anchor(name)}"><h2 id="{_anchor(name)}">{name}</h2>{inside}</section>\n'
            for name, inside in told.items()
        )
        title = f"Arena: {self.arena.game}"
        return (
            f"{head(title)}<body>{self.scenes.drawings}"
            f'<header><h1>{escape(title)}</h1>{self._head()}<nav aria-label="Parts">{links}</nav></header>\n'
            f"<main>{sections}</main></body></html>\n"
        )

    def _head(self) -> str:
        arena, table = self.arena, self.table
        games = games_text(table.games, arena.planned or None)
        facts = [
            f"{len(arena.entrants)} players",
            arena.format,
            games,
            arena.openings and f"openings: {arena.openings}",
            arena.limits and f"limits: {arena.limits}",
            f"begun {arena.created[:16].replace('T', ' ')} UTC",
        ]
        sentences = [*self.said]
        if arena.why:
            sentences.append(f"{arena.why[0].upper()}{arena.why[1:].rstrip('.')}.")
        if table.first is not None:
            sentences.append(f"The first player took {100 * table.first:.1f} % of all points.")
        if arena.test:
            one, other = (entrant.name for entrant in arena.entrants)
            sentences += sprt_stand(arena.test, one, other, table).lines
        elif len(arena.entrants) == 2:
            sentences += self._duel()
        return f'<p class="quiet">{escape(" · ".join(filter(None, facts)))}</p>' + paragraphs(sentences)

    def _duel(self) -> list[str]:
        """Of two, what their pairs of games say."""
        one, other = (row.name for row in self.table.rows)
        found, met = self.table.duel(one, other), self.table.cross.get((one, other))
        if found is None or met is None:
            return []
        pairs = " ".join(str(count) for count in met.pentanomial)
        alone = f"; games in no pair: {met.alone}" if met.alone else ""
        normal = ""
        if found.normalised is not None:
            normal = f"; normalised Elo {signed(found.normalised)} ± {found.margin:.0f}"
        ahead = f"Elo of {one} against {other}: {lead_text(found)}{normal}"
        return [
            f"{ahead}; likelihood of superiority {los_text(found.superiority)}.",
            f"Pairs of games with 0, ½, 1, 1½ and 2 points: {pairs}{alone}.",
        ]

    # -- who stands where --------------------------------------------------------------------------------------------

    def _standings(self) -> str:
        specs = {entrant.name: entrant.spec for entrant in self.arena.entrants}
        heads = (
            *("#", "player", "Elo", "", "95 %", "points", "blunders", "LOS"),
            *("games", "+", "=", "−", "faults", "seconds"),
        )
        rows = "".join(self._row(row, specs[row.name]) for row in self.table.rows)
        notes = [
            "Elo: the mean is 0; who is 100 ahead is expected to take 64 % of the points. LOS: how likely it is that "
            "the player is stronger than the next. Blunders: of the moves in won and drawn positions, those that gave "
            "it away.",
            *self.table.notes,
        ]
        return table("Standings", heads, rows, lefts=(1, 12)) + paragraphs(notes, "quiet")

    def _row(self, row: Standing, spec: str) -> str:
        name = f'<th scope="row" class="name sticky" title="{escape(spec)}">{escape(row.name)}</th>'
        cells = [
            elo_text(row),
            self.table.whiskers(row),
            interval_text(row),
            points_text(row.points),
            rate_text(row.blunders),
            escape(los_text(row.superiority)),
            *(f"{count:,}" for count in (row.games, row.wins, row.draws, row.losses)),
        ]
        titles = {4: blunders_text(row.blunders)}
        inside = "".join(
            f'<td title="{titles[at]}">{cell}</td>' if titles.get(at) else f"<td>{cell}</td>"
            for at, cell in enumerate(cells)
        )
        void = f"{row.void} void" if row.void else ""
        faults = ", ".join(filter(None, (faults_text(row.faults), void)))
        return f'<tr><td>{row.rank}</td>{name}{inside}<td class="left">{faults}</td><td>{row.seconds:,.1f}</td></tr>'

    def _cross(self) -> str:
        rows = self.table.rows
        if len(rows) < 3:
            return ""
        lines = []
        for row in rows:
            cells = "".join(self._cell(row.name, other.name) for other in rows)
            name = f'<th scope="row" class="name sticky">{row.rank}. {escape(row.name)}</th>'
            lines.append(f"<tr>{name}{cells}</tr>")
        heads = ("player", *(str(row.rank) for row in rows))
        note = "Points of the row against the column, of the games that they played; a press shows these."
        return table("Cross table", heads, "".join(lines), lefts=(0,), look="cross") + paragraphs([note], "quiet")

    def _cell(self, one: str, other: str) -> str:
        met = self.table.cross.get((one, other))
        if one == other:
            return '<td class="self">·</td>'
        if met is None:
            return "<td></td>"
        share = met.points / met.games if met.games else 0.5
        look = "up" if share > 0.5 else "down" if share < 0.5 else "level"
        words = f"{one} – {other}: +{met.wins} ={met.draws} −{met.losses}"
        told = f"{points_text(met.points)}/{met.games}" if met.games else "void"
        anchor = self._meeting(one, other)
        return f'<td class="{look}"><a href="#{anchor}" title="{escape(words)}">{told}</a></td>'

    def _meeting(self, one: str, other: str) -> str:
        """The anchor of the games of two."""
        low, high = sorted((self.rank[one], self.rank[other]))
        return f"m{low}-{high}"

    # -- blunders ----------------------------------------------------------------------------------------------------

    def _questions(self, mistakes: Sequence[Mistake]) -> str:
        if not mistakes:
            return ""
        cards = "".join(self._question(mistake) for mistake in mistakes[:MOST_QUESTIONS])
        left = len(mistakes) - MOST_QUESTIONS
        more = f" The {left:,} less telling ones are marked in the games." if left > 0 else ""
        note = f"{len(mistakes):,} positions in which a player gave value away.{more}"
        return paragraphs([note], "quiet") + f'<div class="cards">{cards}</div>'

    def _question(self, mistake: Mistake) -> str:
        position = mistake.before
        mover = self.scenes.names[position.to_move]
        sure = "" if mistake.exact else " (in the opinion of a deep search)"
        ask = f"{mover} to move; the position is {mistake.worth} for {mover}{sure}. Which moves keep it?"
        done = "".join(f"<li>{line}</li>" for line in self._done(mistake))
        held = ", ".join(mistake.held)
        answer = f'<p>Keeps it: <span class="held">{escape(held)}</span>.</p>' if held else ""
        board = self.scenes.board(position, escape(f"The board: {position.text}"))
        where = self._link(position) or f"<code>{escape(position.text)}</code>"
        return (
            f'<article class="card">{board}<div><p>{escape(ask)}</p><details><summary>Answer, and who missed it'
            f"</summary>{answer}<ul>{done}</ul><p>{where}</p></details></div></article>"
        )

    def _done(self, mistake: Mistake) -> list[str]:
        """Who played what there, a line for each."""
        by: dict[tuple[str, str, str, str], list[Played]] = {}
        for played, judged in mistake.made:
            who = (played.task.x, played.task.o)[judged.mover]
            by.setdefault((who, judged.move, judged.before, judged.after), []).append(played)
        return [
            f'{escape(who)}: <span class="given">{escape(move)}</span>, {given(before, after)} ({self._named(games)})'
            for (who, move, before, after), games in by.items()
        ]

    def _link(self, position: Position) -> str:
        if not self.page:
            return ""
        return f'<a href="{escape(self.page + self.scenes.link(position))}">Open it in the playground</a>'

    def _named(self, games: Sequence[Played]) -> str:
        """Links to some games."""
        links = ", ".join(f'<a href="#g{each.task.number}">{each.task.number}</a>' for each in games[:MOST_NAMED])
        more = f" and {len(games) - MOST_NAMED} more" if len(games) > MOST_NAMED else ""
        return f"game{'s' if len(games) > 1 else ''} {links}{more}"

    def _by_ply(self) -> str:
        plies = sorted({ply for row in self.table.rows for ply, told in row.by_ply.items() if told.moves})[:MOST_PLIES]
        if not plies or not self.table.blunders.given:
            return ""
        lines = []
        for row in self.table.rows:
            cells = []
            for ply in plies:
                told = row.by_ply.get(ply)
                if told is None or told.rate is None:
                    cells.append("<td></td>")
                else:
                    look = "down" if told.given else "level"
                    cells.append(f'<td class="{look}" title="{told.given} of {told.moves}">{100 * told.rate:.0f}</td>')
            name = f'<th scope="row" class="name sticky">{escape(row.name)}</th>'
            lines.append(f"<tr>{name}{''.join(cells)}</tr>")
        note = (
            "Of 100 moves at that ply that had something to lose, how many gave it away; plies count from the opening."
        )
        heads = ("player", *map(str, plies))
        return table("Blunders by ply", heads, "".join(lines), lefts=(0,), look="cross") + paragraphs([note], "quiet")

    # -- faults ------------------------------------------------------------------------------------------------------

    def _faults(self) -> str:
        by: dict[tuple[str, str, str], list[Played]] = {}
        voided: dict[str, list[Played]] = {}
        for played in self.games:
            if played.void or played.utility is None:
                voided.setdefault(played.why, []).append(played)
            elif played.fault is not None:
                who = (played.task.x, played.task.o)[played.fault]
                by.setdefault((who, without_side(played, self.scenes.names), played.words), []).append(played)
        order = sorted(by.items(), key=lambda each: (self.rank[each[0][0]], -len(each[1])))
        cards = "".join(self._fault(who, why, words, games) for (who, why, words), games in order)
        void = "".join(f"<li>{escape(ended(why))} ({self._named(games)})</li>" for why, games in voided.items())
        told = f'<div class="cards">{cards}</div>' if cards else ""
        if void:
            told += f"<p>Void games, which do not count:</p><ul>{void}</ul>"
        return told

    def _fault(self, who: str, why: str, words: str, games: Sequence[Played]) -> str:
        first = games[0]
        position = self.scenes.after(first, len(first.moves))
        board = self.scenes.board(position, escape(f"The board then: {position.text}"))
        last = f'<p>Its error output:</p><pre tabindex="0">{escape(words)}</pre>' if words else ""
        times = f"{len(games):,} games" if len(games) > 1 else "1 game"
        what = FAULT_WORDS.get(first.ending, "a fault")
        return (
            f'<article class="card">{board}<div><h3>{escape(who)}</h3><p>{times}: {what}.</p>'
            f"<p>It {escape(ended(why))}</p>{last}<p>{self._named(games).capitalize()}</p></div></article>"
        )

    # -- games -------------------------------------------------------------------------------------------------------

    def _games(self) -> str:
        by: dict[tuple[int, int], list[Played]] = {}
        for played in self.games:
            low, high = sorted((self.rank[played.task.x], self.rank[played.task.o]))
            by.setdefault((low, high), []).append(played)
        is_few = len(self.games) <= BOARDS
        parts = []
        for (low, high), games in sorted(by.items()):
            one, other = self.table.rows[low].name, self.table.rows[high].name
            met = self.table.cross.get((one, other), Against())
            score = f"{points_text(met.points)} – {points_text(met.games - met.points)}"
            lines = "".join(f"<li>{self._game(played, is_few)}</li>" for played in games)
            parts.append(
                f"<details><summary>{escape(one)} – {escape(other)}: {score}</summary>"
                f'<ol id="m{low}-{high}">{lines}</ol></details>'  # a link to what is inside opens the details
            )
        return f'<div class="games">{"".join(parts)}</div>' if parts else ""

    def _game(self, played: Played, is_shown: bool) -> str:
        task, judged = played.task, {each.ply: each for each in played.judged or ()}
        moves = " ".join(_move(move, judged.get(ply)) for ply, move in enumerate(played.moves, 1))
        opening = f'<span class="quiet">{escape(task.opening)} ·</span> ' if task.opening else ""
        result = {1.0: "1 – 0", 0.5: "½ – ½", 0.0: "0 – 1", None: "void"}[played.score(0)]
        board = link = ""
        if is_shown or self.page:
            position = self.scenes.after(played, len(played.moves))
            link = f" {self._link(position)}"
            if is_shown:
                board = self.scenes.board(position, escape(f"The last board: {position.text}"))
        return (
            f'<span id="g{task.number}">{task.number}</span> · {escape(task.x)} – {escape(task.o)} · '
            f"<strong>{result}</strong> · {escape(ended(played.why))}{link}<br>{opening}{moves}{board}"
        )


def _anchor(name: str) -> str:
    return name.lower().replace(" ", "-")


def _move(move: str, judged: Judged | None) -> str:
    if judged is None or not judged.is_blunder:
        return escape(move)
    sign = "??" if (judged.before, judged.after) == ("win", "loss") else "?"
    opinion = "" if judged.exact else ", in the opinion of a deep search"
    words = f"{given(judged.before, judged.after)}{opinion}; keeps it: {', '.join(judged.held)}"
    return f'<span class="given" title="{escape(words)}">{escape(move)}{sign}</span>'
