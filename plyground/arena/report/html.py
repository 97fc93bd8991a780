"""The report of an arena as one HTML file without external resources."""

from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from plyground.arena.report.columns import COLUMNS, Column, Standing
from plyground.arena.report.frame import card, cards, last_words, loss_in_words, page, paragraphs, row_name, table
from plyground.arena.report.positions import Mistake, Scenes
from plyground.arena.report.standings import Standings, standings
from plyground.arena.report.testing import stand_of_test
from plyground.arena.report.wording import games_text, lead_text, los_text, points_text, signed_text, without_side
from plyground.arena.results import Arena, Judged, Played
from plyground.arena.statistics.tally import Against, Blunders
from plyground.errors import BadInput, sentence_of
from plyground.markup import Inside, Markup, el, fragment, join
from plyground.play.ending import FAULT_WORDS
from plyground.position import Position

MOST_BLUNDERS_SHOWN = 60
"""Most blunders that are shown; exact, costly and frequent ones come first."""
MOST_GAMES_WITH_BOARDS = 200
"""Games of which each shows its last board; where there are more, only those that ended by a fault do."""
MOST_PLY_COLUMNS = 60
"""Columns of the table of blunders by ply."""
MOST_NAMED = 12
"""Most games that one line names."""


def html(arena: Arena, games: Sequence[Played], *, page: str = "", said: Iterable[str] = ()) -> Markup:
    """The whole report.

    Args:
        arena: the arena.
        games: its games, in any order.
        page: the address of a playground, to which positions are linked; empty: they are given as text.
        said: more sentences for the head, such as what an SPRT has decided.

    Raises:
        BadInput: there is no such game, or the page's address is none.
    """
    return _Report(arena, games, page_at(page), list(said)).html()


