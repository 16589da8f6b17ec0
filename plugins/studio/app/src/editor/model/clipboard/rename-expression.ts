/** What scopes of the data are called now, by what they were called. */
export type NewNames = ReadonlyMap<string, string>;

const TOKEN =
  /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|(?<name>[\p{L}_$][\p{L}\p{M}\p{N}_$]*)|[^\s]|\s+/gu;
/** Their second argument names a field of the elements, whatever else has its name. */
const AGGREGATES = new Set(["SUM", "AVG", "MIN", "MAX", "COUNT"]);

interface Call {
  name: string;
  argument: number;
}

/**
 * An expression in which paths begin with the new names.
 * @param isField tells which bare words are fields of the data, and no scope
 */
export function renameInExpression(
  source: string,
  names: NewNames,
  isField: (word: string) => boolean,
): string {
  const calls: Call[] = [];
  let before = "";
  const parts = [...source.matchAll(TOKEN)];
  return parts
    .map((match, index) => {
      const text = match[0];
      if (text.trim() === "") return text;
      const after = parts.slice(index + 1).find(([one]) => one.trim() !== "");
      const isName = match.groups?.["name"] !== undefined;
      const isFirst = isName && before !== "." && before !== "|";
      const isRead = isFirst && after?.[0] !== "(" && !isFieldOfCall(calls);
      const isPath = after?.[0] === "." || after?.[0] === "[";
      follow(calls, text, before);
      before = text;
      if (!isRead || (!isPath && isField(text))) return text;
      return names.get(text) ?? text;
    })
    .join("");
}

/** A Template with the new names in its expressions; the text around them stays as it is. */
export function renameInTemplate(
  source: string,
  names: NewNames,
  isField: (word: string) => boolean,
): string {
  return source.replaceAll(
    /(?<!\\)\{\{(?<inside>(?:"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|(?!\}\})[^])*)\}\}/g,
    (_, inside: string) => `{{${renameInExpression(inside, names, isField)}}}`,
  );
}

function isFieldOfCall(calls: readonly Call[]): boolean {
  const call = calls.at(-1);
  return call !== undefined && AGGREGATES.has(call.name) && call.argument > 0;
}

function follow(calls: Call[], text: string, before: string): void {
  const call = calls.at(-1);
  if (text === "(") calls.push({ name: before, argument: 0 });
  if (text === ")") calls.pop();
  if (text === "," && call) call.argument += 1;
}
