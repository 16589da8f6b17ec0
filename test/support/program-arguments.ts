/** A program of the service, by the path of its source without the ending. */
export type ProgramPath = "core/cli/main";

/**
 * What Node runs for it: the built program within `npm test`, which has built it just before and starts it in half the
 * time; the source otherwise, which may be newer than what is built.
 */
export function programArguments(path: ProgramPath): string[] {
  return process.env.PLATEN_TEST_BUILT === "1"
    ? ["--enable-source-maps", `dist/${path}.js`]
    : ["--import", "tsx", `${path}.ts`];
}

/** What Node runs for a program of the tests' own that lies beside this file: compiled, when this file is. */
export function partArguments(name: string): string[] {
  const ending = import.meta.url.slice(-3);
  const { pathname } = new URL(name + ending, import.meta.url);
  return ending === ".ts" ? ["--import", "tsx", pathname] : [pathname];
}
