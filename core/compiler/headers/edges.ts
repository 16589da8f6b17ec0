/** Values for one edge of the page: for the first page and all others; null when there is none. */
export interface Edge<T> {
  first: T | null;
  other: T | null;
}

/** Headers at the top, footers at the bottom. */
export interface Edges<T> {
  top: Edge<T>;
  bottom: Edge<T>;
}

/** Applies `change` once to each header, even if the first page shares it. */
export function mapEdges<A extends object, B>(
  edges: Edges<A>,
  change: (header: A) => B,
): Edges<B> {
  const results = new Map<A, B>();
  const once = (header: A | null): B | null => {
    if (header === null) return null;
    const done = results.get(header) ?? change(header);
    results.set(header, done);
    return done;
  };
  const edge = ({ first, other }: Edge<A>): Edge<B> => ({
    first: once(first),
    other: once(other),
  });
  return { top: edge(edges.top), bottom: edge(edges.bottom) };
}

/** Lists each header once. */
export function listPrograms<T>({ top, bottom }: Edges<T>): T[] {
  const all = [top.first, top.other, bottom.first, bottom.other];
  return [...new Set(all)].filter((header) => header !== null);
}
