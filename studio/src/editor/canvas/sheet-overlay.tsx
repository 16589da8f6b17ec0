import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ComponentType } from "../../../../core/plugin-api/definition.js";
import { Icon, type IconName } from "../../ui/icon.js";
import {
  deleteSelected,
  duplicateSelected,
  moveSelected,
} from "../commands/commands.js";
import { focusSelected } from "../commands/page-commands.js";
import { getCatalogEntry } from "../model/catalog.js";
import type { Editor } from "../model/editor.js";
import type { Entry } from "../model/tree.js";
import { sameJson } from "../model/same-json.js";
import {
  type Box,
  getBox,
  getPageBoxes,
  findCopies,
  getRects,
  findElement,
  findElements,
  useAfterRender,
} from "./boxes.js";
import { useCanvas } from "./canvas-state.js";
import {
  measureResizeBoxes,
  NO_RESIZE_BOXES,
  ResizeHandles,
  type ResizeBoxes,
} from "./resize-handles.js";
import { getNotes } from "./views/component-text.js";
import { t } from "../../messages/index.js";

interface OverlayBoxes {
  /** One for each component and page. */
  selected: readonly Box[];
  /** The same components in further rows and on further pages. */
  copies: readonly Box[];
  hovered: Box | null;
  drop: DropMark | null;
  resize: ResizeBoxes;
}

const NO_BOXES: OverlayBoxes = {
  selected: [],
  copies: [],
  hovered: null,
  drop: null,
  resize: NO_RESIZE_BOXES,
};

/** Above the sheet: the boxes of the selected and the hovered components, and the drop mark. Beside it: the tools. */
export function SheetOverlay() {
  const { editor } = useCanvas();
  const overlay = useRef<HTMLDivElement>(null);
  const boxes = useBoxes(overlay).value;
  const { selected, copies, hovered: under, drop, resize } = boxes;
  const isOther = !editor.selected.ids.value.includes(
    editor.hovered.value ?? "",
  );
  return (
    <div class="sheet-overlay" ref={overlay}>
      {under && isOther && <HoverBox box={under} />}
      {copies.map((box, index) => (
        <div class="copy-box" style={toStyle(box)} key={index} />
      ))}
      {selected.map((box, index) => (
        <div
          class={
            editor.typingIn.value === null
              ? "selection-box"
              : "selection-box is-typing"
          }
          style={toStyle(box)}
          key={index}
        />
      ))}
      <ResizeHandles {...resize} />
      {editor.typingIn.value === null && <SelectionHandle boxes={selected} />}
      {editor.refusal.value !== null && selected[0] && (
        // Announced elsewhere.
        <div
          class="refusal-note"
          aria-hidden="true"
          style={{ top: `${selected[0].top}px`, left: `${selected[0].left}px` }}
        >
          {editor.refusal.value}
        </div>
      )}
      {drop && (
        <div class={`drop-mark is-${drop.kind}`} style={toStyle(drop.box)} />
      )}
    </div>
  );
}

/** Measures the boxes after each change that can move something on the page. */
function useBoxes(overlay: { current: HTMLElement | null }) {
  const canvas = useCanvas();
  const { editor, zoom } = canvas;
  const marked = useSignal(NO_BOXES);
  const laidOut = useResizeCount(overlay);
  useAfterRender(
    () => {
      void editor.definition.value;
      void editor.selection.value;
      void editor.drag.dropSpot.value;
      void editor.facts.value;
      void canvas.opened.value;
      void canvas.pageCount.value;
      void editor.hovered.value;
      void zoom.scale.value;
      void laidOut.value;
    },
    () => {
      const place = overlay.current?.parentElement;
      if (!place) return undefined;
      const boxes = {
        selected: findElements(place, editor.selection.peek())
          .flatMap(getPageBoxes)
          .map((box) => toLocalBox(place, box)),
        copies: editor.selection
          .peek()
          .flatMap(({ id }) => findCopies(place, id))
          .flatMap(getPageBoxes)
          .map((box) => toLocalBox(place, box)),
        hovered: getHoveredBox(place, editor.hovered.peek()),
        drop: getDropMark(editor, place),
        resize: measureResizeBoxes(editor, place),
      };
      if (!sameJson(boxes, marked.peek())) marked.value = boxes;
      return undefined;
    },
  );
  return marked;
}

