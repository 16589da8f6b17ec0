/** The named styles that a `class` lists, in its order. */
export function classNames(list: string | undefined): string[] {
  return list?.split(/\s+/).filter((name) => name !== "") ?? [];
}
