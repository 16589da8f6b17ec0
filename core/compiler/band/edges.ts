/** Something on one edge of the paper: on the first page, and on all others; null where there is nothing. */
export interface Edge<T> {
  first: T | null;
  other: T | null;
}

/** Headers on top, footers at the bottom. */
export interface Edges<T> {
  top: Edge<T>;
  bottom: Edge<T>;
}

/** Applies `change` once to each band; a band that serves for the first page too stays one. */
export function mapEdges<A extends object, B>(
  edges: Edges<A>,
  change: (band: A) => B,
): Edges<B> {
  const known = new Map<A, B>();
  const once = (band: A | null): B | null => {
    if (band === null) return null;
    const done = known.get(band) ?? change(band);
    known.set(band, done);
    return done;
  };
  const edge = ({ first, other }: Edge<A>): Edge<B> => ({
    first: once(first),
    other: once(other),
  });
  return { top: edge(edges.top), bottom: edge(edges.bottom) };
}

/** Each band once. */
export function bandsOf<T>({ top, bottom }: Edges<T>): T[] {
  const all = [top.first, top.other, bottom.first, bottom.other];
  return [...new Set(all)].filter((band) => band !== null);
}
