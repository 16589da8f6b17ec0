/** Where an atom of a piece begins: on which page, and how far below the page's upper margin, in CSS px. */
export interface Place {
  atom: number;
  page: number;
  topPx: number;
}

const PAGE_OBJECT = /\n(\d+) 0 obj\n<<\/Type \/Page\n/g;
const PAPER = /\/MediaBox \[0 0 \S+ ([\d.]+)\]/;
const POINTS_TO_PX = 96 / 72;

/**
 * Reads from a PDF of Chromium's where its atoms are: it notes the places of all elements that a link leads to.
 * @param names what the names of atoms begin with; their numbers follow
 */
export function piecePlaces(pdf: Buffer, names: string): Place[] {
  const text = pdf.toString("latin1");
  const height = Number(PAPER.exec(text)?.[1]);
  const pages = new Map<string, number>();
  for (const [, id = ""] of text.matchAll(PAGE_OBJECT))
    pages.set(id, pages.size);
  const place = new RegExp(
    `/${names}(\\d+) \\[(\\d+) 0 R /XYZ \\S+ (\\S+) `,
    "g",
  );
  const places = Array.from(
    text.matchAll(place),
    ([, atom, page = "", y]): Place => ({
      atom: Number(atom),
      page: pages.get(page) ?? -1,
      topPx: (height - Number(y)) * POINTS_TO_PX,
    }),
  );
  return places.toSorted((a, b) => a.atom - b.atom);
}
