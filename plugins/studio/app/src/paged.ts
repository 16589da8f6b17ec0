import { useState } from "preact/hooks";
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
 */
export function usePaged<T>(
  key: string,
  readPage: (page: number) => Promise<ListPage<T>>,
): Paged<T> {
  const [wanted, setWanted] = useState({ key, pages: 1 });
  // Another list begins anew.
  const pages = wanted.key === key ? wanted.pages : 1;
  const list = useResource(`${pages} ${key}`, async () => {
    const numbers = Array.from({ length: pages }, (_, index) => index + 1);
    const answers = await Promise.all(numbers.map(readPage));
    return {
      data: answers.flatMap(({ data }) => data),
      total: answers[0]?.total ?? 0,
    };
  });
  return { ...list, showMore: () => setWanted({ key, pages: pages + 1 }) };
}
