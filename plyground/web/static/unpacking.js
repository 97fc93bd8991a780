// The first script of a published page: it unpacks the page's style, its texts and its script, which then runs.

/** Probabilities that a bit is 0, in 2048ths, of each kind of decision; where those of a kind begin. */
const [IS_MATCH, IS_REPEATED, IS_EARLIER, IS_THIRD, IS_FOURTH, IS_LONG] = [0, 12, 24, 36, 48, 60];
const [SLOTS, SPECIAL, ALIGNED, LENGTHS, REPEATED_LENGTHS, LITERALS] = [72, 328, 456, 472, 746, 1020];
const [RANGE, CODE] = [0, 1];
/** Separator of two texts. */
const BETWEEN = "\0";

/**
 * Bytes as text: the first 35 signs from `!` on, without `<`, stand for six bits, the others for seven.
 * @param {string} held
 */
function bytesOf(held) {
  /** @type {number[]} */
  const found = [];
  let [rest, bits] = [0, 0];
  for (let at = 0; at < held.length; at++) {
    const sign = held.charCodeAt(at) - 33;
    const place = sign > 27 ? sign - 1 : sign;
    bits += place < 35 ? 6 : 7;
    rest = place < 35 ? rest * 64 + place : rest * 128 + place + 35;
    if (bits < 8) continue;
    bits -= 8;
    found.push(rest >> bits);
    rest %= 2 ** bits;
  }
  return found;
}

/**
 * Bytes of a raw LZMA stream with an end marker, lc = 3, lp = pb = 0: the decoder of Igor Pavlov's specification of
 * LZMA.
 * @param {string} held The stream as text.
 */
function unpacked(held) {
  const input = bytesOf(held);
  const odds = new Uint16Array(LITERALS + 8 * 0x300).fill(1024);
  const now = new Uint32Array(2); // range and code: kept in a variable, each such number would be an object
  /** @type {number[]} */
  const out = [];
  let [at, state] = [1, 0];
  let [last, second, third, fourth] = [1, 1, 1, 1]; // distances of the last four matches
  const read = () => (now[CODE] = now[CODE] * 256 + input[at++]);
  const grow = () => {
    if (now[RANGE] >= 2 ** 24) return;
    now[RANGE] *= 256;
    read();
  };
  const bit = (/** @type {number} */ of) => {
    const bound = (now[RANGE] >>> 11) * odds[of];
    const isSet = now[CODE] >= bound;
    odds[of] += isSet ? -(odds[of] >> 5) : (2048 - odds[of]) >> 5;
    now[RANGE] = isSet ? now[RANGE] - bound : bound;
    if (isSet) now[CODE] -= bound;
    grow();
    return Number(isSet);
  };
  /** Number of `bits` bits, the highest first. @param {number} of @param {number} bits */
  const tree = (of, bits) => {
    let found = 1;
    for (let step = 0; step < bits; step++) found = found * 2 + bit(of + found);
    return found - 2 ** bits;
  };
  /** Number of `bits` bits, the lowest first. @param {number} of @param {number} bits */
  const reversed = (of, bits) => {
    let [found, node] = [0, 1];
    for (let step = 0; step < bits; step++) {
      const next = bit(of + node);
      node = node * 2 + next;
      found += next * 2 ** step;
    }
    return found;
  };
  /** Number of `bits` bits, each of probability one half. @param {number} bits */
  const direct = (bits) => {
    let found = 0;
    for (let step = 0; step < bits; step++) {
      now[RANGE] /= 2;
      const isSet = now[CODE] >= now[RANGE];
      if (isSet) now[CODE] -= now[RANGE];
      found = found * 2 + Number(isSet);
      grow();
    }
    return found;
  };
  const lengthOf = (/** @type {number} */ of) => {
    if (!bit(of)) return tree(of + 2, 3);
    return bit(of + 1) ? 16 + tree(of + 18, 8) : 8 + tree(of + 10, 3);
  };
  const literal = () => {
    const place = LITERALS + 0x300 * (out[out.length - 1] >> 5); // by the highest bits of the byte before
    let symbol = 1;
    let isLike = state > 6; // after a match: the byte that would have gone on is a guess, as long as it holds
    const guess = isLike ? out[out.length - last] : 0;
    for (let step = 7; step >= 0; step--) {
      const guessed = (guess >> step) & 1;
      const next = bit(place + symbol + (isLike ? 256 + guessed * 256 : 0));
      isLike &&= next === guessed;
      symbol = symbol * 2 + next;
    }
    out.push(symbol % 256);
    state = state < 4 ? 0 : state - (state < 10 ? 3 : 6);
  };
  const distance = (/** @type {number} */ length) => {
    const slot = tree(SLOTS + 64 * Math.min(length, 3), 6);
    if (slot < 4) return slot + 1;
    const bits = (slot >> 1) - 1;
    const from = (2 + (slot % 2)) * 2 ** bits;
    if (slot < 14) return from + reversed(SPECIAL + from - slot, bits) + 1;
    return from + direct(bits - 4) * 16 + reversed(ALIGNED, 4) + 1;
  };
  now[RANGE] = 2 ** 32 - 1;
  for (let step = 0; step < 4; step++) read();
  for (;;) {
    if (!bit(IS_MATCH + state)) {
      literal();
      continue;
    }
    let length = -1;
    if (!bit(IS_REPEATED + state)) {
      length = lengthOf(LENGTHS);
      [fourth, third, second, last] = [third, second, last, distance(length)];
      if (last === 2 ** 32) return Uint8Array.from(out); // the end marker
      state = state < 7 ? 7 : 10;
    } else {
      if (!bit(IS_EARLIER + state)) {
        if (!bit(IS_LONG + state)) length = -2;
      } else if (!bit(IS_THIRD + state)) [second, last] = [last, second];
      else if (!bit(IS_FOURTH + state)) [third, second, last] = [second, last, third];
      else [fourth, third, second, last] = [third, second, last, fourth];
      state = length === -2 ? (state < 7 ? 9 : 11) : state < 7 ? 8 : 11;
      length = length === -2 ? -1 : lengthOf(REPEATED_LENGTHS);
    }
    for (let step = 0; step < length + 2; step++) out.push(out[out.length - last]);
  }
}

/** Global name for the script that unpacks modules when they are needed. */
Object.assign(globalThis, { unpacked });

const texts = new TextDecoder().decode(unpacked(document.getElementById("texts")?.textContent ?? "")).split(BETWEEN);
if (texts[3]) document.head.append(Object.assign(document.createElement("style"), { textContent: texts[3] }));
document.querySelector("header")?.removeAttribute("hidden");
for (const [place, [id, type]] of [
  ["facts", "text/plain"],
  ["worker", "text/plain"],
  ["script", "module"],
].entries()) {
  document.body.append(Object.assign(document.createElement("script"), { id, type, textContent: texts[place] }));
}
