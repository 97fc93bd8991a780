// Two people at a saved game: who they are, whether they are here, what one offers the other, how one is invited.

import { button, el, refill } from "../../shell/dom.js";
import { nameField } from "./namefield.js";
import { SavedGame } from "../savedgame.js";
import { hold } from "./seats.js";
import { SIDES, isPerson } from "../state.js";

/** @import { GameView, Offer } from "models" */
/** @import { Controller } from "../controller.js" */
/** @import { Game, Ready, Side } from "../state.js" */
/** @import { Part } from "../view.js" */

/** Offers in words: to the person who is asked, and on the button that offers it. @type {Record<string, string[]>} */
const OFFERS = {
  undo: ["asks to take the last move back", "Ask to take back"],
  draw: ["offers a draw", "Offer a draw"],
  help: ["would like an engine's help for both: values, hints, analysis", "Ask for an engine's help"],
  rematch: ["would like a rematch, with sides changed", "Rematch"],
};

/** @param {GameView} view @param {Side} side */
const nameOf = (view, side) => view.people[side]?.name || view.position.names[side];

/**
 * A dialogue that is gone when it is closed.
 * @param {string} title
 * @param {import("../../shell/dom.js").Child[]} children
 */
function dialogue(title, ...children) {
  /** @type {HTMLDialogElement} */
  const dialog = el(
    "dialog",
    { "aria-label": title, onclose: () => dialog.remove() },
    el("h2", {}, title),
    children,
    el(
      "p",
      {},
      button("Close", () => dialog.close()),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Offers and messages between two people; each is said once. */
class Company {
  #offers = el("div", { class: "part-actions" });
  #news = el("p", { class: "hint", role: "status" });
  #root = el("div", { class: "company" }, this.#offers, this.#news);
  #drawn = "";
  /** @type {GameView | null} */
  #before = null;
  /** @type {HTMLDialogElement | null} */
  #dialog = null;

  /** @param {Controller} does */
  constructor(does) {
    this.does = does;
  }

  get #source() {
    return /** @type {SavedGame} */ (this.does.source);
  }

  /** The seats that this browser holds. @returns {Side[]} */
  get #mine() {
    return SIDES.filter((side) => this.#source.seats[side]);
  }

  /** Offers and messages of a game between two people; nothing in another game. @param {Game} game */
  draw(game) {
    const view = game.saved;
    if (!view || !SIDES.every((side) => isPerson(game, side))) return null;
    const before = this.#before?.id === view.id ? this.#before : null;
    this.#before = view;
    if (!before) this.#say("");
    if (before) this.#tell(before, view);
    const { next: following } = view;
    if (before && !before.next && following && this.#mine.length) queueMicrotask(() => this.#goOn(following));
    const { id, offer, over, help, next, position } = view;
    const state = JSON.stringify([id, offer, over, help, next, this.#mine, position.moves.length > 0]);
    if (state !== this.#drawn) refill(this.#offers, this.#buttons(view));
    this.#drawn = state;
    return this.#root;
  }

  /** @param {GameView} view */
  #buttons(view) {
    const mine = this.#mine;
    const next = view.next;
    if (mine.length === 2) return [!view.over && button("Invite a person…", () => this.#invite())];
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
      !view.over && this.does.state.board?.draws && button(OFFERS.draw[1], act("draw")),
      !view.over && !view.help && button(OFFERS.help[1], act("help")),
      view.over && !next && button(OFFERS.rematch[1], act("rematch"), { class: "primary" }),
      next && button("To the rematch", () => this.#goOn(next)),
      button("Your name…", () => this.#rename(), { class: "quiet" }),
      view.help && !view.over && el("p", { class: "hint" }, "You have agreed that an engine may help you both."),
    ];
  }

  /** Changes between the people, to be read aloud. @param {GameView} before @param {GameView} view */
  #tell(before, view) {
    for (const side of SIDES.filter((each) => !this.#source.seats[each])) {
      const [was, is] = [before.people[side], view.people[side]];
      if (is?.here && !was?.here) {
        this.#say(`${nameOf(view, side)} is here.`);
        this.#dialog?.close();
      }
      if (was?.here && !is?.here) this.#say(`${nameOf(view, side)} has left; the game is saved.`);
    }
    const { offer } = view;
    if (offer && !before.offer && !this.#source.seats[offer.side]) {
      this.#say(`${nameOf(view, offer.side)} ${OFFERS[offer.what][0]}.`, true);
    }
    const isLeft = before.offer && !offer && !view.next && view.position.moves.length === before.position.moves.length;
    if (view.help && !before.help) this.#say("Agreed: an engine may help you both.", true);
    else if (isLeft && view.over === before.over) this.#say("That is declined.");
  }

  /** @param {string} words @param {boolean} [isShown] Whether the same stands there already to be seen. */
  #say(words, isShown = false) {
    this.#news.classList.toggle("unseen", isShown);
    this.#news.textContent = words;
  }

  /** @param {Offer["what"]} what */
  #offer(what) {
    return this.does.attempt(() => this.#source.offer(this.#mine[0], what));
  }

  /** The rematch: the seats' secrets are the same, on the other sides. @param {string} id */
  #goOn(id) {
    const { seats } = this.#source;
    const mine = { ...(seats.o && { x: seats.o }), ...(seats.x && { o: seats.x }) };
    if (Object.keys(mine).length) hold(id, mine);
    this.does.attempt(() => this.does.become(new SavedGame(id, {}), true));
  }

  #rename() {
    const [side] = this.#mine;
    this.#dialog = dialogue(
      "What others call you",
      nameField((name) => side && this.#source.sit(side, name)),
    );
  }

  async #invite() {
    const { invitation } = await import("./invite.js");
    const names = this.does.state.game?.position.names ?? {};
    this.#dialog = dialogue("Invite a person", await invitation(this.#source, names));
  }
}

/**
 * Part of a game of two people on a page.
 * @param {Controller} does
 */
export function company(does) {
  const made = new Company(does);
  return (/** @type {Ready} */ { game }) => {
    const node = made.draw(game);
    return { company: /** @type {Part} */ ([[node], () => node]) };
  };
}
