import type { ReadonlySignal } from "@preact/signals";
import { Component as View } from "preact";
import { useRef } from "preact/hooks";
import type { Component } from "../../../../../../core/plugin-api/definition.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { getCatalogEntry } from "../model/catalog.js";
import { useEditor } from "../model/editor-context.js";
import type { Editor } from "../model/editor.js";
import { isBandName, addBand } from "../model/edits.js";
import { regionWords } from "../model/placement.js";
import { BANDS, type BandName, type Tree, type Spot } from "../model/tree.js";
import {
  type OutlineRow,
  getRowLabel,
  getRowDetail,
  getRowNote,
  getRowText,
} from "./outline-rows.js";
import "./outline.css";
import {
  handleTreeKey,
  useOutline,
  ROW_HEIGHT,
  type RowActions,
} from "./use-outline.js";
import { t } from "../../messages/index.js";

/** The template as a tree. Only the rows in the viewport are rendered. */
export function Outline() {
  const editor = useEditor();
  const tree = useRef<HTMLDivElement>(null);
  const outline = useOutline(tree);
  const { rows, from, to, at, cursor, marks, actions } = outline;
  return (
    <div class="outline">
      <div
        class="outline-tree"
        role="tree"
        aria-label={t("editor.outline")}
        tabIndex={0}
        aria-activedescendant={at < 0 ? undefined : getRowId(cursor.value)}
        ref={tree}
        {...createHoverHandlers(editor)}
        onKeyDown={(event) => handleTreeKey(event, { ...outline, editor })}
      >
        <div
          class="outline-lines"
          role="none"
          style={{ height: `${rows.value.length * ROW_HEIGHT}px` }}
        >
          {rows.value.slice(from.value, to.value).map((row, index) => (
            <OutlineRowView
              key={row.key}
              row={row}
              index={from.value + index}
              isSelected={editor.selected.value === row.key}
              isCursor={cursor.value === row.key}
              problem={marks.value.get(row.key)}
              actions={actions}
            />
          ))}
          <DropIndicator rows={rows} />
        </div>
      </div>
      {editor.mayEdit && <AddBandButtons />}
    </div>
  );
}

/** Highlights the component of the hovered row on the page. */
function createHoverHandlers({ hovered }: Editor) {
  return {
    onPointerOver: ({ target }: PointerEvent) => {
      const line = target instanceof Element && target.closest("[data-row]");
      hovered.value = line ? line.getAttribute("data-row") : null;
    },
    onPointerLeave: () => {
      hovered.value = null;
    },
  };
}

interface OutlineRowProps {
  row: OutlineRow;
  index: number;
  isSelected: boolean;
  /** Whether it is the tree's active descendant. */
  isCursor: boolean;
  /** The checker's message. */
  problem: string | undefined;
  actions: RowActions;
}

function getRowId(key: string): string {
  return `outline-${key}`;
}

/** A class component, because rows that did not change must not render again after each edit. */
class OutlineRowView extends View<OutlineRowProps> {
  override shouldComponentUpdate(next: OutlineRowProps): boolean {
    const { row, index, isSelected, isCursor, problem } = this.props;
    return (
      index !== next.index ||
      isSelected !== next.isSelected ||
      isCursor !== next.isCursor ||
      problem !== next.problem ||
      !isSameRow(row, next.row)
    );
  }

  override render(props: OutlineRowProps) {
    return <Row {...props} />;
  }
}

function isSameRow(one: OutlineRow, other: OutlineRow): boolean {
  return (
    one.component === other.component &&
    one.list === other.list &&
    one.words === other.words &&
    one.level === other.level &&
    one.position === other.position &&
    one.size === other.size &&
    one.isOpen === other.isOpen
  );
}

function Row(props: OutlineRowProps) {
  const { row, index, isSelected, isCursor, problem, actions } = props;
  const { key, component, level, position, size, isOpen, list } = row;
  const editor = useEditor();
  const phrase = component ? getRowLabel(editor, component) : row.words;
  return (
    // The tree keeps the focus and handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      class={`outline-line ${isCursor ? "cursor" : ""} ${component ? "" : "part"}`}
      role="treeitem"
      id={getRowId(key)}
      aria-label={problem === undefined ? phrase : `${phrase}. ${problem}`}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={size}
      aria-expanded={isOpen ?? undefined}
      aria-selected={isSelected}
      data-row={component ? key : undefined}
      data-row-list={list ?? undefined}
      title={problem}
      style={{
        top: `${index * ROW_HEIGHT}px`,
        paddingLeft: `${(level - 1) * 14 + 4}px`,
      }}
      onClick={() => actions.choose(row)}
    >
      <ToggleIcon row={row} actions={actions} />
      {component ? <RowText component={component} /> : row.words}
      <RemoveBandButton row={row} actions={actions} />
      {problem !== undefined && (
        <span class="outline-problem">
          <Icon name="warn" size={14} />
        </span>
      )}
    </div>
  );
}