/** Counts the changes of the sheet's size, such as when an image has loaded. */
function useResizeCount(overlay: { current: HTMLElement | null }) {
  const ticks = useSignal(0);
  useEffect(() => {
    const sheet = overlay.current?.parentElement?.querySelector(".sheet");
    if (!sheet) return undefined;
    const follow = new ResizeObserver(() => {
      ticks.value = ticks.peek() + 1;
    });
    follow.observe(sheet);
    return () => follow.disconnect();
  }, []);
  return ticks;
}

/** The component or the copy under the pointer. In px from the corner of `place`. */
function getHoveredBox(place: Element, id: string | null): Box | null {
  if (id === null) return null;
  const copies = findCopies(place, id);
  const element =
    copies.find((copy) => copy.matches(":hover")) ?? findElement(place, id);
  return element ? toLocalBox(place, getBox(element)) : null;
}

/** The most frequent commands for the selected components, in the margin beside the sheet, where they cover nothing. */
function SelectionHandle({ boxes }: { boxes: readonly Box[] }) {
  const { editor } = useCanvas();
  const [first, ...others] = editor.selection.value;
  if (!first || boxes.length === 0) return null;
  const top = Math.min(...boxes.map((box) => box.top));
  const bottom = Math.max(...boxes.map((box) => box.top + box.height));
  const { words, icon } = getCatalogEntry(first.component.type);
  const count = others.length + 1;
  const name = count > 1 ? t("canvas.components", { count }) : words;
  return (
    <div
      class="selection-margin"
      style={{ top: `${top}px`, height: `${bottom - top}px` }}
    >
      <div class="selection-handle canvas-tools">
        <span class="selection-name" title={name}>
          {count > 1 ? count : <Icon name={icon} size={14} />}
        </span>
        {editor.mayEdit && <SelectionTools entry={first} count={count} />}
      </div>
    </div>
  );
}

interface SelectionToolsProps {
  /** The first selected component. */
  entry: Entry;
  count: number;
}

function SelectionTools({ entry, count }: SelectionToolsProps) {
  const { editor } = useCanvas();
  const { parentId, component } = entry;
  const add = () => {
    editor.dialog.value = "add";
  };
  return (
    <span
      role="toolbar"
      aria-orientation="vertical"
      aria-label={
        count > 1
          ? t("canvas.selectedComponents")
          : t("canvas.selectedComponent")
      }
    >
      {parentId !== null && count === 1 && (
        <Tool
          icon="outward"
          label={t("editor.selectParent")}
          onPress={() => {
            editor.selected.value = parentId;
          }}
        />
      )}
      <MoveTools type={component.type} />
      {count === 1 && (
        <Tool icon="plus" label={t("canvas.addBelow")} onPress={add} />
      )}
      <Tool
        icon="copy"
        label={t("common.duplicate")}
        onPress={() => duplicateSelected(editor)}
      />
      <Tool
        icon="trash"
        label={t("common.delete")}
        onPress={() => deleteSelected(editor)}
      />
      <button
        type="button"
        title={t("arrange.moreForSelection")}
        aria-label={t("arrange.moreForSelection")}
        aria-haspopup="menu"
        tabIndex={-1}
        onClick={({ currentTarget }) => {
          const { right: x, top: y } = currentTarget.getBoundingClientRect();
          editor.menuPoint.value = { x, y };
        }}
      >
        <Icon name="more" size={14} />
      </button>
    </span>
  );
}

/** Moves it within its list, which is horizontal for cells and columns. */
function MoveTools({ type }: { type: ComponentType }) {
  const { editor } = useCanvas();
  const isAcross = type === "table-cell" || type === "column";
  return (
    <>
      <Tool
        icon={isAcross ? "back" : "up"}
        label={isAcross ? t("canvas.moveLeft") : t("common.moveUp")}
        onPress={() => moveSelected(editor, "up")}
      />
      <Tool
        icon={isAcross ? "next" : "down"}
        label={isAcross ? t("canvas.moveRight") : t("common.moveDown")}
        onPress={() => moveSelected(editor, "down")}
      />
    </>
  );
}

interface ToolProps {
  icon: IconName;
  label: string;
  onPress: () => void;
}

function Tool({ icon, label, onPress }: ToolProps) {
  const { editor } = useCanvas();
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      onClick={() => {
        onPress();
        // The next key is for the component, not for the button.
        focusSelected(editor);
      }}
      tabIndex={-1}
    >
      <Icon name={icon} size={14} />
    </button>
  );
}

