import { RESERVED_WORDS } from "./parse-expression.js";

const NAME = /^[\p{L}_$][\p{L}\p{M}\p{N}_$]*$/u;
const KEY = /^[\p{L}\p{M}\p{N}_$]+$/u;
/** After a dot a key may begin with a digit, as the tokens have it. */
const WRITTEN =
  /^(?:[\p{L}\p{M}\p{N}_$]+|"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*')/u;

/**
 * An expression in which the key that begins at `at` is another; in brackets where it is no word.
 * @param scope with which a path may begin instead, when its first key is no word; empty for none
 * @returns null when the key cannot be written there.
 */
export function writeKey(
  text: string,
  at: number,
  to: string,
  scope: string,
): string | null {
  const before = text.slice(0, at);
  const written = WRITTEN.exec(text.slice(at))?.[0] ?? "";
  const after = text.slice(at + written.length);
  const quoted = JSON.stringify(to);
  const isQuoted = /["']/.test(text.charAt(at));
  if (isQuoted) return before + quoted + after;
  const isLater = /\.\s*$/.test(before);
  if (isLater && KEY.test(to)) return before + to + after;
  if (isLater) return `${before.replace(/\.\s*$/, "")}[${quoted}]${after}`;
  if (NAME.test(to) && !RESERVED_WORDS.includes(to)) return before + to + after;
  return scope === "" ? null : `${before}${scope}[${quoted}]${after}`;
}
