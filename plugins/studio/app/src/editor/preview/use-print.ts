import { useEffect, useState } from "preact/hooks";
import type { DraftPrintOrder } from "../../../../../../core/contract/app-drafts.js";
import { askBytes, wordsOf } from "../../api.js";

const pauseMs = 500;

export interface Print {
  /** The last that was made. */
  file: Blob | null;
  /** Whether another is on its way. */
  isWaiting: boolean;
  /** Why the newest could not be made. */
  fault: string | null;
}

/** Has it printed by the service a moment after it changed; an order that was overtaken is given up. */
export function usePrint(order: DraftPrintOrder): Print {
  const [print, setPrint] = useState<Print>({
    file: null,
    isWaiting: true,
    fault: null,
  });
  const { definition, data, format, widthPx, templateType } = order;
  useEffect(() => {
    const given = new AbortController();
    const make = async () => {
      const body = { templateType, definition, data, format, widthPx };
      try {
        const file = await askBytes("drafts/print", body, given.signal);
        setPrint({ file, isWaiting: false, fault: null });
      } catch (error) {
        if (given.signal.aborted) return;
        const fault = wordsOf(error);
        setPrint(({ file }) => ({ file, isWaiting: false, fault }));
      }
    };
    setPrint(({ file, fault }) => ({ file, isWaiting: true, fault }));
    const timer = setTimeout(() => void make(), pauseMs);
    return () => {
      clearTimeout(timer);
      given.abort();
    };
  }, [definition, data, format, widthPx, templateType]);
  return print;
}
