import { signal } from "@preact/signals";
import { Fragment, type Node as DocNode } from "prosemirror-model";
import {
  EditorState,
  NodeSelection,
  TextSelection,
  type Transaction,
} from "prosemirror-state";
import { AddMarkStep, RemoveMarkStep } from "prosemirror-transform";
import {
  Decoration,
  DecorationSet,
  type DirectEditorProps,
  EditorView,
} from "prosemirror-view";
import type { Text } from "../../../../core/plugin-api/definition.js";
import type { Editor } from "../model/editor.js";
import {
  cleanHtml,
  copyAsTemplate,
  fitSlice,
  parsePastedText,
  parseTypedText,
  type TextFormat,
} from "./paste.js";
import { createDoc, createLeaf, toText } from "./text-document.js";
import { WordFormat } from "./word-format.js";
import { MenuTrigger } from "./menu-trigger.js";
import { createKeymaps, syncSelectionFromDom } from "./text-keys.js";
import { createNodeViews } from "./node-views.js";

export interface SurfaceOptions extends TextFormat {
  editor: Editor;
  /** The component that the text belongs to; null for a text of the page. */
  owner: string | null;
  text: Text;
  /** Called on each change. `isTyping` is true while changes can be joined into one undo step. */
  onWrite: (text: Text, isTyping: boolean) => void;
  /** Called when the focus moves elsewhere or Escape is pressed. */
  onLeave: (how: "blur" | "escape") => void;
  /** ARIA attributes of the text box. */
  attributes: Record<string, string>;
}

/** A point of the window, in CSS px. */
export interface Point {
  x: number;
  y: number;
}

/** Shortcuts of the page, such as saving and printing. All other keys are the text's own. */
const PAGE_SHORTCUT = /^[sp]$/i;

/** After a pause this long, typing starts a new undo step. */
const PAUSE_MS = 4000;

/**
 * A ProseMirror view of one text of the definition.
 *
 * A change goes from a transaction to `#dispatch`, which converts the document to a `Text` and passes it to `onWrite`;
 * `sync` goes the other way when the definition changed elsewhere. There is no history plugin: undo is the editor's.
 */
export class TextSurface {
  readonly view: EditorView;
  /** Of the selected words. */
  readonly format: WordFormat;
  readonly trigger = new MenuTrigger();
  /** The position of the chip whose settings are open. */
  readonly openChip = signal<number | null>(null);
  readonly isLinking = signal(false);
  /** Counts transactions, so that components can follow the view's state. */
  readonly moves = signal(0);
  #text: Text;
  #typedAt = 0;
  #isAway = false;
  #comboboxAttributes: Record<string, string> | null = null;

