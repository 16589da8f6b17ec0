import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";

/** From and to, in characters. */
export interface Span {
  from: number;
  to: number;
}

/** Where a path of the checker (`$.components[2].text`) leads in a text; to what is around it, where that is not there. */
export function spanOf(text: string, jsonPath: string): Span {
  const root = parseTree(text);
  if (!root) return { from: 0, to: 0 };
  const keys = keysOf(jsonPath);
  for (let length = keys.length; length > 0; length--) {
    const node = findNodeAtLocation(root, keys.slice(0, length));
    if (node) return span(node);
  }
  return span(root);
}

function span({ offset, length }: Node): Span {
  return { from: offset, to: offset + length };
}

/** Its steps are `.text`, `[0]` and, of names that are no word, `["font-size"]`. */
function keysOf(jsonPath: string): (string | number)[] {
  const steps = jsonPath.matchAll(
    /\.([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g,
  );
  return Array.from(steps, ([, name, index, quoted = '""']) => {
    if (index !== undefined) return Number(index);
    return name ?? String(JSON.parse(quoted));
  });
}
