import { useEffect, useState } from "preact/hooks";
import type { DraftPrintOrder } from "../../../../../../core/plugin-api/app-drafts.js";
import { askBytes, Refusal, wordsOf } from "../../api.js";

const pauseMs = 500;
/** After the service said that there were too many. */
const restMs = 5000;

export interface Print {
  /** The last that was made. */
  file: Blob | null;
  /** Whether another is on its way. */
  isWaiting: boolean;
  /** Why the newest could not be made. */
  fault: PrintTrouble | null;
}

export interface PrintTrouble {
  why: string;
  /** The template has to be mended; else it is tried again, or the service is not well. */
  isOfTemplate: boolean;
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
    let timer: ReturnType<typeof setTimeout> | undefined;
    const make = async () => {
      const body = { templateType, definition, data, format, widthPx };
      try {
        const file = await askBytes("drafts/print", body, given.signal);
        setPrint({ file, isWaiting: false, fault: null });
      } catch (error) {
        if (given.signal.aborted) return;
        const status = error instanceof Refusal ? error.status : 0;
        if (status === 429) later(restMs);
        const fault = { why: wordsOf(error), isOfTemplate: status === 400 };
        setPrint(({ file }) => ({ file, isWaiting: false, fault }));
      }
    };
    const later = (ms: number) => {
      timer = setTimeout(() => void make(), ms);
    };
    setPrint(({ file, fault }) => ({ file, isWaiting: true, fault }));
    later(pauseMs);
    return () => {
      clearTimeout(timer);
      given.abort();
    };
  }, [definition, data, format, widthPx, templateType]);
  return print;
}
