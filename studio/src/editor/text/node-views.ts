import { effect } from "@preact/signals";
import type { Mark, Node as DocNode } from "prosemirror-model";
import type { DirectEditorProps, NodeView } from "prosemirror-view";
import type { Editor } from "../model/editor.js";
import { getChipLabel } from "./chip.js";
import { getConstantStyle, PAGE_NUMBER_LABELS } from "./template.js";
import { getMarkStyle, getSource } from "./text-document.js";

/** How leaves and marks are drawn. */
export function createNodeViews(
  editor: Editor,
  owner: string | null,
): Pick<DirectEditorProps, "nodeViews" | "markViews"> {
  return {
    nodeViews: {
      chip: (node) => new ChipView(node, editor, owner),
      number: createPageNumberView,
    },
    markViews: { link: createLinkView, style: createStyleView },
  };
}

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