function HoverBox({ box }: { box: Box }) {
  const { editor } = useCanvas();
  const id = editor.hovered.value;
  const entry = id === null ? null : editor.tree.value.entries.get(id);
  if (!entry) return null;
  const { words } = getCatalogEntry(entry.component.type);
  const phrases = [words, ...getNotes(entry.component, editor).phrases];
  return (
    <div class="hover-box" style={toStyle(box)}>
      <span class="hover-name">{phrases.join(" · ")}</span>
    </div>
  );
}

/** A line between two components, or a frame around an empty list. */
interface DropMark {
  kind: "line" | "frame";
  box: Box;
}

const LINE_WIDTH = 3;

/** Null if nothing is dragged, or if there is no drop target. */
function getDropMark(editor: Editor, place: Element): DropMark | null {
  const spot = editor.drag.dropSpot.peek();
  const list = spot && editor.tree.peek().lists.get(spot.list);
  if (!spot || !list) return null;
  const rectsAt = (index: number): Box[] => {
    const id = list.components[index]?.id;
    const element = id === undefined ? null : findElement(place, id);
    return (element ? getRects(element) : []).map((rect) =>
      toLocalBox(place, rect),
    );
  };
  if (spot.beside) {
    const at = toLocalPoint(place, editor.drag.point.peek());
    const rects = rectsAt(spot.index);
    const box =
      rects.find(({ top, height }) => at.y >= top && at.y <= top + height) ??
      rects[0];
    return box ? { kind: "line", box: getSideLine(box, at) } : null;
  }
  // A component has a box on each page that it spans.
  const firstBox = (index: number) => rectsAt(index)[0] ?? null;
  const lastBox = (index: number) => rectsAt(index).at(-1) ?? null;
  const boxAt = firstBox;
  const [before, after] = [lastBox(spot.index - 1), firstBox(spot.index)];
  if (!before && !after) return getFrame(place, spot.list);
  const isAcross =
    before && after
      ? isSideBySide(before, after)
      : isSideBySide(boxAt(spot.index - 2), before) ||
        isSideBySide(after, boxAt(spot.index + 1));
  const box = isAcross
    ? getVerticalLine(before, after)
    : getHorizontalLine(before, after);
  return box && { kind: "line", box };
}

/** Whether the second box is to the right of the first. */
function isSideBySide(box: Box | null, other: Box | null): boolean {
  if (!box || !other) return false;
  const isBeside = other.left >= box.left + box.width - 1;
  return isBeside && other.top < box.top + box.height;
}

function getHorizontalLine(before: Box | null, after: Box | null): Box | null {
  const beside = after ?? before;
  if (!beside) return null;
  const bottom = before ? before.top + before.height : beside.top;
  const top = after ? after.top : bottom;
  const middle = (top + bottom) / 2 - LINE_WIDTH / 2;
  return {
    left: beside.left,
    width: beside.width,
    top: middle,
    height: LINE_WIDTH,
  };
}

function getVerticalLine(before: Box | null, after: Box | null): Box | null {
  const beside = after ?? before;
  if (!beside) return null;
  const right = before ? before.left + before.width : beside.left;
  const left = after ? after.left : right;
  const middle = (left + right) / 2 - LINE_WIDTH / 2;
  return {
    left: middle,
    width: LINE_WIDTH,
    top: beside.top,
    height: beside.height,
  };
}

/** Along the side of a box that is nearer to a point. */
function getSideLine({ left, width, top, height }: Box, { x }: Point): Box {
  const edge =
    x < left + width / 2 ? left - LINE_WIDTH * 2 : left + width + LINE_WIDTH;
  return { left: edge, width: LINE_WIDTH, top, height };
}

interface Point {
  x: number;
  y: number;
}

/** Converts a point of the window to px from the corner of `place`. */
function toLocalPoint(place: Element, { x, y }: Point): Point {
  const { left, top } = place.getBoundingClientRect();
  return { x: x - left, y: y - top };
}

function getFrame(place: Element, key: string): DropMark | null {
  const element = place.querySelector(`[data-list="${CSS.escape(key)}"]`);
  return element && { kind: "frame", box: toLocalBox(place, getBox(element)) };
}

/** Converts a box of the window to px from the corner of `place`. */
function toLocalBox(place: Element, box: Box): Box {
  const { left, top } = place.getBoundingClientRect();
  const { width, height } = box;
  return { left: box.left - left, top: box.top - top, width, height };
}

function toStyle({ left, top, width, height }: Box) {
  return {
    left: `${left}px`,
    top: `${top}px`,
    width: `${width}px`,
    height: `${height}px`,
  };
}
