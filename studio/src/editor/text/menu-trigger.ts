import { signal } from "@preact/signals";
import type { EditorState, Transaction } from "prosemirror-state";

interface OpenMenu {
  /** The range from `/` or `{{` to the caret. */
  from: number;
  to: number;
  /** The text typed after the trigger. */
  query: string;
}

const MAX_QUERY_LENGTH = 40;

/**
 * Opens the field menu when `{{` is typed, or `/` at the start of the text or after a space, and updates its query with
 * the text typed after it.
 */
export class MenuTrigger {
  readonly open = signal<OpenMenu | null>(null);
  /** Handles a key while the menu is open; returns true when it did. */
  onKey: ((event: KeyboardEvent) => boolean) | null = null;
  #startedAt: number | null = null;

  /** Called before the typed text is in the document. */
  handleInput({ doc }: EditorState, from: number, text: string): void {
    const before = doc.textBetween(Math.max(0, from - 1), from, "\n", "\uFFFC");
    if (text === "/" && /^[\s\uFFFC(]?$/u.test(before)) this.#startedAt = from;
    if (text === "{" && before === "{") this.#startedAt = from - 1;
  }

  /** Called after each transaction. */
  update(tr: Transaction, state: EditorState): void {
    const before = this.open.peek();
    const from = this.#startedAt ?? (before && tr.mapping.map(before.from, -1));
    this.#startedAt = null;
    if (from !== null) this.open.value = findMenu(state, from);
  }

  handleKeyDown(event: KeyboardEvent): boolean {
    if (!this.open.peek()) return false;
    if (event.key === "Escape") {
      this.close();
      return true;
    }
    return this.onKey?.(event) ?? false;
  }

  close(): void {
    this.open.value = null;
  }
}

function findMenu(
  { selection, doc }: EditorState,
  from: number,
): OpenMenu | null {
  const to = selection.head;
  const isInRange = to > from && to - from <= MAX_QUERY_LENGTH;
  if (!selection.empty || !isInRange) return null;
  const text = doc.textBetween(from, to, "\n", "\uFFFC");
  const [, query] = /^(?:\/|\{\{)([^\n\uFFFC]*)$/u.exec(text) ?? [];
  return query === undefined ? null : { from, to, query };
}
