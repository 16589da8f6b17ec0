import { toggleMark } from "prosemirror-commands";
import type { Mark, MarkType } from "prosemirror-model";
import type { Command, Transaction } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import type {
  SimpleMark,
  StyleProperty,
} from "../../../../core/plugin-api/definition.js";
import { getMarkStyle, textSchema } from "./text-document.js";

/** The format of the words that are selected in a text. Each change is an undo step of its own. */
export class WordFormat {
  constructor(private readonly view: EditorView) {}

  /** Whether words are selected, and not only a caret set. */
  get hasWords(): boolean {
    return !this.view.state.selection.empty;
  }

  /** The elements that show the selected words. */
  findElements(): Element[] {
    const { view } = this;
    const { from, to } = view.state.selection;
    const elements = new Set<Element>();
    view.state.doc.nodesBetween(from, to, (_node, position) => {
      const dom = view.nodeDOM(position);
      const element = dom instanceof Element ? dom : dom?.parentElement;
      if (element) elements.add(element);
    });
    return [...elements];
  }

  /** Whether all selected words have a mark. */
  isMarked(name: SimpleMark): boolean {
    const { doc, selection } = this.view.state;
    const { from, to } = selection;
    let isAll = to > from;
    doc.nodesBetween(from, to, (node) => {
      if (node.isInline && !getMarkType(name).isInSet(node.marks))
        isAll = false;
    });
    return isAll;
  }

  /** Whether the next typed letter gets a mark. */
  isStored(name: SimpleMark): boolean {
    const { storedMarks, selection } = this.view.state;
    const marks = storedMarks ?? selection.$from.marks();
    return getMarkType(name).isInSet(marks) !== undefined;
  }

  /** Marks the selected words, or removes the mark if all of them have it. */
  toggle(name: SimpleMark): void {
    const { view } = this;
    toggleInSelection(getMarkType(name))(view.state, view.dispatch);
  }

  /** Changes whether the next typed letter gets a mark. */
  toggleStored(name: SimpleMark): void {
    const { view } = this;
    toggleMark(getMarkType(name))(view.state, view.dispatch);
  }

  /** The `href` of the first selected link. */
  getLink(): string | null {
    const mark = this.#findFirstMark("link");
    return mark ? String(mark.attrs["href"]) : null;
  }

  /** Null removes the links. */
  setLink(href: string | null): void {
    this.#dispatchStep((tr) => {
      const { from, to } = tr.selection;
      tr.removeMark(from, to, getMarkType("link"));
      if (href) tr.addMark(from, to, getMarkType("link").create({ href }));
    });
  }

  /** A property as the first style in the selection has it. */
  getStyle(name: StyleProperty): string | undefined {
    const mark = this.#findFirstMark("style");
    return mark ? getMarkStyle(mark)[name] : undefined;
  }

  /** Undefined removes the property. */
  setStyle(name: StyleProperty, value: string | undefined): void {
    this.#dispatchStep((tr) => {
      const { from, to } = tr.selection;
      if (name === "font-weight") tr.removeMark(from, to, getMarkType("bold"));
      tr.doc.nodesBetween(from, to, (node, place) => {
        if (!node.isInline) return;
        const start = Math.max(from, place);
        const end = Math.min(to, place + node.nodeSize);
        restyle(tr, start, end, node.marks, name, value);
      });
    });
  }

  /** Removes all marks. */
  clear(): void {
    this.#dispatchStep((tr) =>
      tr.removeMark(tr.selection.from, tr.selection.to),
    );
  }

  /** The box around the selection, in CSS px of the window. */
  getBox(): DOMRect {
    const { view } = this;
    const { from, to } = view.state.selection;
    const start = view.coordsAtPos(from);
    const end = view.coordsAtPos(to, -1);
    const left = Math.min(start.left, end.left);
    const right = Math.max(start.right, end.right);
    const isOneLine = Math.abs(start.top - end.top) < 4;
    const box = view.dom.getBoundingClientRect();
    const x = isOneLine ? left : box.left;
    const width = isOneLine ? right - left : box.width;
    return new DOMRect(x, start.top, width, end.bottom - start.top);
  }

  #findFirstMark(name: "link" | "style"): Mark | null {
    const { doc, selection } = this.view.state;
    let firstMark: Mark | null = null;
    doc.nodesBetween(selection.from, selection.to, (node) => {
      firstMark ??= getMarkType(name).isInSet(node.marks) ?? null;
    });
    return firstMark;
  }

  #dispatchStep(recipe: (tr: Transaction) => void): void {
    const { tr } = this.view.state;
    recipe(tr);
    if (tr.docChanged) this.view.dispatch(tr.setMeta("isStep", true));
  }
}

/** Removes the mark only if the whole selection has it. */
export function toggleInSelection(mark: MarkType): Command {
  return toggleMark(mark, null, { removeWhenPresent: false });
}

function getMarkType(name: SimpleMark | "link" | "style"): MarkType {
  const type = textSchema.marks[name];
  if (!type) throw new Error(`unknown mark ${name}`);
  return type;
}

function restyle(
  tr: Transaction,
  from: number,
  to: number,
  marks: readonly Mark[],
  name: StyleProperty,
  value: string | undefined,
): void {
  const type = getMarkType("style");
  const styleMarks = marks.filter((mark) => mark.type === type);
  // The innermost style with the property, or else the innermost style.
  const holder =
    styleMarks.findLast((mark) => name in getMarkStyle(mark)) ??
    styleMarks.at(-1);
  const { [name]: _before, ...rest } = holder ? getMarkStyle(holder) : {};
  const style = value === undefined ? rest : { ...rest, [name]: value };
  if (holder) tr.removeMark(from, to, holder);
  if (Object.keys(style).length > 0)
    tr.addMark(from, to, type.create({ style }));
}
