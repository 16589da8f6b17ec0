import { type ReadonlySignal, signal } from "@preact/signals";
import type { Node } from "prosemirror-model";
import {
  EditorState,
  NodeSelection,
  TextSelection,
  type Transaction,
} from "prosemirror-state";
import { AddMarkStep, RemoveMarkStep } from "prosemirror-transform";
import { type DirectEditorProps, EditorView } from "prosemirror-view";
import type { Text } from "../../../../../../../core/plugin-api/definition.js";
import type { Editor } from "../../model/editor.js";
import { textOf } from "../model/doc-to-text.js";
import { docOf } from "../model/text-to-doc.js";
import { catchUp } from "./catch-up.js";
import { cleanHtml } from "./clean-html.js";
import { MenuTrigger } from "./menu-trigger.js";
import { ChipView, linkView, pageNumberView, styleView } from "./node-views.js";
import { normalized } from "./normalize.js";
import { fitted, plainOf, sliceOf, type TextKind } from "./pasting.js";
import { surfaceEvents } from "./surface-events.js";
import { surfaceKeys } from "./surface-keys.js";

export interface SurfaceOptions extends TextKind {
  editor: Editor;
  /** The component that the text belongs to; null for one of the page. */
  owner: string | null;
  text: Text;
  /** Called with each change. A thread is open while letters follow one another. */
  onWrite: (text: Text, isTyping: boolean) => void;
  /** The focus went elsewhere, or Escape was pressed. */
  onLeave: (how: "blur" | "escape") => void;
  /** For who cannot see it, by the names of ARIA. */
  attributes: Record<string, string>;
}

/** After a pause this long, what is typed is a step of its own. */
const pauseMs = 4000;

/** The place where a text is typed. Its document follows the definition; there is no history but the editor's. */
export class TextSurface {
  readonly view: EditorView;
  readonly trigger = new MenuTrigger();
  /** The place of the variable that is being set. */
  readonly openChip = signal<number | null>(null);
  readonly isLinking = signal(false);
  /** Whether some of the text is selected, which may be given marks. */
  readonly isSelecting = signal(false);
  /** Counts what was done, so that what stands beside the text can follow. */
  readonly moves: ReadonlySignal<number>;
  readonly #moves = signal(0);
  #text: Text;
  #typedAt = 0;
  #described: Record<string, string> = {};

