import type { Scope } from "../../definition/expressions/index.js";

/** Characters of JSON that are told in all: the same large element may be the first of thousands of repeats. */
const mostCharacters = 4 * 1024 * 1024;

/** The first elements of repeats, as long as all of them together are not too much to hand over. */
export class FirstElements {
  #left = mostCharacters;
  readonly #sizes = new WeakMap<object, number>();

  /** A group as `{ key, items }`; null once it would be too much. */
  of({ item, group }: Scope): unknown {
    if (this.#left <= 0) return null;
    this.#left -= this.#sizeOf(item);
    if (this.#left < 0) return null;
    return group ? { key: group.key, items: group.items } : item;
  }

  #sizeOf(item: unknown): number {
    if (typeof item !== "object" || item === null)
      return String(item).length + 2;
    const known = this.#sizes.get(item);
    if (known !== undefined) return known;
    const size = JSON.stringify(item).length;
    this.#sizes.set(item, size);
    return size;
  }
}