interface RowPartProps {
  row: OutlineRow;
  actions: RowActions;
}

function ToggleIcon({ row, actions }: RowPartProps) {
  const { isOpen } = row;
  if (isOpen === null) return <span class="outline-toggle" />;
  return (
    <span
      class="outline-toggle"
      onClick={(event) => {
        event.stopPropagation();
        actions.toggle(row);
      }}
    >
      <Icon name={isOpen ? "down" : "next"} size={12} />
    </span>
  );
}

function RemoveBandButton({ row, actions: { remove } }: RowPartProps) {
  if (!remove || !isBandName(row.key)) return null;
  return (
    <button
      type="button"
      class="outline-remove"
      aria-label={t("editor.deleteComponent", {
        component: row.words.toLowerCase(),
      })}
      tabIndex={-1}
      onClick={(event) => {
        event.stopPropagation();
        remove(row);
      }}
    >
      <Icon name="trash" size={14} />
    </button>
  );
}

function RowText({ component }: { component: Component }) {
  const editor = useEditor();
  const { words, icon } = getCatalogEntry(component.type);
  const own = getRowText(editor, component);
  const note = getRowNote(component);
  return (
    <>
      <Icon name={icon} size={16} />
      <span class="outline-words">
        {own === "" ? words : own}
        {own === "" && <span class="muted"> {getRowDetail(component)}</span>}
      </span>
      {note !== "" && <span class="outline-note">{note}</span>}
    </>
  );
}

/** Buttons that add the headers and footers that the document does not have. */
function AddBandButtons() {
  const editor = useEditor();
  if (editor.templateType === "email") return null;
  const { lists } = editor.tree.value;
  const missing = BANDS.filter((band) => !lists.has(band));
  if (missing.length === 0) return null;
  const add = (band: BandName) => {
    addBand(editor, band);
    editor.announced.value = t("editor.regionAdded", {
      region: regionWords[band],
    });
  };
  return (
    <div class="outline-bands" role="group" aria-label={t("editor.addToPage")}>
      {missing.map((band) => (
        <Button kind="quiet" key={band} onPress={() => add(band)}>
          <Icon name="plus" size={14} />
          {regionWords[band]}
        </Button>
      ))}
    </div>
  );
}

/** Marks where the dragged component would be dropped. */
function DropIndicator({
  rows,
}: {
  rows: ReadonlySignal<readonly OutlineRow[]>;
}) {
  const editor = useEditor();
  const spot = editor.drag.dropSpot.value;
  if (!spot) return null;
  const mark = findPosition(editor.tree.value, rows.value, spot);
  if (!mark) return null;
  return (
    <div
      class={mark.isInto ? "outline-into" : "outline-drop"}
      role="none"
      style={{
        top: `${mark.index * ROW_HEIGHT}px`,
        left: `${(mark.level - 1) * 14 + 4}px`,
      }}
    />
  );
}

/** Between two rows, or on the parent's row if the list is collapsed or empty. */
function findPosition(
  tree: Tree,
  rows: readonly OutlineRow[],
  { list, index }: Spot,
): { index: number; level: number; isInto: boolean } | null {
  const found = tree.lists.get(list);
  const at = (key: string | undefined) =>
    rows.findIndex((row) => row.key === key);
  const next = at(found?.components[index]?.id);
  const nextRow = rows[next];
  if (nextRow) return { index: next, level: nextRow.level, isInto: false };
  const last = at(found?.components.at(-1)?.id);
  const lastRow = rows[last];
  if (lastRow) {
    const end = rows.findIndex(
      (row, place) => place > last && row.level <= lastRow.level,
    );
    const below = end < 0 ? rows.length : end;
    return { index: below, level: lastRow.level, isInto: false };
  }
  const holder = rows.findIndex((row) => row.list === list);
  const holderRow = rows[holder];
  return holderRow
    ? { index: holder, level: holderRow.level, isInto: true }
    : null;
}