  constructor(
    host: HTMLElement,
    readonly options: SurfaceOptions,
  ) {
    this.#text = options.text;
    this.view = new EditorView({ mount: host }, this.#createProps(options));
    this.format = new WordFormat(this.view);
  }

  /** Updates the document from the definition, unless the text was typed here. */
  sync(text: Text): void {
    if (text === this.#text) return;
    this.#text = text;
    const { doc, tr } = this.view.state;
    const next = createDoc(text);
    const start = doc.content.findDiffStart(next.content);
    const end = doc.content.findDiffEnd(next.content);
    if (start === null || !end) return;
    const overlap = Math.max(0, start - Math.min(end.a, end.b));
    const slice = next.slice(start, end.b + overlap);
    tr.replace(start, end.a + overlap, slice);
    this.view.dispatch(tr.setMeta("isOutside", true));
  }

  /** Takes the focus, and moves the caret to a point of the window or to the end. */
  focus(at: Point | "end"): void {
    const { doc, tr } = this.view.state;
    const hit =
      at === "end" ? null : this.view.posAtCoords({ left: at.x, top: at.y });
    const position = hit?.pos ?? doc.content.size;
    this.view.dispatch(tr.setSelection(TextSelection.create(doc, position)));
    this.view.focus();
  }

  /** ARIA attributes while a menu is open; null when it is closed. */
  setComboboxAttributes(attributes: Record<string, string> | null): void {
    const isSame =
      JSON.stringify(attributes) === JSON.stringify(this.#comboboxAttributes);
    this.#comboboxAttributes = attributes;
    // ProseMirror updates the attributes when its props are set.
    if (!isSame && !this.view.isDestroyed) this.view.setProps({});
  }

  /** Replaces a range with a leaf that has the marks around it, as an undo step of its own. */
  insertLeaf(
    kind: "chip" | "number",
    source: string,
    from: number,
    to: number,
  ): void {
    const { tr, doc } = this.view.state;
    const marks = this.options.isPlain ? [] : doc.resolve(from).marks();
    const node = createLeaf(kind, source, marks);
    tr.replaceWith(from, to, node);
    tr.setSelection(TextSelection.create(tr.doc, from + node.nodeSize));
    this.view.dispatch(tr.setMeta("isStep", true).scrollIntoView());
    this.view.focus();
  }

  /** Deletes the menu's search text; the menu stays open. */
  clearQuery(): void {
    const open = this.trigger.open.peek();
    if (!open || open.query === "") return;
    const { tr } = this.view.state;
    this.view.dispatch(tr.delete(open.to - open.query.length, open.to));
  }

  /** Changes the source of the chip at a position; its settings stay open. */
  setChip(position: number, source: string): void {
    const { tr, doc } = this.view.state;
    const node = doc.nodeAt(position);
    if (node?.type.name !== "chip") return;
    const next = createLeaf("chip", source, node.marks);
    tr.replaceWith(position, position + node.nodeSize, Fragment.from(next));
    tr.setSelection(NodeSelection.create(tr.doc, position));
    this.view.dispatch(tr.setMeta("keepsChip", true));
  }

  removeChip(position: number): void {
    const { tr } = this.view.state;
    this.openChip.value = null;
    this.view.dispatch(
      tr.delete(position, position + 1).setMeta("isStep", true),
    );
    this.view.focus();
  }

  destroy(): void {
    this.view.destroy();
  }

  #createProps(options: SurfaceOptions): DirectEditorProps {
    const { editor, owner, text } = options;
    return {
      state: EditorState.create({
        doc: createDoc(text),
        plugins: createKeymaps(options, this),
      }),
      dispatchTransaction: (tr) => this.#dispatch(tr),
      editable: () => editor.mayEdit,
      attributes: (state) => this.#getAttributes(state),
      ...createNodeViews(editor, owner),
      handleTextInput: (view, from, _to, typed) => {
        this.trigger.handleInput(view.state, from, typed);
        return false;
      },
      handleKeyDown: (_view, event) => this.#handleKeyDown(event),
      handleClickOn: (_view, _pos, node, position, event) =>
        this.#handleClick(node, position, event),
      handleDOMEvents: createEventHandlers(this),
      decorations: (state) => this.#highlightSelection(state),
      transformPastedHTML: cleanHtml,
      transformPasted: (slice) => fitSlice(slice, options),
      clipboardTextParser: (pasted) => parsePastedText(pasted, options),
      clipboardTextSerializer: copyAsTemplate,
    };
  }

  #dispatch(tr: Transaction): void {
    const { view } = this;
    if (view.isDestroyed) return;
    const applied = view.state.apply(tr);
    const parsed =
      tr.docChanged && !view.composing
        ? parseTypedText(applied, this.options)
        : null;
    const state = parsed ? applied.apply(parsed) : applied;
    view.updateState(state);
    if (tr.docChanged && tr.getMeta("isOutside") !== true) this.#write(tr);
    else if (tr.selectionSet && !tr.docChanged) this.options.editor.endThread();
    this.trigger.update(tr, state);
    const chip = this.openChip.peek();
    if (chip !== null && tr.docChanged)
      this.openChip.value = tr.getMeta("keepsChip") === true ? chip : null;
    const { selection } = state;
    if (selection.empty) this.isLinking.value = false;
    this.moves.value = this.moves.peek() + 1;
  }

  #write(tr: Transaction): void {
    const { editor, onWrite } = this.options;
    const isStep = isOwnStep(tr);
    const isPause = tr.time - this.#typedAt > PAUSE_MS;
    if (isStep || isPause) editor.endThread();
    this.#typedAt = isStep ? 0 : tr.time;
    this.#text = toText(this.view.state.doc, this.#text);
    onWrite(this.#text, !isStep);
  }

  #getAttributes({ doc }: EditorState): Record<string, string> {
    const { isMultiline, attributes } = this.options;
    const textbox = { role: "textbox", "aria-multiline": String(isMultiline) };
    return {
      ...attributes,
      ...(this.#comboboxAttributes ?? textbox),
      "data-empty": String(doc.content.size === 0),
    };
  }

  /** Browsers hide the selection of a text while a field of the text bar has the focus. */
  #highlightSelection({ doc, selection }: EditorState): DecorationSet | null {
    if (!this.#isAway || selection.empty) return null;
    const { from, to } = selection;
    const highlight = Decoration.inline(from, to, { class: "text-selected" });
    return DecorationSet.create(doc, [highlight]);
  }

  /** Called when the focus moves to an overlay or the text bar, or back. */
  setAway(isAway: boolean): void {
    if (this.#isAway === isAway) return;
    this.#isAway = isAway;
    this.view.setProps({});
  }

  #handleKeyDown(event: KeyboardEvent): boolean {
    if (this.view.composing) return false;
    syncSelectionFromDom(this.view);
    if (this.trigger.handleKeyDown(event)) return true;
    if (event.key !== "Escape") return false;
    this.options.onLeave("escape");
    return true;
  }

  #handleClick(node: DocNode, position: number, event: MouseEvent): boolean {
    if (node.type.name !== "chip" || event.button !== 0) return false;
    const { tr, doc } = this.view.state;
    this.view.dispatch(tr.setSelection(NodeSelection.create(doc, position)));
    this.openChip.value = position;
    return true;
  }
}

