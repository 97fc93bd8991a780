// How fast a game's module searches, for bench/publish.py: in Node, which runs this file, and in a browser, which
// imports it.

/**
 * Nodes, and milliseconds of so many times, of the engine's search to a depth and of a Monte Carlo search; the first
 * time does not count.
 * @param {any} Module The class of worker/module.js.
 * @param {Uint8Array} code
 * @param {any} asked The facts, the depth, and how many entries, nodes, simulations and times.
 */
export async function measured(Module, code, { facts, depth, entries, nodes, simulations, times: [looks, runs] }) {
  const module = await Module.from(code, facts);
  const state = module.initial();
  const mark = module.mark();
  const searches = {
    pvs: () => {
      const counts = module.newCounts();
      const context = module.newContext(module.newTable(entries));
      const started = performance.now();
      for (let each = 1; each <= depth; each += 1) module.pvs({ counts, context, state, depth: each });
      return [counts.nodes, performance.now() - started];
    },
    mcts: () => {
      const counts = module.newCounts();
      const tree = module.newTree(nodes, 1);
      const started = performance.now();
      const done = module.mcts({ counts, tree, state, simulations });
      return [done, performance.now() - started];
    },
  };
  const warm = (search, times) => {
    let [count, spent] = [0, 0];
    for (let time = 0; time <= times; time += 1) {
      const [found, took] = search();
      [count, spent] = [found, time ? spent + took : 0];
      module.reset(mark);
    }
    return [count, spent];
  };
  return { pvs: warm(searches.pvs, looks), mcts: warm(searches.mcts, runs) };
}

if (typeof process !== "undefined" && process.argv[2]) {
  const { readFileSync } = await import("node:fs");
  const { Module } = await import("../page/src/worker/module.js");
  const asked = JSON.parse(readFileSync(0, "utf8"));
  console.log(JSON.stringify(await measured(Module, readFileSync(process.argv[2]), asked)));
}
