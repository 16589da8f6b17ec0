import type { CdpResult } from "../../browser/cdp-pipe.js";

export type Snapshot = CdpResult<"DOMSnapshot.captureSnapshot">;

/** The styles that a snapshot must bring, in this order. */
export const SNAPSHOT_STYLES = ["overflow-x", "position"];

/** One box of the layout: an element's, or that of a text. */
interface LaidOutBox {
  node: number;
  left: number;
  right: number;
}

const CUTS = /hidden|clip|auto|scroll/;
const TEXT = 3;
const TEXT_LENGTH = 60;

/** A document as it is laid out. Nodes are numbers, in document order. */
export class LaidOutTree {
  readonly boxes: readonly LaidOutBox[];
  readonly #nodes: Snapshot["documents"][number]["nodes"];
  readonly #strings: readonly string[];
  readonly #cutting = new Set<number>();
  readonly #fixed = new Set<number>();

  constructor({ documents: [document], strings }: Snapshot) {
    if (!document) throw new RangeError("the snapshot has no document");
    const { nodes, layout } = document;
    this.#nodes = nodes;
    this.#strings = strings;
    this.boxes = layout.nodeIndex.map((node, index) => {
      const [left = 0, , width = 0] = layout.bounds[index] ?? [];
      return { node, left, right: left + width };
    });
    for (const [index, node] of layout.nodeIndex.entries()) {
      const [overflow, position] = layout.styles[index] ?? [];
      if (CUTS.test(this.#string(overflow))) this.#cutting.add(node);
      if (this.#string(position) === "fixed") this.#fixed.add(node);
    }
  }

  /** The node itself, or the element that a text stands in. */
  elementOf(node: number): number {
    return this.#nodes.nodeType?.[node] === TEXT ? this.#parentOf(node) : node;
  }

  /** Whether the node or one around it is among `nodes`. */
  isWithin(node: number, nodes: ReadonlySet<number>): boolean {
    for (let at = node; at >= 0; at = this.#parentOf(at))
      if (nodes.has(at)) return true;
    return false;
  }

  /** Whether nothing of a node can stand outside of what is around it, or it has a fixed place on the page. */
  isContained(node: number): boolean {
    return (
      this.isWithin(node, this.#fixed) ||
      this.isWithin(this.#parentOf(node), this.#cutting)
    );
  }

  nameOf(element: number): string {
    return this.#string(this.#nodes.nodeName?.[element]).toLowerCase();
  }

  /** The beginning of the text in an element. */
  firstWords(element: number): string {
    const inside = new Set([element]);
    const { nodeType = [], nodeValue = [] } = this.#nodes;
    let text = "";
    for (let at = element + 1; at < nodeType.length; at += 1) {
      if (!inside.has(this.#parentOf(at)) || text.length > TEXT_LENGTH) break;
      inside.add(at);
      if (nodeType[at] === TEXT) text += ` ${this.#string(nodeValue[at])}`;
    }
    return text.replace(/\s+/g, " ").trim().slice(0, TEXT_LENGTH);
  }

  #parentOf(node: number): number {
    return this.#nodes.parentIndex?.[node] ?? -1;
  }

  #string(index: number | undefined): string {
    return this.#strings[index ?? -1] ?? "";
  }
}
