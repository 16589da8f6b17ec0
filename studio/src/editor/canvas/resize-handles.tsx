import type { TargetedKeyboardEvent } from "preact";
import { t } from "../../messages/index.js";
import { focusSelected } from "../commands/page-commands.js";
import type { Editor } from "../model/editor.js";
import { equalizeColumns, resizeColumns } from "../model/resize.js";
import { type Entry, lineage } from "../model/tree.js";
import { type Box, findElement } from "./boxes.js";
import { useCanvas } from "./canvas-state.js";
import {
  getBoundary,
  getLengths,
  getScale,
  listResizableRows,
} from "./column-boundaries.js";

/** A handle between two columns, with their widths in CSS px. */
interface ColumnHandle {
  ownerId: string;
  /** The column before it. */
  index: number;
  widths: readonly number[];
  /** In px from the corner of the overlay; one for each page. */
  left: number;
  spans: readonly { top: number; height: number }[];
}

/** What can be resized on the page, in px from the corner of the overlay. */
export interface ResizeBoxes {
  columns: readonly ColumnHandle[];
  /** The selected image or code. */
  sized: { id: string; box: Box; sides: readonly Side[] } | null;
}

type Side = "width" | "height" | "both";

export const NO_RESIZE_BOXES: ResizeBoxes = { columns: [], sized: null };

/** Measures the handles of what is selected or hovered. */
export function measureResizeBoxes(
  editor: Editor,
  place: Element,
): ResizeBoxes {
  if (!editor.mayEdit) return NO_RESIZE_BOXES;
  const { left, top } = place.getBoundingClientRect();
  const scale = getScale(place.querySelector(".scaled") ?? place);
  const ids = [editor.selected.peek(), editor.hovered.peek()];
  const rows = ids.flatMap((id) =>
    id === null ? [] : listResizableRows(editor, place, id),
  );
  const unique = new Map(rows.map((row) => [row.ownerId, row]));
  const columns = [...unique.values()].flatMap((row) =>
    row.columns.slice(1).map((_, index) => ({
      ownerId: row.ownerId,
      index,
      widths: getLengths(row).map((px) => px / scale),
      left: getBoundary(row, index) - left,
      spans: row.rects.map((rect) => ({
        top: rect.top - top,
        height: rect.height,
      })),
    })),
  );
  return { columns, sized: measureSized(editor, place) };
}

function measureSized(editor: Editor, place: Element): ResizeBoxes["sized"] {
  const [entry, ...others] = editor.selection.peek();
  const element =
    entry && others.length === 0 ? findSizedElement(place, entry) : null;
  if (!entry || !element) return null;
  const { left, top } = place.getBoundingClientRect();
  const box = element.getBoundingClientRect();
  const sides: readonly Side[] =
    entry.component.type === "image" ? ["width", "height", "both"] : ["both"];
  const { width, height } = box;
  return {
    id: entry.id,
    box: { left: box.left - left, top: box.top - top, width, height },
    sides,
  };
}

/** The element of an image or a code that has its size; null for other components. */
export function findSizedElement(
  place: Element,
  { id, component }: Entry,
): HTMLElement | SVGElement | null {
  const selector = { image: "img, .picture-place", qrcode: "svg, img" };
  const { type } = component;
  if (type !== "image" && type !== "qrcode") return null;
  const element = findElement(place, id);
  return (
    element?.querySelector<HTMLElement | SVGElement>(selector[type]) ?? null
  );
}

/** Handles between columns, which also the keyboard moves, and at the edges of a selected image. */
export function ResizeHandles({ columns, sized }: ResizeBoxes) {
  const { editor } = useCanvas();
  const selected = editor.selected.value;
  const around =
    selected === null
      ? []
      : lineage(editor.drawnTree.value, selected).map(({ id }) => id);
  return (
    <>
      {columns.map((handle) => (
        <ColumnHandleView
          key={`${handle.ownerId}/${handle.index}`}
          handle={handle}
          isSelected={around.includes(handle.ownerId)}
        />
      ))}
      {sized?.sides.map((side) => (
        <div
          key={side}
          class="size-handle"
          data-owner={sized.id}
          data-side={side}
          style={placeSide(sized.box, side)}
        />
      ))}
    </>
  );
}

function placeSide({ left, top, width, height }: Box, side: Side) {
  return {
    left: `${left + (side === "height" ? width / 2 : width)}px`,
    top: `${top + (side === "width" ? height / 2 : height)}px`,
  };
}

interface ColumnHandleViewProps {
  handle: ColumnHandle;
  /** Those of what is only hovered are not for the keyboard. */
  isSelected: boolean;
}

const PX_PER_MM = 96 / 25.4;

function ColumnHandleView({ handle, isSelected }: ColumnHandleViewProps) {
  const { editor } = useCanvas();
  const { ownerId, index, widths, left, spans } = handle;
  const width = widths[index] ?? 0;
  const pair = width + (widths[index + 1] ?? 0);
  const step = editor.templateType === "email" ? 1 : PX_PER_MM;
  const resize = (by: number) => {
    const next = Math.min(pair - step, Math.max(step, width + by));
    resizeColumns(
      editor,
      { ownerId, widths, index, width: next },
      `resize:${ownerId}:${index}`,
    );
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const { key, shiftKey } = event;
    const by = step * (shiftKey ? 10 : 1);
    if (key === "ArrowLeft") resize(-by);
    else if (key === "ArrowRight") resize(by);
    else if (key === "Escape") focusSelected(editor);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const [first, ...others] = spans;
  if (!first) return null;
  const place = ({ top, height }: { top: number; height: number }) => ({
    left: `${left}px`,
    top: `${top}px`,
    height: `${height}px`,
  });
  const entry = editor.tree.peek().entries.get(ownerId);
  const common = {
    class: "column-handle",
    "data-owner": ownerId,
    "data-index": index,
    title: t("arrange.resizeHelp"),
    onDblClick: () => {
      if (entry) equalizeColumns(editor, entry);
    },
  };
  return (
    <>
      {/* A separator that can be focused is a control, which the rule does not know. */}
      <div
        {...common}
        role="separator"
        aria-orientation="vertical"
        aria-label={t("content.widthOfColumnNumber", { number: index + 1 })}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round((width / pair) * 100)}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={isSelected ? 0 : -1}
        style={place(first)}
        onKeyDown={onKeyDown}
        onBlur={() => editor.endThread()}
      />
      {others.map((span) => (
        <div key={span.top} {...common} style={place(span)} />
      ))}
    </>
  );
}