  constructor(
    host: HTMLElement,
    readonly options: SurfaceOptions,
  ) {
    this.moves = this.#moves;
    this.#text = options.text;
    this.view = new EditorView({ mount: host }, this.#props(options));
  }

  /** Shows what the definition has now, when that is not what was typed here. */
  sync(text: Text): void {
    if (text === this.#text) return;
    this.#text = text;
    const { doc, tr } = this.view.state;
    const next = docOf(text);
    const start = doc.content.findDiffStart(next.content);
    const end = doc.content.findDiffEnd(next.content);
    if (start === null || !end) return;
    const overlap = Math.max(0, start - Math.min(end.a, end.b));
    const slice = next.slice(start, end.b + overlap);
    tr.replace(start, end.a + overlap, slice);
    this.view.dispatch(tr.setMeta("isOutside", true));
  }

  focus(point: { x: number; y: number } | null): void {
    const { doc, tr } = this.view.state;
    const found =
      point && this.view.posAtCoords({ left: point.x, top: point.y });
    const place = found?.pos ?? doc.content.size;
    this.view.dispatch(tr.setSelection(TextSelection.create(doc, place)));
    this.view.focus();
  }

  /** Attributes for who cannot see what is open beside it. */
  describe(attributes: Record<string, string>): void {
    const isSame =
      JSON.stringify(attributes) === JSON.stringify(this.#described);
    this.#described = attributes;
    // The view draws its attributes anew when it is given its properties.
    if (!isSame && !this.view.isDestroyed) this.view.setProps({});
  }

  destroy(): void {
    this.view.destroy();
  }

  #props(options: SurfaceOptions): DirectEditorProps {
    const { editor, owner } = options;
    return {
      state: this.#begin(options),
      dispatchTransaction: (tr) => this.#dispatch(tr),
      editable: () => editor.mayEdit,
      attributes: (state) => this.#attributes(state),
      nodeViews: {
        chip: (node) => new ChipView(node, editor, owner),
        number: pageNumberView,
      },
      markViews: { link: linkView, style: styleView },
      handleTextInput: (view, from, _to, text) => {
        this.trigger.typed(view.state, from, text);
        return false;
      },
      handleKeyDown: (_view, event) => this.#keyDown(event),
      handleClickOn: (_view, _pos, node, place, event) =>
        this.#click(node, place, event),
      handleDOMEvents: surfaceEvents(this),
      transformPastedHTML: cleanHtml,
      transformPasted: (slice) => fitted(slice, options),
      clipboardTextParser: (text) => sliceOf(text, options),
      clipboardTextSerializer: plainOf,
    };
  }

  #begin({ editor, text, ...kind }: SurfaceOptions): EditorState {
    const plugins = surfaceKeys(kind, {
      undo: () => editor.undo(),
      redo: () => editor.redo(),
      toTools: () =>
        document.querySelector<HTMLElement>(".bubble button")?.focus(),
      openChip: (place) => {
        this.openChip.value = place;
      },
      openLink: () => {
        this.isLinking.value = !this.view.state.selection.empty;
      },
    });
    return EditorState.create({ doc: docOf(text), plugins });
  }

  #dispatch(tr: Transaction): void {
    const { view } = this;
    if (view.isDestroyed) return;
    const applied = view.state.apply(tr);
    const fixed =
      tr.docChanged && !view.composing
        ? normalized(applied, this.options)
        : null;
    const state = fixed ? applied.apply(fixed) : applied;
    view.updateState(state);
    if (tr.docChanged && tr.getMeta("isOutside") !== true) this.#write(tr);
    else if (tr.selectionSet && !tr.docChanged) this.options.editor.endThread();
    this.trigger.follow(tr, state);
    const place = this.openChip.peek();
    if (place !== null && tr.docChanged)
      this.openChip.value = tr.getMeta("keepsChip") === true ? place : null;
    const { selection } = state;
    const isText = selection instanceof TextSelection && !selection.empty;
    this.isSelecting.value = isText && !this.options.isPlain;
    if (!isText) this.isLinking.value = false;
    this.#moves.value = this.#moves.peek() + 1;
  }

  #write(tr: Transaction): void {
    const { editor, onWrite } = this.options;
    const isStep = isStepOfItsOwn(tr);
    const isPause = tr.time - this.#typedAt > pauseMs;
    if (isStep || isPause) editor.endThread();
    this.#typedAt = isStep ? 0 : tr.time;
    this.#text = textOf(this.view.state.doc, this.#text);
    onWrite(this.#text, !isStep);
  }

  #attributes({ doc }: EditorState): Record<string, string> {
    const isEmpty = doc.content.size === 0;
    const { isMultiline, attributes } = this.options;
    const closed = {
      role: "textbox",
      "aria-multiline": String(isMultiline),
    };
    const isMenu = this.#described["role"] !== undefined;
    return {
      ...attributes,
      ...(isMenu ? this.#described : closed),
      "data-empty": String(isEmpty),
    };
  }

  #keyDown(event: KeyboardEvent): boolean {
    if (this.view.composing) return false;
    catchUp(this.view);
    if (this.trigger.keyDown(event)) return true;
    if (event.key !== "Escape") return false;
    this.options.onLeave("escape");
    return true;
  }

  #click(node: Node, place: number, event: MouseEvent): boolean {
    if (node.type.name !== "chip" || event.button !== 0) return false;
    const { tr, doc } = this.view.state;
    this.view.dispatch(tr.setSelection(NodeSelection.create(doc, place)));
    this.openChip.value = place;
    return true;
  }
}

/** What is no typing: something pasted, cut or dropped, a mark, what a menu put in. */
function isStepOfItsOwn(tr: Transaction): boolean {
  if (tr.getMeta("isStep") === true) return true;
  if (tr.getMeta("uiEvent") !== undefined) return true;
  return tr.steps.every(
    (step) => step instanceof AddMarkStep || step instanceof RemoveMarkStep,
  );
}
