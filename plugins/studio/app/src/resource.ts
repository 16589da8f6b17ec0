import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { wordsOf } from "./api.js";

export interface Resource<T> {
  /** The last that was read: it stays while newer is fetched, so that nothing flickers. */
  data: T | null;
  /** Why it could not be read. */
  fault: string | null;
  isLoading: boolean;
  reload: () => Promise<void>;
}

/**
 * Something of the service, read anew whenever `key` changes. An answer that was overtaken by another is dropped.
 * @param load has to mean the same for the same key.
 */
export function useResource<T>(
  key: string,
  load: () => Promise<T>,
): Resource<T> {
  const [state, setState] = useState<Omit<Resource<T>, "reload">>({
    data: null,
    fault: null,
    isLoading: true,
  });
  const latest = useRef(0);
  const current = useRef(load);
  current.current = load;
  const reload = useCallback(async () => {
    const turn = ++latest.current;
    setState((before) => ({ ...before, isLoading: true }));
    try {
      const data = await current.current();
      if (turn === latest.current)
        setState({ data, fault: null, isLoading: false });
    } catch (error) {
      if (turn === latest.current)
        setState((before) => ({
          data: before.data,
          fault: wordsOf(error),
          isLoading: false,
        }));
    }
  }, []);
  useEffect(() => {
    void reload();
    return () => {
      latest.current += 1;
    };
  }, [key, reload]);
  return { ...state, reload };
}
