// What modules that are made from Python (`web/javascript`) mean where JavaScript has no such operator.

/**
 * Below 0 where the first is less than the other, above 0 where it is more, 0 where they are the same: numbers, or
 * lists of such, place by place.
 * @template {number | boolean | readonly unknown[]} Each
 * @param {Each} one
 * @param {Each} other
 * @returns {number}
 */
export function compared(one, other) {
  if (!Array.isArray(one) || !Array.isArray(other)) return one < other ? -1 : one > other ? 1 : 0;
  const place = one.findIndex((each, index) => index >= other.length || compared(each, other[index]));
  return place < 0 ? one.length - other.length : place < other.length ? compared(one[place], other[place]) : 1;
}

/**
 * Things from the lowest to the highest by their ranks; equal ones stay in their order, also the other way round.
 * @template Each
 * @param {readonly Each[]} things
 * @param {(each: Each) => number | readonly number[]} rank
 * @param {boolean} [reverse]
 */
export function sortedBy(things, rank, reverse = false) {
  const ranked = things.map((each) => /** @type {const} */ ([each, rank(each)]));
  const sign = reverse ? -1 : 1;
  return ranked.sort((one, other) => sign * compared(one[1], other[1])).map(([each]) => each);
}

/**
 * The thing at a place, from the end where it is below 0.
 * @template Each
 * @param {readonly Each[]} things
 * @param {number} place
 */
export const itemAt = (things, place) => /** @type {Each} */ (things.at(place));

/** Numbers from 0 below a count. @param {number} count */
export const countUp = (count) => Array.from({ length: Math.max(0, count) }, (_, number) => number);

/** Things with their places. @template Each @param {readonly Each[]} things */
export const numbered = (things) => things.map((each, place) => /** @type {const} */ ([place, each]));

/**
 * The same, but for some of its attributes.
 * @template {object} Thing
 * @param {Thing} thing
 * @param {Partial<Thing>} changes
 * @returns {Thing}
 */
export const replaced = (thing, changes) =>
  Object.assign(Object.create(Object.getPrototypeOf(thing)), { ...thing, ...changes });

/**
 * A number with so many digits after the point; half way between two, the even one.
 * @param {number} number
 * @param {number} digits
 */
export function rounded(number, digits) {
  const scaled = number * 10 ** digits;
  const below = Math.floor(scaled);
  const isHalf = scaled - below === 0.5 && Number.isInteger(number * 2 ** (digits + 1));
  return isHalf ? (below + (below % 2 ? 1 : 0)) / 10 ** digits : Number(number.toFixed(digits));
}

/** A number in text, with so many digits after the point. @param {number} number @param {number} digits */
export const fixed = (number, digits) => (number < 0 ? "-" : "") + rounded(Math.abs(number), digits).toFixed(digits);

/** A number in text, also with a plus. @param {number} number @param {number} [digits] */
export const withSign = (number, digits = 0) => (number < 0 ? "" : "+") + (number || 0).toFixed(digits);
