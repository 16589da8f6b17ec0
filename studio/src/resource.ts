import type { RefObject } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { BlueprintCard } from "../../core/templates/views.js";
import { clock } from "../../core/lib/clock.js";
import { ask, askPublic, wordsOf } from "./api.js";
import { liveStream } from "./live.js";
import { language } from "./messages/index.js";

export interface Resource<T> {
  /** The last response; kept while a newer one is loading, so that nothing flickers. */
  data: T | null;
  /** Whether `data` belongs to the current key; if not, it is outdated and new data is loading. */
  isCurrent: boolean;
  /** Why loading failed. */
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
 * Loads data whenever `key` changes. Responses that arrive after a newer one or for an old key are dropped.
 * @param load must depend on the key only.
 * @param ground data of another ground is never shown, not even while loading; by default all keys share one.
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
  const request = useRef<Asked<T>>({ key, ground, load });
  request.current = { key, ground, load };
  const reload = useReload(request, setState);
  useEffect(() => {
    void reload();
  }, [key, ground, reload]);
  const isOfKey = isSame(state, request.current);
  return {
    data: state.ground === ground ? state.data : null,
    isCurrent: isOfKey && state.data !== null,
    fault: isOfKey ? state.fault : null,
    reload,
  };
}

function useReload<T>(
  request: RefObject<Asked<T>>,
  setState: (change: (before: State<T>) => State<T>) => void,
): () => Promise<void> {
  const turns = useRef({ requested: 0, answered: 0 });
  useEffect(
    () => () => {
      turns.current.answered = Infinity;
    },
    [],
  );
  return useCallback(async () => {
    const turn = ++turns.current.requested;
    const { key, ground, load } = request.current;
    const answer = await read(load);
    if (
      turn < turns.current.answered ||
      !isSame(request.current, { key, ground })
    )
      return;
    turns.current.answered = turn;
    setState((before) => ({
      key,
      ground,
      // Keeps the old data when reloading failed.
      data: isSame(before, { key, ground }) ? before.data : null,
      ...answer,
    }));
  }, [request, setState]);
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

function isSame(place: Place, other: Place): boolean {
  return place.key === other.key && place.ground === other.ground;
}

export interface ListPage<T> {
  data: T[];
  total: number;
}

/** Loads a page of a list of the public API. */
export async function askListPage<T>(at: string): Promise<ListPage<T>> {
  const { data, pagination } = await askPublic<{
    data: T[];
    pagination: { total: number };
  }>(at);
  return { data, total: pagination.total };
}

export interface Paged<T> extends Resource<ListPage<T>> {
  showMore: () => void;
}

/**
 * A list that grows page by page; its entries stay while more are loading.
 * @param readPage must depend on the key only; pages start at 1.
 * @param ground as that of `useResource`.
 */
export function usePaged<T extends { id: string }>(
  key: string,
  readPage: (page: number) => Promise<ListPage<T>>,
  ground?: string,
): Paged<T> {
  const [wanted, setWanted] = useState({ key, pages: 1 });
  // Another list starts with one page.
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

/** The list to show: an outdated one while loading, unless it was empty. */
export function listShown<L extends { total: number }>({
  data,
  isCurrent,
}: Pick<Resource<L>, "data" | "isCurrent">): L | null {
  return data && (isCurrent || data.total > 0) ? data : null;
}

/** An entry that moved to the next page between two requests is in both. */
function joined<T extends { id: string }>(
  pages: readonly ListPage<T>[],
): ListPage<T> {
  const entries = pages.flatMap(({ data }) => data);
  return {
    data: [...new Map(entries.map((entry) => [entry.id, entry])).values()],
    total: pages[0]?.total ?? 0,
  };
}

/** A text once nobody has changed it for a moment, for requests that cost something. */
export function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = clock.after(300, () => setSettled(text));
    return () => timer.cancel();
  }, [text]);
  return settled;
}

const refreshMs = 4000;
/** While the stream reports changes; what it does not report is shown late. */
const liveRefreshMs = 60_000;

/**
 * Reloads when a topic changes, as `LiveStream` reports, or regularly while it does not; only while the tab is visible and
 * `isOpen` holds, and never two requests at a time.
 * @param everyMs interval without the stream
 */
export function useLive(
  topic: string,
  reload: () => Promise<void>,
  isOpen = true,
  everyMs = refreshMs,
): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    let isReading = false;
    let isOutdated = false;
    let readAt = clock.now();
    const refresh = async () => {
      isOutdated = true;
      if (isReading || document.hidden) return;
      isReading = true;
      while (isOutdated) {
        isOutdated = false;
        await reload();
      }
      readAt = clock.now();
      isReading = false;
    };
    const unwatch = liveStream.watch(topic, () => void refresh());
    const timer = clock.every(everyMs, () => {
      const waitMs = liveStream.isOpen ? liveRefreshMs : everyMs;
      // Timers are not exact.
      if (clock.now() - readAt >= clock.pause(waitMs) * 0.9) void refresh();
    });
    return () => {
      unwatch();
      timer.cancel();
    };
  }, [topic, reload, isOpen, everyMs]);
}

/** The examples that templates can start from, in the language of the studio. */
export async function loadBlueprints(): Promise<BlueprintCard[]> {
  const answer = await ask<{ blueprints: BlueprintCard[] }>("blueprints");
  return answer.blueprints.map((card) => ({
    ...card,
    ...card.translations[language],
  }));
}
