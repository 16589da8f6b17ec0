import type { MenuItem } from "./menu-items.js";

/** The items that have every word of a search, in any order; letters with and without accents are alike. */
export function matching(
  items: readonly MenuItem[],
  query: string,
): MenuItem[] {
  const words = folded(query)
    .split(/[\s.›]+/)
    .filter(Boolean);
  if (words.length === 0) return [...items];
  const found = items.filter(({ label, group, also }) => {
    const text = folded(`${label} ${group} ${also}`);
    return words.every((word) => text.includes(word));
  });
  const [first = ""] = words;
  const begins = ({ label }: MenuItem) => folded(label).startsWith(first);
  return [...found.filter(begins), ...found.filter((one) => !begins(one))];
}

function folded(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
