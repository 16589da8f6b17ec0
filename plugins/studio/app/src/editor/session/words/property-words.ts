const known: Readonly<Record<string, string>> = {
  alt: "Description of the picture",
  class: "Styles",
  collection: "What it repeats for",
  collectionId: "Kind of record",
  columns: "Widths of the columns",
  components: "Contents",
  condition: "When it is shown",
  currency: "Currency",
  data: "List that is drawn",
  else: "What is shown instead",
  email: "Email",
  empty: "What is shown for an empty list",
  fields: "Fields",
  fileName: "File name",
  filter: "Which are shown",
  firstFooter: "Footer of the first page",
  firstHeader: "Header of the first page",
  groupBy: "Grouped by",
  href: "Link",
  keepTogether: "Kept on one page",
  landscape: "Landscape",
  limit: "At most",
  locale: "Language",
  offset: "Left out at the beginning",
  page: "Page",
  path: "Repeats for each of",
  pdf: "PDF",
  place: "Place",
  sample: "Sample data",
  schema: "Data",
  size: "Size",
  sort: "Order",
  src: "Picture",
  style: "Style",
  styles: "Styles",
  submitters: "Signers",
  text: "Text",
  timeZone: "Time zone",
};

/** What the last names of a path are called: `["style", "font-size"]` is "Font size". */
export function propertyWords(path: readonly string[]): string {
  const [first = "", ...others] = path;
  const last = others.at(-1);
  if (last === undefined) return wordsOf(first);
  if (first === "style" || first === "collection") return wordsOf(last);
  return [first, ...others].map(wordsOf).join(" › ");
}

function wordsOf(name: string): string {
  const told = known[name];
  if (told !== undefined) return told;
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("-", " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
