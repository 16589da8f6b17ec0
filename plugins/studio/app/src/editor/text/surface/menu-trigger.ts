import { signal } from "@preact/signals";
import type { EditorState, Transaction } from "prosemirror-state";

/** A menu that is open in the text, with what was typed for it. */
export interface OpenMenu {
  /** Where `/` or `{{` stands, and the caret. */
  from: number;
  to: number;
  query: string;
}

const longest = 40;

/** Opens the menu when `/` is typed at a start or after a space, or `{{`, and keeps it with what is typed after. */
export class MenuTrigger {
  readonly open = signal<OpenMenu | null>(null);
  /** What the menu does with a key; true when it was for the menu. */
  onKey: ((event: KeyboardEvent) => boolean) | null = null;
  #begun: number | null = null;

  /** Called before the letters are in the text. */
  typed(state: EditorState, from: number, text: string): void {
    const before = letterBefore(state, from);
    if (text === "/" && /^[\s\uFFFC(]?$/u.test(before)) this.#begun = from;
    if (text === "{" && before === "{") this.#begun = from - 1;
  }

  /** Called after each change, also of the caret alone. */
  follow(tr: Transaction, state: EditorState): void {
    const before = this.open.peek();
    const from = this.#begun ?? (before && tr.mapping.map(before.from, -1));
    this.#begun = null;
    if (from === null) return;
    this.open.value = menuAt(state, from);
  }

  /** Opens it at the caret without anything typed. */
  openAt(place: number): void {
    this.open.value = { from: place, to: place, query: "" };
  }

  keyDown(event: KeyboardEvent): boolean {
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

function menuAt(state: EditorState, from: number): OpenMenu | null {
  const { selection, doc } = state;
  const to = selection.head;
  if (!selection.empty || to <= from || to - from > longest) return null;
  const text = doc.textBetween(from, to, "\n", "\uFFFC");
  const [, query] = /^(?:\/|\{\{)([^\n\uFFFC]*)$/u.exec(text) ?? [];
  return query === undefined ? null : { from, to, query };
}

function letterBefore({ doc }: EditorState, place: number): string {
  return doc.textBetween(Math.max(0, place - 1), place, "\n", "\uFFFC");
}
