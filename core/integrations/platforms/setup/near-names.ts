/** Words that mean the same in the names of fields. */
const same: Readonly<Record<string, string>> = {
  no: "number",
  nr: "number",
  num: "number",
  qty: "quantity",
  amt: "amount",
  tel: "phone",
  mail: "email",
  addr: "address",
  desc: "description",
  descr: "description",
  ref: "reference",
};

/** A name of a path as people write it: `orderNumber` is `Order number`. */
export function inWords(name: string): string {
  const words = name
    .replaceAll(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, "$1 ")
    .replaceAll(/[_-]+/g, " ")
    .trim();
  const isSentence = words.includes(" ") && /^\p{Ll}/u.test(words);
  const text = isSentence ? words.toLowerCase() : words;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The words of a name, in lower case and the singular: `Order No.`, `orderNo` and `order_numbers` are the same. */
function wordsIn(name: string): string[] {
  return name
    .replaceAll(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, "$1 ")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => singular(same[word] ?? word));
}

function singular(word: string): string {
  if (word.length < 4 || word.endsWith("ss")) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

/** How near two names are, from 0 to 1; 1 is the same but for case, signs, order and number. */
export function nearness(one: string, other: string): number {
  const [a, b] = [new Set(wordsIn(one)), new Set(wordsIn(other))];
  if (a.size === 0 || b.size === 0) return 0;
  if (squeezed(a) === squeezed(b)) return 1;
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / Math.max(a.size, b.size);
}

function squeezed(words: ReadonlySet<string>): string {
  return [...words].join("");
}
