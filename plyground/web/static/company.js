// Two people at a kept game: who they are, whether they are here, what one offers the other, how one is invited.

import { answers } from "./answers.js";
import { button, el, field, refill } from "./dom.js";
import { callMe, hold, myName } from "./seats.js";

/** @import { GameView, Offer } from "models" */
/** @import { Kept } from "./kept.js" */
/** @import { Table } from "./table.js" */

/** @typedef {"x" | "o"} Side */
const SIDES = /** @type {Side[]} */ (["x", "o"]);
const LONGEST_NAME = 24;

/** What is offered, in words: to who is asked, and on the button that offers it. @type {Record<string, string[]>} */
const OFFERS = {
  undo: ["asks to take the last move back", "Ask to take back"],
  draw: ["offers a draw", "Offer a draw"],
  rematch: ["would like a rematch, with sides changed", "Rematch"],
};

/** @param {GameView} view @param {Side} side */
const nameOf = (view, side) => view.people[side]?.name || view.position.names[side];

/**
 * A dialogue that is gone when it is closed.
 * @param {string} title
 * @param {import("./dom.js").Child[]} children
 */
function dialogue(title, ...children) {
  /** @type {HTMLDialogElement} */
  const dialog = el("dialog", { "aria-label": title, onclose: () => dialog.remove() },
    el("h2", {}, title), children, el("p", {}, button("Close", () => dialog.close())));
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * A field for one's own name.
 * @param {(name: string) => void} onname Told of it when it has been written.
 */
export function nameField(onname) {
  const input = el("input", { value: myName(), maxLength: LONGEST_NAME, autocomplete: "nickname" });
  input.addEventListener("change", () => {
    callMe(input.value.trim());
    onname(input.value.trim());
  });
  return field("Your name", input);
}

class Company {
  #offers = el("div", { class: "part-actions" });
  #news = el("p", { class: "hint", role: "status" });
  #root = el("div", { class: "company" }, this.#offers, this.#news);
  #drawn = "";
  /** @type {GameView | null} */
  #before = null;
  /** @type {HTMLDialogElement | null} */
  #dialog = null;

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
  }

  get #source() {
    const { source } = this.table;
    return source.kept && source.view && SIDES.every((side) => source.isPerson(side)) ? source : null;
  }

  /** The seats that this browser holds. @returns {Side[]} */
  get #mine() {
    return SIDES.filter((side) => this.#source?.seats[side]);
  }

  /** What belongs to two people; nothing where there are not two. */
  draw() {
    const source = this.#source;
    if (!source?.view) return null;
    const { view } = source;
    const before = this.#before?.id === view.id ? this.#before : null;
    this.#before = view;
    if (before) this.#tell(before, view);
    const { next: following } = view;
    if (before && !before.next && following && this.#mine.length) queueMicrotask(() => this.#goOn(following));
    const { id, offer, over, next, position } = view;
    const state = JSON.stringify([id, offer, over, next, this.#mine, position.moves.length > 0]);
    if (state !== this.#drawn) refill(this.#offers, this.#buttons(view));
    this.#drawn = state;
    return this.#root;
  }

  /** @param {GameView} view */
  #buttons(view) {
    const mine = this.#mine;
    const next = view.next;
    if (mine.length === 2) return [!view.over && button("Invite somebody…", () => this.#invite())];
    if (mine.length !== 1) return [next && button("See the rematch", () => this.#goOn(next))];
    const act = (/** @type {Offer["what"]} */ what) => () => this.#offer(what);
    const { offer } = view;
    if (offer && offer.side !== mine[0]) {
      return [
        el("p", { class: "asks" }, `${nameOf(view, offer.side)} ${OFFERS[offer.what][0]}.`),
        button("Accept", act(offer.what), { class: "primary" }),
        button("Decline", act("no")),
      ];
    }
    if (offer) return [el("p", { class: "asks" }, "You have asked."), button("Take it back", act("no"))];
    return [
      view.position.moves.length > 0 && !view.over && button(OFFERS.undo[1], act("undo")),
      !view.over && view.draws && button(OFFERS.draw[1], act("draw")),
      view.over && !next && button(OFFERS.rematch[1], act("rematch"), { class: "primary" }),
      next && button("To the rematch", () => this.#goOn(next)),
      button("Your name…", () => this.#rename(), { class: "quiet" }),
    ];
  }

  /** What has changed between people, read aloud. @param {GameView} before @param {GameView} view */
  #tell(before, view) {
    for (const side of SIDES.filter((each) => !this.#source?.seats[each])) {
      const [was, is] = [before.people[side], view.people[side]];
      if (is?.here && !was?.here) {
        this.#say(`${nameOf(view, side)} is here.`);
        this.#dialog?.close();
      }
      if (was?.here && !is?.here) this.#say(`${nameOf(view, side)} has left; the game is kept.`);
    }
    const { offer } = view;
    if (offer && !before.offer && !this.#source?.seats[offer.side]) {
      this.#say(`${nameOf(view, offer.side)} ${OFFERS[offer.what][0]}.`, true);
    }
    const isLeft = before.offer && !offer && !view.next && view.position.moves.length === before.position.moves.length;
    if (isLeft && view.over === before.over) this.#say("That is declined.");
  }

  /** @param {string} words @param {boolean} [isShown] Whether the same stands there already to be seen. */
  #say(words, isShown = false) {
    this.#news.classList.toggle("unseen", isShown);
    this.#news.textContent = words;
  }

  /** @param {Offer["what"]} what */
  #offer(what) {
    const source = this.#source;
    if (!source) return null;
    return this.table.attempt(async () =>
      source.take(await answers.ask("offer", { id: source.id, seat: source.seats[this.#mine[0]], what })));
  }

  /** The rematch: the seats' secrets are the same, on the other sides. @param {string} id */
  #goOn(id) {
    const source = /** @type {Kept} */ (this.#source);
    const { seats } = source;
    const mine = { ...(seats.o && { x: seats.o }), ...(seats.x && { o: seats.x }) };
    if (Object.keys(mine).length) hold(id, mine);
    this.table.attempt(() => this.table.become(source.other(id)));
  }

  #rename() {
    this.#dialog = dialogue("What others call you", nameField((name) => this.#sit(name)));
  }

  /** @param {string} name */
  async #sit(name) {
    const source = this.#source;
    const [side] = this.#mine;
    if (!source || !side) return;
    const game = await answers.ask("sit", { id: source.id, seat: source.seats[side], name });
    source.take(game);
  }

  async #invite() {
    const source = this.#source;
    if (!source) return;
    const { invitation } = await import("./invite.js");
    this.#dialog = dialogue("Invite somebody", await invitation(source, this.table.live.names));
  }
}

/** @type {WeakMap<Table, Company>} */
const companies = new WeakMap();

/**
 * The company at a table: it knows what it has told already.
 * @param {Table} table
 */
export function companyOf(table) {
  const found = companies.get(table) ?? new Company(table);
  companies.set(table, found);
  return found;
}
