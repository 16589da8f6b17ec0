import { useRef, useState } from "preact/hooks";
import { wordsOf } from "./api.js";

export interface Action {
  isBusy: boolean;
  /** Why it failed the last time. */
  fault: string | null;
  run: () => Promise<void>;
}

/** Something that a person starts, and that may fail. Never twice at a time. */
export function useAction(act: () => Promise<void>): Action {
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const [fault, setFault] = useState<string | null>(null);
  const run = async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setFault(null);
    try {
      await act();
    } catch (error) {
      setFault(wordsOf(error));
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { isBusy, fault, run };
}
