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
