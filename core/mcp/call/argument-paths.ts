import type { Problem } from "../../plugin-api/index.js";

/**
 * Problems as a tool tells them. The rooms call the caller's order `$`, and so does a definition call itself: here `$`
 * leads into the definition alone, and an argument stands by its name.
 * @param names the tool's arguments; none is called as a part of a definition is.
 */
export function argumentPaths(
  problems: readonly Problem[],
  names: readonly string[],
): Problem[] {
  return problems.map((problem) => {
    const [, key] = /^\$\.(\w+)/.exec(problem.path) ?? [];
    const isArgument = key !== undefined && names.includes(key);
    return isArgument ? { ...problem, path: problem.path.slice(2) } : problem;
  });
}
