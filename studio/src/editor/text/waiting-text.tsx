import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { render } from "preact";
import type { Text } from "../../../../core/plugin-api/definition.js";
import { t } from "../../messages/index.js";
import { retryUntilDone } from "../../retry.js";
import { toast } from "../../ui/toast.js";
import { EditorProvider } from "../model/editor-context.js";
import type { Editor } from "../model/editor.js";
import type { TextFormat } from "./paste.js";
import { ShowsNames, TextView } from "./text-view.js";

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

/** The ends of a selection as positions in the text: each letter and each variable counts as one. */
export interface TextRange {
  anchor: number;
  head: number;
}

/** What was typed before the text could be edited, and where. */
export type HeldInput =
  | { kind: "select"; range: TextRange }
  | { kind: "text"; text: string }
  | { kind: "key"; event: KeyboardEvent }
  | { kind: "paste"; text: string; html: string };

/** Keys that type nothing and are a text's own, and letters of its shortcuts. */
const HELD_KEYS =
  /^(?:Enter|Backspace|Delete|Home|End|Arrow(?:Left|Right|Up|Down))$/;
const HELD_SHORTCUTS = /^[abikuxyz]$/i;
/** Shortcuts of the page, such as saving and printing. All other keys are the text's own. */
export const PAGE_SHORTCUT = /^[sp]$/i;

/** Shows a text as it is edited, and holds what is typed until the code that edits it is loaded. */
export class WaitingText {
  readonly inputs: HeldInput[] = [];
  readonly isComposing = signal(false);
  /** The selection at the last input. */
  #range: TextRange | null = null;
  readonly #listening = new AbortController();
  #stopLoading: (() => void) | null = null;
  readonly #stop: () => void;

  constructor(
    private readonly host: HTMLElement,
    private readonly options: SurfaceOptions,
    text: ReadonlySignal<Text>,
    private readonly load: () => Promise<boolean>,
  ) {
    const { editor, owner, attributes, isMultiline } = options;
    render(
      <EditorProvider value={editor}>
        <ShowsNames.Provider value>
          <WaitingView text={text} owner={owner} />
        </ShowsNames.Provider>
      </EditorProvider>,
      host,
    );
    const textbox = { role: "textbox", "aria-multiline": String(isMultiline) };
    for (const [name, value] of Object.entries({ ...textbox, ...attributes }))
      host.setAttribute(name, value);
    this.#stop = effect(() => {
      host.contentEditable = String(editor.mayEdit);
      host.dataset["empty"] = String(text.value.length === 0);
    });
    this.#listen();
  }

  get isFocused(): boolean {
    return document.activeElement === this.host;
  }

  /** The selection, if it is in this text. Keys do not move it, since they are held. */
  findRange(): TextRange | null {
    const { anchorNode, anchorOffset, focusNode, focusOffset } =
      document.getSelection() ?? {};
    if (!anchorNode || !focusNode) return null;
    if (!this.host.contains(anchorNode) || !this.host.contains(focusNode))
      return null;
    return {
      anchor: countLetters(this.host, anchorNode, anchorOffset ?? 0),
      head: countLetters(this.host, focusNode, focusOffset ?? 0),
    };
  }

  focus(at: Point | "end"): void {
    this.host.focus({ preventScroll: true });
    const selection = document.getSelection();
    const found =
      at === "end" ? null : document.caretPositionFromPoint(at.x, at.y);
    if (found && this.host.contains(found.offsetNode))
      selection?.collapse(found.offsetNode, found.offset);
    else selection?.selectAllChildren(this.host);
    if (!found) selection?.collapseToEnd();
    this.#load();
  }

  /** Leaves the element empty. */
  end(): void {
    this.#stop();
    this.#stopLoading?.();
    this.#listening.abort();
    render(null, this.host);
    this.host.replaceChildren();
  }

  #listen(): void {
    const { host, options } = this;
    const on = <Type extends keyof HTMLElementEventMap>(
      type: Type,
      handle: (event: HTMLElementEventMap[Type]) => void,
    ) =>
      host.addEventListener(type, handle, { signal: this.#listening.signal });
    for (const type of [
      "pointerdown",
      "mousedown",
      "dblclick",
      "copy",
      "cut",
      "paste",
      "dragstart",
      "drop",
    ] as const)
      on(type, (event) => event.stopPropagation());
    on("pointerenter", () => void this.load());
    on("focus", () => this.#load());
    on("keydown", (event) => this.#handleKey(event));
    on("beforeinput", (event) => this.#handleInput(event));
    on("compositionstart", () => {
      this.isComposing.value = true;
    });
    on("compositionend", ({ data }) => {
      this.#hold({ kind: "text", text: data });
      this.isComposing.value = false;
    });
    on("paste", (event) => {
      event.preventDefault();
      const text = event.clipboardData?.getData("text/plain") ?? "";
      const html = event.clipboardData?.getData("text/html") ?? "";
      this.#hold({ kind: "paste", text, html });
    });
    on("blur", ({ relatedTarget }) => {
      const isOverlay =
        relatedTarget instanceof Element &&
        relatedTarget.closest("[data-text-overlay]");
      if (!isOverlay && document.hasFocus()) options.onLeave("blur");
    });
  }

  #handleKey(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, isComposing } = event;
    const isChord = ctrlKey || metaKey;
    if (isComposing) return;
    if (!isChord || !PAGE_SHORTCUT.test(key)) event.stopPropagation();
    if (key === "Escape") this.options.onLeave("escape");
    if (!HELD_KEYS.test(key) && !(isChord && HELD_SHORTCUTS.test(key))) return;
    event.preventDefault();
    this.#hold({ kind: "key", event });
  }

  #handleInput(event: InputEvent): void {
    const { inputType, data, isComposing } = event;
    if (isComposing) return;
    event.preventDefault();
    if (inputType.startsWith("insert") && data !== null)
      this.#hold({ kind: "text", text: data });
  }

  /** Tries until the code is loaded, even after the text has lost the focus, so that what was typed is written. */
  #load(): void {
    this.#stopLoading ??= retryUntilDone(async () => {
      const isLoaded = await this.load();
      if (!isLoaded) toast(t("text.couldntLoad"));
      return isLoaded;
    });
  }

  #hold(input: HeldInput): void {
    if (!this.options.editor.mayEdit) return;
    const range = this.findRange();
    const isSame =
      range?.anchor === this.#range?.anchor &&
      range?.head === this.#range?.head;
    if (range && !isSame) this.inputs.push({ kind: "select", range });
    this.#range = range;
    this.inputs.push(input);
    this.#load();
  }
}

/** The letters and variables before a point of a drawn text. */
function countLetters(host: Node, node: Node, offset: number): number {
  const before = document.createRange();
  before.setStart(host, 0);
  before.setEnd(node, offset);
  const content = before.cloneContents();
  let count = 0;
  for (const leaf of content.querySelectorAll(".chip, [data-leaf], br")) {
    count += 1;
    leaf.remove();
  }
  return count + (content.textContent?.length ?? 0);
}

function WaitingView({
  text,
  owner,
}: {
  text: ReadonlySignal<Text>;
  owner: string | null;
}) {
  // An empty line has the height of a line.
  if (text.value.length === 0) return <br />;
  return <TextView text={text.value} owner={owner} />;
}
