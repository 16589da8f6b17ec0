import type { RefObject } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { wordsOf } from "./api.js";

export interface Resource<T> {
  /** The last that was read: it stays while newer is fetched, so that nothing flickers. */
  data: T | null;
  /** Whether `data` was read for the key of now. If not, it says nothing about what is asked for: that is on its way. */
  isCurrent: boolean;
  /** Why it could not be read. */
  fault: string | null;
  reload: () => Promise<void>;
}

interface Asked<T> {
  key: string;
  ground: string;
  load: () => Promise<T>;
}

interface State<T> extends Omit<Asked<T>, "load"> {
  data: T | null;
  fault: string | null;
}

/**
 * Something of the service, read anew whenever `key` changes. An answer is dropped that comes after a later one, or for
 * a key that was left.
 * @param load has to mean the same for the same key.
 * @param ground what the data is of: that of another is not shown even for a while. Default: it may be.
 */
export function useResource<T>(
  key: string,
  load: () => Promise<T>,
  ground = "",
): Resource<T> {
  const [state, setState] = useState<State<T>>({
    key,
    ground,
    data: null,
    fault: null,
  });
  const asked = useRef<Asked<T>>({ key, ground, load });
  asked.current = { key, ground, load };
  const reload = useReload(asked, setState);
  useEffect(() => {
    void reload();
  }, [key, ground, reload]);
  const isOfKey = isSame(state, asked.current);
  return {
    data: state.ground === ground ? state.data : null,
    isCurrent: isOfKey && state.data !== null,
    fault: isOfKey ? state.fault : null,
    reload,
  };
}

function useReload<T>(
  asked: RefObject<Asked<T>>,
  setState: (change: (before: State<T>) => State<T>) => void,
): () => Promise<void> {
  const turns = useRef({ asked: 0, answered: 0 });
  useEffect(
    () => () => {
      turns.current.answered = Infinity;
    },
    [],
  );
  return useCallback(async () => {
    const turn = ++turns.current.asked;
    const { key, ground, load } = asked.current;
    const answer = await read(load);
    if (
      turn < turns.current.answered ||
      !isSame(asked.current, { key, ground })
    )
      return;
    turns.current.answered = turn;
    setState((before) => ({
      key,
      ground,
      // What could not be read again is as it was.
      data: isSame(before, { key, ground }) ? before.data : null,
      ...answer,
    }));
  }, [asked, setState]);
}

async function read<T>(
  load: () => Promise<T>,
): Promise<{ data: T; fault: null } | { fault: string }> {
  try {
    return { data: await load(), fault: null };
  } catch (error) {
    return { fault: wordsOf(error) };
  }
}

type Place = Pick<State<unknown>, "key" | "ground">;

function isSame(one: Place, other: Place): boolean {
  return one.key === other.key && one.ground === other.ground;
}

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

const refreshMs = 4000;

/**
 * Reads again and again while the page is in sight, as long as something may still change; never while an answer is
 * still awaited.
 * @param everyMs default: every few seconds.
 */
export function useLive(
  reload: () => Promise<void>,
  isOpen = true,
  everyMs = refreshMs,
): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    let isReading = false;
    const read = async () => {
      if (isReading || document.hidden) return;
      isReading = true;
      await reload();
      isReading = false;
    };
    const timer = setInterval(() => void read(), everyMs);
    return () => clearInterval(timer);
  }, [reload, isOpen, everyMs]);
}
