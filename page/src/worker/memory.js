// The memory of a module, as JavaScript takes room in it: from the bottom up, and let go of all at once.

const WORD = 8;
const PAGE = 1 << 16;

/**
 * Memory for a module, by what its facts say.
 * @param {Record<string, number>} facts
 * @param {number | null} [shared] Mebibytes at most, where workers share it: a browser may set them aside at once.
 */
export function pagesFor({ FIRST, MOST }, shared = null) {
  const maximum = shared === null ? MOST : Math.min(MOST, FIRST + (shared * 2 ** 20) / PAGE);
  return new WebAssembly.Memory({ initial: FIRST, maximum, shared: shared !== null });
}

/** There is not so much memory. */
export class NoRoom extends Error {}

/** Signed words of 64 bits; where something lies is a number of bytes. */
export class Memory {
  #free;
  /** Up to where memory was used before, and is not 0. */
  #used;

  /** @param {WebAssembly.Memory} pages @param {number} from where it is free */
  constructor(pages, from) {
    this.pages = pages;
    /** All of it, from 0 on; another one when it has grown. */
    this.words = new BigInt64Array(pages.buffer);
    this.#free = this.#used = Math.ceil(from / WORD) * WORD;
  }

  /** So many words of memory, all 0; where they begin. @param {number} words */
  alloc(words) {
    const at = this.#free;
    const end = at + words * WORD;
    const lacking = end - this.pages.buffer.byteLength;
    if (lacking > 0) {
      try {
        this.pages.grow(Math.ceil(lacking / PAGE));
      } catch {
        throw new NoRoom(`This browser has no memory left for ${words} more numbers.`);
      }
      this.words = new BigInt64Array(this.pages.buffer);
    }
    if (at < this.#used) this.words.fill(0n, at / WORD, Math.min(end, this.#used) / WORD);
    this.#free = end;
    this.#used = Math.max(this.#used, end);
    return at;
  }

  /** Address from which memory is free. */
  mark() {
    return this.#free;
  }

  /** Let go of all memory that was taken since a mark. @param {number} mark */
  reset(mark) {
    this.#free = mark;
  }

  /** The int at a place of what begins there. @param {number} at @param {number} place */
  read(at, place) {
    return Number(this.words[at / WORD + place]);
  }

  /** @param {number} at @param {number} place @param {number} value */
  write(at, place, value) {
    this.words[at / WORD + place] = BigInt(value);
  }

  /** A part of memory, not a copy: it is lost when memory grows. @param {number} at @param {number} words */
  view(at, words) {
    return this.words.subarray(at / WORD, at / WORD + words);
  }
}
