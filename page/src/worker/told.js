// Report to the page of a fault in a worker.

import { NoRoom } from "./memory.js";
import { RuleFault } from "./module.js";
import { Refused } from "./refused.js";

/**
 * A sentence for whoever asked, and its status as of HTTP; a fault of ours is also left in the browser's console.
 * @param {unknown} fault
 */
export function answerFault(fault) {
  const { message } = /** @type {Error} */ (fault);
  if (fault instanceof Refused) return { error: message, status: fault.status };
  if (fault instanceof RuleFault || fault instanceof NoRoom) return { error: message, status: 400 };
  console.error(fault);
  return { error: `This page failed at that: ${message}.`, status: 500 };
}
