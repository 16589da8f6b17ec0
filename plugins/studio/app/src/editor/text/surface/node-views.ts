import { effect } from "@preact/signals";
import type { Mark, Node } from "prosemirror-model";
import type { MarkViewConstructor, NodeView } from "prosemirror-view";
import type { Editor } from "../../model/editor.js";
import { chipWords } from "../chip/chip-words.js";
import { fixedStyle } from "../fixed-style.js";
import { PAGE_WORDS } from "../page-words.js";
import { sourceOf, styleOf } from "../model/text-schema.js";

/** A variable in the text; renamed when its field is. */
export class ChipView implements NodeView {
  readonly dom = document.createElement("span");
  readonly #source: string;
  readonly #stop: () => void;

  constructor(node: Node, editor: Editor, owner: string | null) {
    this.#source = sourceOf(node.attrs);
    this.dom.className = "chip";
    this.dom.title = this.#source;
    this.#stop = effect(() => {
      const { words, isFormula } = chipWords(editor, owner, this.#source);
      this.dom.textContent = words;
      this.dom.classList.toggle("formula", isFormula);
    });
  }

  update(node: Node): boolean {
    return node.type.name === "chip" && sourceOf(node.attrs) === this.#source;
  }

  ignoreMutation(): boolean {
    return true;
  }

  destroy(): void {
    this.#stop();
  }
}

export function pageNumberView(node: Node): NodeView {
  const dom = document.createElement("span");
  dom.className = "chip";
  const isTotal = sourceOf(node.attrs) === "pages";
  dom.textContent = PAGE_WORDS[isTotal ? "pages" : "page"];
  return { dom, ignoreMutation: () => true };
}

/** Looks as it will, and leads nowhere while it is edited. */
export const linkView: MarkViewConstructor = (mark: Mark) => {
  const dom = document.createElement("a");
  dom.title = String(mark.attrs["href"]);
  return { dom };
};

export const styleView: MarkViewConstructor = (mark: Mark) => {
  const dom = document.createElement("span");
  for (const [name, value] of Object.entries(fixedStyle(styleOf(mark))))
    dom.style.setProperty(name, value);
  return { dom };
};
