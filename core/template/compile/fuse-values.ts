import type { Draw, Source } from "./pen.js";

const VALUE = /(\{\{ x\(\d+, s\d+\) \}\})/;
const CALL = /^\{\{ x\((\d+), (s\d+)\) \}\}$/;

interface Value {
  scope: string;
  /** Draws, and the literal text between them. */
  parts: (Draw | string)[];
}

/**
 * The same program with fewer calls: values of one scope with nothing but literal text between them become one.
 * A table row is one call of nunjucks then, instead of one for each cell.
 */
export function fuseValues({ text, draws, ...tables }: Source): Source {
  const pieces: (string | Value)[] = [];
  for (const piece of text.split(VALUE)) {
    const value = valueOf(piece, draws);
    if (value === null) pieces.push(piece);
    else pushValue(value, pieces);
  }
  const values = pieces.filter((piece) => typeof piece !== "string");
  return {
    ...tables,
    draws: values.map(({ parts }) => drawAll(parts)),
    text: pieces
      .map((piece) =>
        typeof piece === "string"
          ? piece
          : `{{ x(${values.indexOf(piece)}, ${piece.scope}) }}`,
      )
      .join(""),
  };
}

function valueOf(piece: string, draws: readonly Draw[]): Value | null {
  const [, id, scope = ""] = CALL.exec(piece) ?? [];
  const draw = id === undefined ? undefined : draws[Number(id)];
  return draw ? { scope, parts: [draw] } : null;
}

function pushValue(value: Value, pieces: (string | Value)[]): void {
  const [before, between] = pieces.slice(-2);
  const canFuse =
    typeof before === "object" &&
    before.scope === value.scope &&
    typeof between === "string" &&
    !/\{[{%]/.test(between);
  if (!canFuse) {
    pieces.push(value);
    return;
  }
  pieces.pop();
  before.parts.push(between, ...value.parts);
}

function drawAll(parts: readonly (Draw | string)[]): Draw {
  const [only, ...more] = parts;
  if (typeof only === "function" && more.length === 0) return only;
  return (scope, run) => {
    let text = "";
    for (const part of parts)
      text += typeof part === "string" ? part : part(scope, run);
    return text;
  };
}
