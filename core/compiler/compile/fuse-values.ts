import { compact } from "../output/compact.js";
import type { Draw, Source } from "./pen.js";

const TAG = /(\{%.*?%\}|\{\{ (?:brace|hash) \}\})/s;
const VALUE = /\{\{ x\((\d+)\) \}\}/;

/**
 * The same program with fewer calls: values with nothing but literal text between them become one.
 * A table row is one call of nunjucks then, instead of one for each cell.
 */
export function fuseValues({ text, draws, ...tables }: Source): Source {
  const fused: Draw[] = [];
  const pieces = text.split(TAG).map((piece) => {
    const [before = "", ...rest] = piece.split(VALUE);
    const after = rest.pop();
    if (after === undefined) return before;
    const id = fused.push(drawAll(rest, draws)) - 1;
    return `${before}{{ x(${id}) }}${after}`;
  });
  return { ...tables, text: pieces.join(""), draws: fused };
}

/** @param parts numbers of draws, and the literal text between them */
function drawAll(parts: readonly string[], draws: readonly Draw[]): Draw {
  const [first, ...more] = parts
    .filter((_part, index) => index % 2 === 0)
    .map((id) => draws[Number(id)]!);
  const steps = more.map((draw, index) => ({
    literal: compact(parts[index * 2 + 1] ?? ""),
    draw,
  }));
  return steps.length === 0 ? first! : drawInTurn(first!, steps);
}

/** Apart, since what a function is made among is kept with it: here the whole text of the program. */
function drawInTurn(
  first: Draw,
  steps: readonly { literal: string; draw: Draw }[],
): Draw {
  return (scope, run) => {
    let text = first(scope, run);
    for (const { literal, draw } of steps) text += literal + draw(scope, run);
    return text;
  };
}
