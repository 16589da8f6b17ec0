import {
  computed,
  type ReadonlySignal,
  type Signal,
  signal,
} from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Style } from "../../../../../../core/plugin-api/definition.js";
import { askPublic, local } from "../../api.js";
import type { Editor } from "../model/editor.js";
import type { ListKey } from "../model/tree.js";
import { getEmailWidth, type Paper, getPaper } from "./sheet-size.js";
import { Zoom } from "./zoom.js";

type PageShown = "first" | "others";

/** The view state of the canvas, and computed parts of the definition that change less often than the definition. */
export class CanvasState {
  /** Whose headers and footers are shown. */
  readonly page = signal<PageShown>("first");
  /** Whether an email is shown at the width of a phone. */
  readonly isPhone = signal(false);
  /** The keys of the alternatives that are expanded. */
  readonly opened = signal<ReadonlySet<ListKey>>(new Set());
  readonly styles: ReadonlySignal<Readonly<Record<string, Style>>>;
  /** The styles that contain expressions, which cannot be in a style sheet. */
  readonly variableStyles: ReadonlySignal<Readonly<Record<string, Style>>>;
  readonly paper: ReadonlySignal<Paper>;

  /** An estimate of the number of pages. */
  readonly pageCount = signal(1);
  readonly zoom: Zoom;
  readonly assets = new AssetAddresses();
  readonly hovered: Signal<string | null>;

  constructor(readonly editor: Editor) {
    this.hovered = editor.hovered;
    const { drawn, design } = editor;
    const page = computed(() => drawn.value.page);
    const styles = computed(() => drawn.value.styles);
    this.styles = computed(() => styles.value ?? {});
    this.variableStyles = computed(() => getVariableStyles(this.styles.value));
    this.paper = computed(() => getPaper(page.value, design));
    this.zoom = new Zoom(
      computed(() => this.#width()),
      computed(() => (this.isPhone.value ? 1 : 1.5)),
    );
  }

  open(list: ListKey): void {
    if (!this.opened.peek().has(list)) this.toggle(list);
  }

  close(): void {
    this.zoom.close();
  }

  #width(): number {
    const { drawn, design, templateType } = this.editor;
    if (templateType === "document") return this.paper.value.width;
    const { width } = drawn.value.email ?? {};
    return getEmailWidth(width, this.isPhone.value, design.defaults.email);
  }

  toggle(list: ListKey): void {
    const next = new Set(this.opened.peek());
    if (!next.delete(list)) next.add(list);
    this.opened.value = next;
  }
}

const NO_STYLES: Readonly<Record<string, Style>> = {};

/** Returns the same empty object if there are none, so that components do not render again when other styles change. */
function getVariableStyles(styles: Readonly<Record<string, Style>>) {
  const variable = Object.entries(styles).filter(([, one]) =>
    isDataDependent(one),
  );
  return variable.length === 0 ? NO_STYLES : Object.fromEntries(variable);
}

export function isDataDependent(style: Style): boolean {
  return Object.values(style).some((value) => value.includes("{{"));
}

const CanvasContext = createContext<CanvasState | null>(null);

export const CanvasProvider = CanvasContext.Provider;

export function useCanvas(): CanvasState {
  const canvas = useContext(CanvasContext);
  if (!canvas)
    throw new Error("useCanvas must be called within a CanvasProvider");
  return canvas;
}

/** The URLs of the assets that a template shows; each is requested once. */
class AssetAddresses {
  readonly #known = new Map<string, Signal<string | null>>();

  /** Null while the request is pending, and for an unknown asset. */
  of(assetId: string): ReadonlySignal<string | null> {
    const known = this.#known.get(assetId);
    if (known) return known;
    const address = signal<string | null>(null);
    this.#known.set(assetId, address);
    void this.#find(assetId, address);
    return address;
  }

  async #find(assetId: string, address: Signal<string | null>): Promise<void> {
    try {
      const asset = await askPublic<{ url: string }>(
        `assets/${encodeURIComponent(assetId)}`,
      );
      address.value = local(asset.url);
    } catch {
      // The placeholder shows the alternative text, and the checker reports the problem.
      address.value = null;
    }
  }
}
