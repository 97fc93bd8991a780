// Refusal of a question, in a sentence for the person who asked.

export class Refused extends Error {
  /**
   * @param {string} sentence What was wrong, where, and what would be right.
   * @param {number} [status] As of HTTP.
   */
  constructor(sentence, status = 400) {
    super(sentence);
    this.status = status;
  }
}
