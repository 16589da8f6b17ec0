import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { SampleRow } from "../../../../core/compiler/views.js";
import type { Editor } from "../model/editor.js";

/** Which print of a component is drawn: the one that is edited, or a copy of it in a further row or on a further page. */
export interface SampleScope {
  /** What a further row prints; null outside of further rows. */
  row: SampleRow | null;
  /** Whether a component is drawn elsewhere to be edited. A click on a copy selects it. */
  isCopy: boolean;
  /** Of a header or footer: the number of its page, and of all pages. */
  page: number;
  pages: number;
}

/** What is edited, outside of headers and footers. */
export const editedScope: SampleScope = {
  row: null,
  isCopy: false,
  page: 1,
  pages: 1,
};

const SampleScopeContext = createContext(editedScope);

export const SampleScopeProvider = SampleScopeContext.Provider;

export function useSampleScope(): SampleScope {
  return useContext(SampleScopeContext);
}

/** What the scope prints, as the service evaluated it; null before its first response. Subscribes to the editor's facts outside of rows. */
export function getPrinted(
  { row }: SampleScope,
  { facts }: Editor,
): SampleRow | null {
  return row ?? facts.value;
}
