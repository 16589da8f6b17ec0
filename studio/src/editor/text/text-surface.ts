import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { baseKeymap } from "prosemirror-commands";
import { keymap } from "prosemirror-keymap";
import { Fragment, type Mark, type Node as DocNode } from "prosemirror-model";
import {
  type Command,
  EditorState,
  NodeSelection,
  type Plugin,
  TextSelection,
  type Transaction,
} from "prosemirror-state";
import { AddMarkStep, RemoveMarkStep } from "prosemirror-transform";
import {
  Decoration,
  DecorationSet,
  type DirectEditorProps,
  EditorView,
  type NodeView,
} from "prosemirror-view";
import type { Text } from "../../../../core/plugin-api/definition.js";
import type { Editor } from "../model/editor.js";
import { getChipLabel } from "./chip.js";
import {
  cleanHtml,
  copyAsTemplate,
  fitSlice,
  parsePastedText,
  parseTypedText,
  type TextFormat,
} from "./paste.js";
import { getConstantStyle, PAGE_NUMBER_LABELS } from "./template.js";
import {
  createDoc,
  createLeaf,
  getMarkStyle,
  getSource,
  textSchema,
  toText,
} from "./text-document.js";
import { toggleInSelection, WordFormat } from "./word-format.js";

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
  readonly moves: ReadonlySignal<number>;
  readonly #moves = signal(0);
  #text: Text;
  #typedAt = 0;
  #isAway = false;
  #comboboxAttributes: Record<string, string> | null = null;

  constructor(
    host: HTMLElement,
    readonly options: SurfaceOptions,
  ) {
    this.moves = this.#moves;
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
    const found =
      at === "end" ? null : this.view.posAtCoords({ left: at.x, top: at.y });
    const position = found?.pos ?? doc.content.size;
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
        plugins: createKeymaps(this),
      }),
      dispatchTransaction: (tr) => this.#dispatch(tr),
      editable: () => editor.mayEdit,
      attributes: (state) => this.#getAttributes(state),
      nodeViews: {
        chip: (node) => new ChipView(node, editor, owner),
        number: createPageNumberView,
      },
      markViews: { link: createLinkView, style: createStyleView },
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
    this.#moves.value = this.#moves.peek() + 1;
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

// The field menu's trigger

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
class MenuTrigger {
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

// Keys

function createKeymaps(surface: TextSurface): Plugin[] {
  const { editor, ...format } = surface.options;
  const { bold, italic, underline, strike } = textSchema.marks;
  const formatting: Record<string, Command> = {
    ...(bold && { "Mod-b": toggleInSelection(bold) }),
    ...(italic && { "Mod-i": toggleInSelection(italic) }),
    ...(underline && { "Mod-u": toggleInSelection(underline) }),
    ...(strike && { "Mod-Shift-x": toggleInSelection(strike) }),
    "Mod-k": run(() => {
      surface.isLinking.value = !surface.view.state.selection.empty;
    }),
    "Alt-F10": run(() =>
      document.querySelector<HTMLElement>(".text-bar-group button")?.focus(),
    ),
  };
  const own = keymap({
    ...(!format.isPlain && formatting),
    "Mod-z": run(() => editor.undo()),
    "Mod-y": run(() => editor.redo()),
    "Mod-Shift-z": run(() => editor.redo()),
    "Mod-a": selectAll,
    Enter: (state, dispatch) =>
      openSelectedChip(surface)(state, dispatch) ||
      addBreak(format)(state, dispatch),
    "Shift-Enter": addBreak(format),
    Backspace: deleteLeaf(-1),
    Delete: deleteLeaf(1),
  });
  return [own, keymap(baseKeymap)];
}

function run(action: () => void): Command {
  return () => {
    action();
    return true;
  };
}

const selectAll: Command = ({ doc, tr }, dispatch) => {
  dispatch?.(tr.setSelection(TextSelection.create(doc, 0, doc.content.size)));
  return true;
};

function openSelectedChip({ openChip }: TextSurface): Command {
  return ({ selection }) => {
    const isChip =
      selection instanceof NodeSelection && selection.node.type.name === "chip";
    if (isChip) openChip.value = selection.from;
    return isChip;
  };
}

/** Does nothing in a field of one line. */
function addBreak({
  isMultiline,
  breakSource,
}: Pick<TextFormat, "isMultiline" | "breakSource">): Command {
  return ({ tr }, dispatch) => {
    if (isMultiline)
      dispatch?.(
        tr
          .replaceSelectionWith(createLeaf("break", breakSource), false)
          .scrollIntoView(),
      );
    return true;
  };
}

/** Deletes a chip next to the caret as if it were one letter. */
function deleteLeaf(direction: -1 | 1): Command {
  return ({ selection, tr }, dispatch) => {
    const { $from, empty } = selection;
    const node = direction < 0 ? $from.nodeBefore : $from.nodeAfter;
    if (!empty || !node?.isLeaf || node.isText) return false;
    const end = $from.pos + direction * node.nodeSize;
    dispatch?.(
      tr
        .delete(Math.min($from.pos, end), Math.max($from.pos, end))
        .scrollIntoView(),
    );
    return true;
  };
}

/**
 * Keys can arrive before the browser reports the selection that an earlier key caused: without this, a key would act at
 * the old position.
 */
function syncSelectionFromDom(view: EditorView): void {
  const { selection, doc, tr } = view.state;
  const shown = view.dom.ownerDocument.getSelection();
  if (!shown) return;
  const toPosition = (node: Node | null, offset: number) => {
    if (!node || !view.dom.contains(node)) return null;
    const position = view.posAtDOM(node, offset);
    return position <= doc.content.size ? position : null;
  };
  const anchor = toPosition(shown.anchorNode, shown.anchorOffset);
  const head = toPosition(shown.focusNode, shown.focusOffset);
  if (anchor === null || head === null) return;
  if (anchor === selection.anchor && head === selection.head) return;
  view.dispatch(tr.setSelection(TextSelection.create(doc, anchor, head)));
}

// DOM events

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

// Node views and mark views

/** Its label follows the name of its field. */
class ChipView implements NodeView {
  readonly dom = document.createElement("span");
  readonly #source: string;
  readonly #stop: () => void;

  constructor(node: DocNode, editor: Editor, owner: string | null) {
    this.#source = getSource(node.attrs);
    this.dom.className = "chip";
    this.dom.title = this.#source;
    this.#stop = effect(() => {
      const { label, isFormula } = getChipLabel(editor, owner, this.#source);
      this.dom.textContent = label;
      this.dom.classList.toggle("formula", isFormula);
    });
  }

  update(node: DocNode): boolean {
    return node.type.name === "chip" && getSource(node.attrs) === this.#source;
  }

  ignoreMutation(): boolean {
    return true;
  }

  destroy(): void {
    this.#stop();
  }
}

function createPageNumberView(node: DocNode): NodeView {
  const dom = document.createElement("span");
  dom.className = "chip";
  const isTotal = getSource(node.attrs) === "pages";
  dom.textContent = PAGE_NUMBER_LABELS[isTotal ? "pages" : "page"];
  return { dom, ignoreMutation: () => true };
}

/** Has no `href`, so that a click does not open the link. */
function createLinkView(mark: Mark) {
  const dom = document.createElement("a");
  dom.title = String(mark.attrs["href"]);
  return { dom };
}

function createStyleView(mark: Mark) {
  const dom = document.createElement("span");
  for (const [name, value] of Object.entries(
    getConstantStyle(getMarkStyle(mark)),
  ))
    dom.style.setProperty(name, value);
  return { dom };
}
