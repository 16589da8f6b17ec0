import {
  computed,
  type ReadonlySignal,
  type Signal,
  signal,
  effect,
} from "@preact/signals";
import { createContext } from "preact";
import { useContext, useLayoutEffect } from "preact/hooks";
import type {
  BandHeights,
  Paper,
} from "../../../../core/definition/page/paper.js";
import type {
  PageSetup,
  Style,
} from "../../../../core/plugin-api/definition.js";
import { askPublic, local } from "../../api.js";
import type { Editor } from "../model/editor.js";
import type { ListKey } from "../model/tree.js";
import { fitMargins, getEmailWidth, getPaper } from "./sheet-size.js";

/** The view state of the canvas, and computed parts of the definition that change less often than the definition. */
export class CanvasState {
  /** Whether an email is shown at the width of a phone. */
  readonly isPhone = signal(false);
  /** The keys of the alternatives that are expanded. */
  readonly opened = signal<ReadonlySet<ListKey>>(new Set());
  readonly styles: ReadonlySignal<Readonly<Record<string, Style>>>;
  /** The styles that contain expressions, which cannot be in a style sheet. */
  readonly variableStyles: ReadonlySignal<Readonly<Record<string, Style>>>;
  readonly page: ReadonlySignal<PageSetup>;
  readonly paper: ReadonlySignal<Paper>;
  /** As they are drawn on the first page and on others. */
  readonly bandHeights = {
    header: signal<BandHeights>({ first: null, other: null }),
    footer: signal<BandHeights>({ first: null, other: null }),
  };
  /** The paper with margins that are large enough for its headers and footers, as in print. */
  readonly shownPaper: ReadonlySignal<Paper>;
  /** Whether the first page has a header or footer of its own. */
  readonly hasOwnFirstPage: ReadonlySignal<boolean>;
  readonly pageCount = signal(1);
  readonly zoom: Zoom;
  readonly assets = new AssetAddresses();

