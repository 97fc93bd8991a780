// Scripts as a parser of the whole language reads them: a list of texts in JSON comes in, and what was read of each
// goes out, without where it stands. A variable is told by its scope, whatever its name, unless it is a browser's; a
// private name by its class and where it first comes; a constant is a variable, `let a, b` is `let a; let b`, a number its value, and
// `{ name }` is `{ name: name }`. A module of a joined script stands without its function.

import { parse } from "acorn";
import { analyze } from "eslint-scope";
import { readFileSync } from "node:fs";

/**
 * A declaration of several variables as one of each.
 * @param {any} each
 */
const apart = (each) =>
  each?.type === "VariableDeclaration"
    ? each.declarations.map((/** @type {any} */ one) => ({ ...each, declarations: [one] }))
    : each;

/** @param {string} text */
function read(text) {
  /** @type {unknown[]} */
  const seen = [];
  let classes = 0;
  const number = (/** @type {unknown} */ named) => (seen.includes(named) ? seen.indexOf(named) : seen.push(named) - 1);
  const tree = parse(text, { ecmaVersion: "latest", sourceType: "module", ranges: true });
  const variables = new Map();
  for (const { variables: inside } of analyze(tree, { ecmaVersion: 2024, sourceType: "module" }).scopes) {
    for (const each of inside) {
      const uses = [...each.identifiers, ...each.references.map(({ identifier }) => identifier)];
      if (each.defs.length) for (const use of uses) variables.set(use, each);
    }
  }
  /** What a module gives or takes: the variable at the top of the script. */
  const same = new Map();
  /**
   * The statements of a module, `const [a] = (() => { …; return [a]; })();`, in place of its function; none of them
   * is `const b = b$other;`, another name of what another module gives.
   * @param {any} each
   */
  const opened = (each) => {
    const call = each.expression ?? each.declarations?.[0].init;
    const inside = call?.type === "CallExpression" ? call.callee.body?.body : null;
    const given = Array.isArray(inside) ? inside.at(-1)?.argument : null;
    if (given?.type !== "ArrayExpression" || call.arguments.length) return [each];
    for (const [place, one] of given.elements.entries()) {
      same.set(variables.get(one), variables.get(each.declarations[0].id.elements[place]));
    }
    return inside.slice(0, -1).filter((/** @type {any} */ one) => {
      const [taken] = one.declarations ?? [];
      if (!taken?.init?.name?.includes("$")) return true; // const a = a$other;
      same.set(variables.get(taken.id), variables.get(taken.init));
      return false;
    });
  };
  tree.body = tree.body.flatMap(opened);
  return JSON.stringify(tree, function (key, value) {
    if (["start", "end", "range", "shorthand"].includes(key)) return undefined;
    if (key === "raw" && typeof this.value === "number") return undefined;
    if (Array.isArray(value)) value = value.flatMap(apart);
    if (value?.type === "ClassBody") classes++; // none is in another one
    if (value?.type === "PrivateIdentifier") return { ...value, name: number(`#${classes} ${value.name}`) };
    const variable = variables.get(value);
    if (variable) return { ...value, name: number(same.get(variable) ?? variable) };
    if (key === "kind" && value === "const") return "let";
    return typeof value === "bigint" ? String(value) : value;
  });
}

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(read)));
