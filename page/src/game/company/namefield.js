// The field in which people write what others call them.

import { el, field } from "../../shell/dom.js";
import { callMe, myName } from "./seats.js";

const LONGEST_NAME = 24;

/**
 * A field for one's own name.
 * @param {(name: string) => void} onname Told of it when it has been written.
 */
export function nameField(onname) {
  const input = el("input", { value: myName(), maxLength: LONGEST_NAME, autocomplete: "nickname" });
  input.addEventListener("change", () => {
    callMe(input.value.trim());
    onname(input.value.trim());
  });
  return field("Your name", input);
}
