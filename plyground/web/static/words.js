// How the page says what it has to say.

/** A count with its thousands apart: "12,345". */
export const counted = (count) => count.toLocaleString("en");
