// Parts that only some games need. `whole.js` brings all of them; the page of a game that needs none has `worker.js` alone.

/**
 * @type {{
 *   tabled?: typeof import("./engine/tabled.js"), sweeping?: typeof import("./engine/sweeping.js"),
 *   fen?: typeof import("./notation/fen.js"), pdn?: typeof import("./notation/pdn.js"),
 *   sgf?: typeof import("./notation/sgf.js"),
 * }}
 */
export const parts = {};
