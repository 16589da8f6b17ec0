import { renameKey } from "../../definition/guide/apply-fixes.js";

// What an assistant that writes from memory gets wrong: words that are nearly right.

type Json = Record<string, unknown>;

/** Makes its mistake in the node, if the node has a place for it. */
type Mistake = (node: Json) => boolean;

const mistakes: readonly Mistake[] = [
  misspelt("type"),
  misspelt("align"),
  misspelt("class"),
  renamed("style"),
  renamed("text"),
  renamedWithin("style"),
  replacedIn("text", /(?<=\|\s*)\w{4,}/),
  replacedIn("text", /\b(?:SUM|COUNT)(?=\()/),
  misspeltWithin("collection", "path"),
];

/** Of each kind, so that most nodes stay as they are. */
const mostOfEachKind = 3;

/** A copy of the definition with mistakes all over its components, and how many they are. */
export function mistaken<T extends object>(definition: T): [T, number] {
  const copy = structuredClone(definition);
  // The sample may say anything.
  const parts = Object.entries(copy).filter(([part]) => part !== "sample");
  const sound = new Set(
    parts
      .flatMap(([, part]) => objectsIn(part))
      .filter(({ type }) => typeof type === "string"),
  );
  let count = 0;
  for (const mistake of mistakes) {
    const made = [...sound].filter(upTo(mostOfEachKind, mistake));
    for (const node of made) sound.delete(node);
    count += made.length;
  }
  return [copy, count];
}

function upTo(most: number, mistake: Mistake): Mistake {
  let made = 0;
  return (node) => {
    if (made >= most || !mistake(node)) return false;
    made += 1;
    return true;
  };
}

function misspelt(key: string): Mistake {
  return (node) => {
    const value = node[key];
    if (typeof value !== "string" || value.length < 4) return false;
    node[key] = swapped(value);
    return true;
  };
}

function renamed(key: string): Mistake {
  return (node) => {
    if (!(key in node)) return false;
    renameKey(node, key, swapped(key));
    return true;
  };
}

function replacedIn(key: string, word: RegExp): Mistake {
  return (node) => {
    const value = node[key];
    if (typeof value !== "string" || !word.test(value)) return false;
    node[key] = value.replace(word, swapped);
    return true;
  };
}

function renamedWithin(key: string): Mistake {
  return (node) => {
    const [within] = objectsIn(node[key]);
    const [name] = Object.keys(within ?? {});
    return within !== undefined && name !== undefined && renamed(name)(within);
  };
}

function misspeltWithin(key: string, inner: string): Mistake {
  return (node) => {
    const [within] = objectsIn(node[key]);
    return within !== undefined && misspelt(inner)(within);
  };
}

/** Its second and third letter change places. */
function swapped(word: string): string {
  return word.replace(/^(.)(.)(.)/, "$1$3$2");
}

/** The object itself and all within it. */
function objectsIn(value: unknown): Json[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  // Neither null nor a list.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Array.isArray(value) ? inner : [value as Json, ...inner];
}
