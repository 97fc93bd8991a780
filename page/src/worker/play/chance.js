// Chance from a seed: the same again for the same seed.

export class Chance {
  /** @param {string} seed Any text. */
  constructor(seed) {
    let mixed = 0x811c9dc5; // FNV-1a, of 32 bits
    for (const sign of seed) mixed = Math.imul(mixed ^ (sign.codePointAt(0) ?? 0), 0x01000193);
    this.state = mixed >>> 0;
  }

  /** A number from 0 below 1, after Vigna's splitmix with 32 bits ("mulberry32"). */
  random() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /**
   * A whole number from 0 below a count.
   * @param {number} count
   */
  below(count) {
    return Math.floor(this.random() * count);
  }

  /**
   * One of several, all as likely.
   * @template Each
   * @param {readonly Each[]} things
   */
  choice(things) {
    return things[this.below(things.length)];
  }

  /**
   * The same things in another order, after Fisher and Yates.
   * @template Each
   * @param {readonly Each[]} things
   */
  reorder(things) {
    const found = [...things];
    for (let end = found.length - 1; end > 0; end--) {
      const place = this.below(end + 1);
      [found[end], found[place]] = [found[place], found[end]];
    }
    return found;
  }
}
