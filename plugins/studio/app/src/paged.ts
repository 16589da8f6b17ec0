import { useEffect, useState } from "preact/hooks";
import { type Resource, useResource } from "./resource.js";

export interface ListPage<T> {
  data: T[];
  total: number;
}

export interface Paged<T> extends Resource<ListPage<T>> {
  showMore: () => void;
}

/**
 * A list of which more is shown on request: what is shown stays in its place while more comes.
 * @param readPage has to mean the same for the same key; pages count from 1.
 * @param ground as that of `useResource`.
 */
export function usePaged<T extends { id: string }>(
  key: string,
  readPage: (page: number) => Promise<ListPage<T>>,
  ground?: string,
): Paged<T> {
  const [wanted, setWanted] = useState({ key, pages: 1 });
  // Another list begins anew.
  const pages = wanted.key === key ? wanted.pages : 1;
  const load = async () => {
    const numbers = Array.from({ length: pages }, (_, index) => index + 1);
    return joined(await Promise.all(numbers.map(readPage)));
  };
  const list = useResource(key, load, ground);
  const { reload } = list;
  useEffect(() => {
    if (wanted.pages > 1) void reload();
  }, [wanted, reload]);
  return { ...list, showMore: () => setWanted({ key, pages: pages + 1 }) };
}

/** A list as far as it says something: for a while that of another question, but not that this was empty. */
export function listShown<L extends { total: number }>({
  data,
  isCurrent,
}: Pick<Resource<L>, "data" | "isCurrent">): L | null {
  return data && (isCurrent || data.total > 0) ? data : null;
}

/** An entry that moved to the next page between two answers is in both. */
function joined<T extends { id: string }>(
  pages: readonly ListPage<T>[],
): ListPage<T> {
  const entries = pages.flatMap(({ data }) => data);
  return {
    data: [...new Map(entries.map((one) => [one.id, one])).values()],
    total: pages[0]?.total ?? 0,
  };
}