  constructor(readonly editor: Editor) {
    const { drawn } = editor;
    const page = computed(() => drawn.value.page);
    this.page = computed(() => page.value ?? {});
    const styles = computed(() => drawn.value.styles);
    this.styles = computed(() => styles.value ?? {});
    this.variableStyles = computed(() => getVariableStyles(this.styles.value));
    this.paper = computed(() => getPaper(page.value));
    this.hasOwnFirstPage = computed(() => {
      const { firstHeader, firstFooter } = this.page.value;
      return firstHeader !== undefined || firstFooter !== undefined;
    });
    this.shownPaper = computed(() => {
      const { header, footer } = this.bandHeights;
      const getHeights = ({ first, other }: BandHeights) =>
        this.hasOwnFirstPage.value ? { first, other } : { first, other: first };
      return fitMargins(
        this.paper.value,
        getHeights(header.value),
        getHeights(footer.value),
      );
    });
    this.zoom = new Zoom(
      computed(() => this.#width()),
      computed(() => (this.isPhone.value ? 1 : 1.5)),
    );
  }

  /** Whether what is drawn belongs to a reusable block, and so is not a part of the template. */
  readonly isInBlock: boolean = false;

  /** The same state for the components of a reusable block. */
  insideBlock(): CanvasState {
    // An object with this one as its prototype.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return Object.create(this, { isInBlock: { value: true } }) as CanvasState;
  }

  open(list: ListKey): void {
    if (!this.opened.peek().has(list)) this.toggle(list);
  }

  close(): void {
    this.zoom.close();
  }

  #width(): number {
    const { drawn, design, templateType } = this.editor;
    if (templateType === "document") return this.paper.value.widthPx;
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
  const variable = Object.entries(styles).filter(([, style]) =>
    isDataDependent(style),
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
  readonly #values = new Map<string, Signal<string | null>>();

  /** Null while the request is pending, and for an unknown asset. */
  of(assetId: string): ReadonlySignal<string | null> {
    const cached = this.#values.get(assetId);
    if (cached) return cached;
    const address = signal<string | null>(null);
    this.#values.set(assetId, address);
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

/** `fit` fits the sheet to the available width; a number is the scale. */
type ZoomChoice = "fit" | number;

const ZOOM_STEPS = [0.5, 0.67, 0.75, 0.9, 1, 1.25, 1.5, 2];
const STORAGE_KEY = "platen.studio.zoom";
/** The total margin at both sides of the sheet, in px. */
const SHEET_MARGIN = 48;

/** The scale of the sheet, stored in the browser. */
class Zoom {
  readonly choice: Signal<ZoomChoice> = signal(readZoom());
  /** In px. */
  readonly availableWidth = signal(0);
  readonly scale: ReadonlySignal<number>;
  readonly #stop: () => void;

  /** @param width of the sheet, in CSS px @param max the largest scale of `fit` */
  constructor(width: ReadonlySignal<number>, max: ReadonlySignal<number>) {
    this.scale = computed(() => {
      const { value } = this.choice;
      return value === "fit"
        ? fitWidth(this.availableWidth.value, width.value, max.value)
        : value;
    });
    this.#stop = effect(() => saveZoom(this.choice.value));
  }

  /** Zooms in (1) or out (-1) by one step. */
  step(by: 1 | -1): void {
    const here = this.scale.peek();
    const next =
      by > 0
        ? ZOOM_STEPS.find((zoomStep) => zoomStep > here + 0.005)
        : ZOOM_STEPS.findLast((zoomStep) => zoomStep < here - 0.005);
    if (next !== undefined) this.choice.value = next;
  }

  toggleFit(): void {
    this.choice.value = this.choice.peek() === "fit" ? 1 : "fit";
  }

  close(): void {
    this.#stop();
  }
}

function fitWidth(availableWidth: number, width: number, max: number): number {
  if (availableWidth === 0) return 1;
  return Math.min(max, Math.max(0.25, (availableWidth - SHEET_MARGIN) / width));
}

/** `fit` if the browser does not allow storage. */
function readZoom(): ZoomChoice {
  try {
    const number = Number(localStorage.getItem(STORAGE_KEY));
    return number >= 0.5 && number <= 2 ? number : "fit";
  } catch {
    return "fit";
  }
}

function saveZoom(choice: ZoomChoice): void {
  try {
    localStorage.setItem(STORAGE_KEY, String(choice));
  } catch {
    // Without storage, the zoom is not remembered.
  }
}

/** Over the canvas, the browser's zoom gestures (Ctrl with the wheel, plus, minus or 0) zoom the sheet. */
export function useZooming(
  { zoom }: CanvasState,
  scroller: { current: HTMLElement | null },
): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const listening = new AbortController();
    const options = { signal: listening.signal };
    const onWheel = (event: WheelEvent) => {
      if (!isCommand(event)) return;
      event.preventDefault();
      zoom.step(event.deltaY < 0 ? 1 : -1);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isCommand(event) || !"+=-0".includes(event.key)) return;
      event.preventDefault();
      if (event.key === "0") zoom.toggleFit();
      else zoom.step(event.key === "-" ? -1 : 1);
    };
    element.addEventListener("wheel", onWheel, { ...options, passive: false });
    element.addEventListener("keydown", onKeyDown, options);
    return () => listening.abort();
  }, [zoom]);
}

function isCommand({ ctrlKey, metaKey }: MouseEvent | KeyboardEvent): boolean {
  return ctrlKey || metaKey;
}

/** The URL of an image; null if it is external, unknown or not loaded yet, and for assets outside of the canvas. */
export function usePictureAddress(source: string): string | null {
  return getPictureAddress(useContext(CanvasContext), source);
}

/** The same outside of a view; it reads signals. */
export function getPictureAddress(
  canvas: Pick<CanvasState, "assets"> | null,
  source: string,
): string | null {
  const asset = /^asset:(.+)$/.exec(source)?.[1];
  if (asset !== undefined) return canvas?.assets.of(asset).value ?? null;
  return source.startsWith("data:image/") ? source : null;
}
