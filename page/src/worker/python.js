// Operators and functions of Python, for modules that are translated from it (`page/translator`).

/**
 * Compare numbers, or lists of numbers lexicographically: below 0 if the first is less, above 0 if it is greater, 0 if
 * they are equal.
 * @template {number | boolean | readonly unknown[]} Each
 * @param {Each} one
 * @param {Each} other
 * @returns {number}
 */
export function compare(one, other) {
  if (!Array.isArray(one) || !Array.isArray(other)) return one < other ? -1 : one > other ? 1 : 0;
  const place = one.findIndex((each, index) => index >= other.length || compare(each, other[index]));
  return place < 0 ? one.length - other.length : place < other.length ? compare(one[place], other[place]) : 1;
}

/**
 * Sort by a key, in ascending order or reversed; items with equal keys keep their order.
 * @template Each
 * @param {readonly Each[]} things
 * @param {(each: Each) => number | readonly unknown[]} rank
 * @param {boolean} [reverse]
 */
export function sortedBy(things, rank, reverse = false) {
  const ranked = things.map((each) => /** @type {const} */ ([each, rank(each)]));
  const sign = reverse ? -1 : 1;
  return ranked.sort((one, other) => sign * compare(one[1], other[1])).map(([each]) => each);
}

/**
 * The item at an index; a negative index counts from the end.
 * @template Each
 * @param {readonly Each[]} things
 * @param {number} place
 */
export const itemAt = (things, place) => /** @type {Each} */ (things.at(place));

/**
 * The first index of a number, or of a list of numbers, in a list of such.
 * @template {number | readonly unknown[]} Each
 * @param {readonly Each[]} things
 * @param {Each} thing
 */
export const placeOf = (things, thing) => things.findIndex((each) => compare(each, thing) === 0);

/**
 * Number of times that a list has a state: one with the same words.
 * @param {readonly BigInt64Array[]} things
 * @param {BigInt64Array} thing
 */
export const countOf = (things, thing) => things.filter((each) => each.join() === thing.join()).length;

/** Ints from 0 to a count, without it. @param {number} count */
export const countUp = (count) => Array.from({ length: Math.max(0, count) }, (_, number) => number);

/**
 * Pairs of the items of two lists of the same length.
 * @template One, Other
 * @param {readonly One[]} ones
 * @param {readonly Other[]} others
 */
export const zip = (ones, others) => ones.map((one, place) => /** @type {const} */ ([one, others[place]]));

/**
 * Value that a function makes once, kept as an attribute of an object.
 * @template Each
 * @param {object} thing
 * @param {string} name
 * @param {() => Each} make
 */
export function once(thing, name, make) {
  const value = make();
  Object.defineProperty(thing, name, { value });
  return value;
}

/** Pairs of index and item. @template Each @param {readonly Each[]} things */
export const enumerate = (things) => things.map((each, place) => /** @type {const} */ ([place, each]));

/**
 * A copy with some attributes changed.
 * @template {object} Thing
 * @param {Thing} thing
 * @param {Partial<Thing>} changes
 * @returns {Thing}
 */
export const copyWith = (thing, changes) =>
  Object.assign(Object.create(Object.getPrototypeOf(thing)), { ...thing, ...changes });

/**
 * Round to a number of decimal places, half to even.
 * @param {number} number
 * @param {number} digits
 */
export function roundHalfEven(number, digits) {
  const scaled = number * 10 ** digits;
  const below = Math.floor(scaled);
  const isHalf = scaled - below === 0.5 && Number.isInteger(number * 2 ** (digits + 1));
  return isHalf ? (below + (below % 2 ? 1 : 0)) / 10 ** digits : Number(number.toFixed(digits));
}

/** Format with a fixed number of decimal places. @param {number} number @param {number} digits */
export const fixedText = (number, digits) =>
  (number < 0 ? "-" : "") + roundHalfEven(Math.abs(number), digits).toFixed(digits);

/** Format with a sign, `+` or `-`. @param {number} number @param {number} [digits] */
export const withSign = (number, digits = 0) => (number < 0 ? "" : "+") + (number || 0).toFixed(digits);

/** White space for Python alone. */
const SPACES = "\x1c\x1d\x1e\x1f\x85";

/** The words of a text, between white space. @param {string} text */
export const wordsOf = (text) =>
  [...text]
    .map((sign) => (sign !== "\ufeff" && (!sign.trim() || SPACES.includes(sign)) ? " " : sign))
    .join("")
    .split(" ")
    .filter(Boolean);

/** A text as a part of a regular expression. @param {string} text */
export const escapeForRegExp = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