def page_at(address: str) -> str:
    """The address of a playground without its fragment, which names a position; empty if there is none.

    Raises:
        BadInput: it is no such address.
    """
    # http and https alone: an address such as javascript: would run in the page of whoever opens the report.
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

    def html(self) -> Markup:
        mistakes = self.scenes.mistakes(self.games)
        parts = {
            "Standings": self._standings(),
            "Cross table": self._cross(),
            "Find the move that holds": self._questions(mistakes),
            "Blunders by ply": self._by_ply(),
            "Faults": self._faults(),
            "Games": self._games(),
        }
        # All parts first: they collect the drawings that stand at the top of the page.
        told = {name: inside for name, inside in parts.items() if inside}
        links = (el("a", name, href=f"#{_anchor(name)}") for name in told)
        sections = (
            el("section", el("h2", name, id=_anchor(name)), inside, "\n", aria_labelledby=_anchor(name))
            for name, inside in told.items()
        )
        title = f"Arena: {self.arena.game}"
        top = el("header", el("h1", title), self._head(), el("nav", links, aria_label="Parts"))
        return page(title, self.scenes.drawings, top, "\n", el("main", sections))

    def _head(self) -> Inside:
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
            sentences.append(sentence_of(f"{arena.why[0].upper()}{arena.why[1:]}"))
        if table.first is not None:
            sentences.append(f"The first player took {100 * table.first:.1f} % of all points.")
        if arena.test:
            one, other = (entrant.name for entrant in arena.entrants)
            sentences += stand_of_test(arena.test, one, other, table).lines
        elif len(arena.entrants) == 2:
            sentences += self._duel()
        return paragraphs([" · ".join(filter(None, facts))], "quiet") + paragraphs(sentences)

    def _duel(self) -> list[str]:
        """Sentences on a match of two by its pairs of games; none in other arenas."""
        one, other = (row.name for row in self.table.rows)
        found, met = self.table.duel(one, other), self.table.cross.get((one, other))
        if found is None or met is None:
            return []
        pairs = " ".join(str(count) for count in met.pentanomial)
        alone = f"; games in no pair: {met.alone}" if met.alone else ""
        normal = ""
        if found.normalised is not None:
            normal = f"; normalised Elo {signed_text(found.normalised)} ± {found.margin:.0f}"
        ahead = f"Elo of {one} against {other}: {lead_text(found)}{normal}"
        return [
            f"{ahead}; likelihood of superiority {los_text(found.superiority)}.",
            f"Pairs of games with 0, ½, 1, 1½ and 2 points: {pairs}{alone}.",
        ]

    # -- who stands where --------------------------------------------------------------------------------------------

    def _standings(self) -> Inside:
        specs = {entrant.name: entrant.spec for entrant in self.arena.entrants}
        columns = [each for each in COLUMNS if not each.is_detail or any(map(each.text, self.table.rows))]
        lefts = [at for at, column in enumerate(columns) if column.is_left or column.is_drawn]

        def cell(at: int, column: Column, row: Standing) -> Markup:
            inside = self.table.drawn_cell(column, row)
            if column.key == "name":
                return row_name(inside, title=specs[row.name])
            return el("td", inside, class_="left" if at in lefts else None)

        rows = [el("tr", (cell(at, column, row) for at, column in enumerate(columns))) for row in self.table.rows]
        meaning = " ".join(each.meaning for each in columns if each.explanation)
        shown = table("Standings", [each.heading for each in columns], rows, lefts=lefts)
        return [shown, paragraphs([meaning, *self.table.notes], "quiet")]

    def _cross(self) -> Inside:
        rows = self.table.rows
        # With two players the cross table only repeats the standings.
        if len(rows) < 3:
            return None
        lines = [
            el("tr", row_name(f"{row.rank}. {row.name}"), (self._cell(row.name, other.name) for other in rows))
            for row in rows
        ]
        heads = ("player", *(str(row.rank) for row in rows))
        note = "Points of the row against the column, of the games that they played; a press shows these."
        return [table("Cross table", heads, lines, lefts=(0,), look="cross"), paragraphs([note], "quiet")]

    def _cell(self, one: str, other: str) -> Markup:
        met = self.table.cross.get((one, other))
        if one == other:
            return el("td", "·", class_="self")
        if met is None:
            return el("td")
        share = met.points / met.games if met.games else 0.5
        look = "up" if share > 0.5 else "down" if share < 0.5 else "level"
        words = f"{one} – {other}: +{met.wins} ={met.draws} −{met.losses}"
        told = f"{points_text(met.points)}/{met.games}" if met.games else "void"
        return el("td", el("a", told, href=f"#{self._anchor_of(one, other)}", title=words), class_=look)

    def _anchor_of(self, one: str, other: str) -> str:
        """The anchor of the games of two."""
        low, high = sorted((self.rank[one], self.rank[other]))
        return f"m{low}-{high}"

    # -- blunders ----------------------------------------------------------------------------------------------------

    def _questions(self, mistakes: Sequence[Mistake]) -> Inside:
        if not mistakes:
            return None
        left = len(mistakes) - MOST_BLUNDERS_SHOWN
        more = f" The {left:,} less telling ones are marked in the games." if left > 0 else ""
        note = f"{len(mistakes):,} positions in which a player gave value away.{more}"
        return [
            paragraphs([note], "quiet"),
            cards([self._question(mistake) for mistake in mistakes[:MOST_BLUNDERS_SHOWN]]),
        ]

    def _question(self, mistake: Mistake) -> Markup:
        position = mistake.before
        mover = self.scenes.names[position.to_move]
        sure = "" if mistake.exact else " (in the opinion of a deep search)"
        ask = f"{mover} to move; the position is {mistake.worth} for {mover}{sure}. Which moves keep it?"
        held = el("p", "Keeps it: ", el("span", ", ".join(mistake.held), class_="held"), ".") if mistake.held else None
        done = el("ul", (el("li", line) for line in self._lines_of_mistake(mistake)))
        where = el("p", self._link(position) or el("code", position.text))
        answer = el("details", el("summary", "Answer, and who missed it"), held, done, where)
        return card(self.scenes.board(position, f"The board: {position.text}"), el("p", ask), answer)

    def _lines_of_mistake(self, mistake: Mistake) -> list[Inside]:
        """Lines for the players that erred in a position, with the moves and the games."""
        by: dict[tuple[str, str, str, str], list[Played]] = {}
        for played, judged in mistake.made:
            who = (played.task.x, played.task.o)[judged.mover]
            by.setdefault((who, judged.move, judged.before, judged.after), []).append(played)
        return [
            [
                f"{who}: ",
                el("span", move, class_="given"),
                f", {loss_in_words(before, after)} (",
                self._link_games(games),
                ")",
            ]
            for (who, move, before, after), games in by.items()
        ]

    def _link(self, position: Position) -> Markup | None:
        if not self.page:
            return None
        return el("a", "Open it in the playground", href=self.page + self.scenes.link(position))

    def _link_games(self, games: Sequence[Played], word: str = "game") -> Inside:
        """Links to some games."""
        links = (el("a", each.task.number, href=f"#g{each.task.number}") for each in games[:MOST_NAMED])
        more = f" and {len(games) - MOST_NAMED} more" if len(games) > MOST_NAMED else ""
        return [f"{word}{'s' if len(games) > 1 else ''} ", join(", ", links), more]

    def _by_ply(self) -> Inside:
        plies = sorted({ply for row in self.table.rows for ply, told in row.by_ply.items() if told.moves})[
            :MOST_PLY_COLUMNS
        ]
        if not plies or not self.table.blunders.given:
            return None
        lines = [el("tr", row_name(row.name), (_rate(row.by_ply.get(ply)) for ply in plies)) for row in self.table.rows]
        note = (
            "Of 100 moves at that ply that had something to lose, how many gave it away; plies count from the opening."
        )
        heads = ("player", *map(str, plies))
        return [table("Blunders by ply", heads, lines, lefts=(0,), look="cross"), paragraphs([note], "quiet")]

    # -- faults ------------------------------------------------------------------------------------------------------

    def _faults(self) -> Inside:
        by: dict[tuple[str, str, str], list[Played]] = {}
        voided: dict[str, list[Played]] = {}
        for played in self.games:
            if played.void or played.utility is None:
                voided.setdefault(played.why, []).append(played)
            elif played.fault is not None:
                who = (played.task.x, played.task.o)[played.fault]
                by.setdefault((who, without_side(played, self.scenes.names), played.words), []).append(played)
        order = sorted(by.items(), key=lambda each: (self.rank[each[0][0]], -len(each[1])))
        found = [self._fault(who, why, words, games) for (who, why, words), games in order]
        void = [el("li", f"{sentence_of(why)} (", self._link_games(games), ")") for why, games in voided.items()]
        told = [el("p", "Void games, which do not count:"), el("ul", void)] if void else []
        return fragment(cards(found), told)

    def _fault(self, who: str, why: str, words: str, games: Sequence[Played]) -> Markup:
        first = games[0]
        position = self.scenes.after(first, len(first.moves))
        times = f"{len(games):,} games" if len(games) > 1 else "1 game"
        what = FAULT_WORDS.get(first.ending, "a fault")
        return card(
            self.scenes.board(position, f"The board then: {position.text}"),
            el("h3", who),
            el("p", f"{times}: {what}."),
            el("p", f"It {sentence_of(why)}"),
            last_words(words),
            el("p", self._link_games(games, "Game")),
        )

    # -- games -------------------------------------------------------------------------------------------------------

    def _games(self) -> Inside:
        by: dict[tuple[int, int], list[Played]] = {}
        for played in self.games:
            low, high = sorted((self.rank[played.task.x], self.rank[played.task.o]))
            by.setdefault((low, high), []).append(played)
        # Each board is a drawing in the file: with a thousand games it would be too large to be sent.
        is_few = len(self.games) <= MOST_GAMES_WITH_BOARDS
        parts = []
        for (low, high), games in sorted(by.items()):
            one, other = self.table.rows[low].name, self.table.rows[high].name
            met = self.table.cross.get((one, other), Against())
            score = f"{points_text(met.points)} – {points_text(met.games - met.points)}"
            lines = [el("li", self._game(played, is_few)) for played in games]
            summary = el("summary", f"{one} – {other}: {score}")
            parts.append(el("details", summary, el("ol", lines, id=f"m{low}-{high}")))  # a link to it opens the details
        return el("div", parts, class_="games") if parts else None

    def _game(self, played: Played, is_shown: bool) -> Inside:
        task, judged = played.task, {each.ply: each for each in played.judged or ()}
        moves = join(" ", (_marked_move(move, judged.get(ply)) for ply, move in enumerate(played.moves, 1)))
        opening = [el("span", f"{task.opening} ·", class_="quiet"), " "] if task.opening else None
        result = {1.0: "1 – 0", 0.5: "½ – ½", 0.0: "0 – 1", None: "void"}[played.score(0)]
        number, who = el("span", task.number, id=f"g{task.number}"), f" · {task.x} – {task.o} · "
        board = link = None
        if is_shown or self.page:
            position = self.scenes.after(played, len(played.moves))
            link = self._link(position)
            if is_shown:
                board = self.scenes.board(position, f"The last board: {position.text}")
        why = f" · {sentence_of(played.why)} "
        return [number, who, el("strong", result), why, link, el("br"), opening, moves, board]


def _rate(told: Blunders | None) -> Markup:
    """Cell of a table of blunders: blunders in 100 moves."""
    if told is None or told.rate is None:
        return el("td")
    look = "down" if told.given else "level"
    return el("td", f"{100 * told.rate:.0f}", class_=look, title=f"{told.given} of {told.moves}")


def _anchor(name: str) -> str:
    return name.lower().replace(" ", "-")


def _marked_move(move: str, judged: Judged | None) -> Inside:
    if judged is None or not judged.is_blunder:
        return move
    sign = "??" if (judged.before, judged.after) == ("win", "loss") else "?"
    opinion = "" if judged.exact else ", in the opinion of a deep search"
    words = f"{loss_in_words(judged.before, judged.after)}{opinion}; keeps it: {', '.join(judged.held)}"
    return el("span", f"{move}{sign}", class_="given", title=words)
