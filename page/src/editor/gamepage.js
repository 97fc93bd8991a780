// The page of a game, as `plyground publish` writes it: a frame, the same for all games, filled with the module, the
// facts and the first position that Python returns.

/**
 * The part of an answer (`plyground/publish/typed_game.py`) from which a game's page is made.
 * @typedef {object} Made
 * @property {{ game: string, choice: Record<string, any>, position: object }} first
 * @property {Record<string, any>} facts
 * @property {string} module Packed by gzip, in base64.
 */
/**
 * @typedef {object} Frame
 * @property {string} html A whole page with the marks of the three parts that a game has.
 * @property {Record<string, any>} data Data of a page, with another game.
 */

/** Nothing in a text ends its element. @param {string} text */
const safe = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** @param {Frame} frame @param {Made} made */
export function gamePage({ html, data }, { first, facts, module }) {
  const { menu } = data.known;
  const whole = {
    ...data,
    game: first.game,
    known: { menu: { ...menu, games: [first.choice] }, position: first.position },
    facts: { ...data.facts, ...facts, spec: first.game },
  };
  /** @type {Record<string, string>} */
  const parts = {
    "{{title}}": safe(first.choice.title),
    "{{facts}}": JSON.stringify(whole).replaceAll("<", "\\u003c"),
    "{{module}}": module,
  };
  return html.replace(/\{\{(?:title|facts|module)\}\}/g, (mark) => parts[mark]);
}