/** Pasting, cutting, dropping, marks and insertions from a menu are undone separately from typing. */
function isOwnStep(tr: Transaction): boolean {
  if (tr.getMeta("isStep") === true) return true;
  if (tr.getMeta("uiEvent") !== undefined) return true;
  return tr.steps.every(
    (step) => step instanceof AddMarkStep || step instanceof RemoveMarkStep,
  );
}

function stop(_view: EditorView, event: Event): boolean {
  event.stopPropagation();
  return false;
}

/** Keeps events from the editor around the text, and reports when the focus leaves. */
function createEventHandlers(surface: TextSurface) {
  return {
    keydown: (_view: EditorView, event: KeyboardEvent) => {
      const isForPage =
        (event.ctrlKey || event.metaKey) && PAGE_SHORTCUT.test(event.key);
      if (!isForPage) event.stopPropagation();
      return false;
    },
    pointerdown: stop,
    mousedown: stop,
    dblclick: stop,
    copy: stop,
    cut: stop,
    paste: stop,
    dragstart: stop,
    drop: stop,
    // Undo from the browser's menu.
    beforeinput: (_view: EditorView, event: InputEvent) => {
      const { editor } = surface.options;
      if (!event.inputType.startsWith("history")) return false;
      event.preventDefault();
      if (event.inputType === "historyUndo") editor.undo();
      else editor.redo();
      return true;
    },
    focus: () => {
      surface.setAway(false);
      return false;
    },
    blur: (_view: EditorView, { relatedTarget }: FocusEvent) => {
      const isOverlay =
        relatedTarget instanceof Element &&
        relatedTarget.closest("[data-text-overlay]");
      if (isOverlay) surface.setAway(true);
      // When the window loses the focus, the text keeps it.
      if (isOverlay || !document.hasFocus()) return false;
      surface.trigger.close();
      surface.options.onLeave("blur");
      return false;
    },
  };
}
