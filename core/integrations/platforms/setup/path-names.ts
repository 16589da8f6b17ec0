/** Names for paths, made of what people call things: `Order No.` is `orderNo`. Each is given once. */
export class PathNames {
  private readonly given = new Set<string>();

  constructor(taken: readonly string[] = []) {
    for (const name of taken) this.given.add(name);
  }

  /** @param fallback for what has no letters at all. */
  give(title: string, fallback: string): string {
    const base = camelCase(title) || fallback;
    let name = base;
    for (let at = 2; this.given.has(name); at += 1) name = `${base}${at}`;
    this.given.add(name);
    return name;
  }
}

function camelCase(title: string): string {
  const words = title
    .normalize("NFC")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "");
  const joined = words
    .map((word, at) => (at === 0 ? lowered(word) : raised(word)))
    .join("");
  return /^\p{N}/u.test(joined) ? `n${joined}` : joined;
}

/** `PDF` as a whole, of `Name` the first letter. */
function lowered(word: string): string {
  return word === word.toUpperCase()
    ? word.toLowerCase()
    : word.charAt(0).toLowerCase() + word.slice(1);
}

function raised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
