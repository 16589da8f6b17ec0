import {
  type ReadonlySignal,
  type Signal,
  useComputed,
  useSignal,
  useSignalEffect,
} from "@preact/signals";
import { Component as View, type RefObject } from "preact";
import { useCallback, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Component } from "../../../../core/plugin-api/definition.js";
import { AddButton } from "../../ui/icon-button.js";
import { Icon } from "../../ui/icon.js";
import { scrollToSelected } from "../commands/page-commands.js";
import { getPlainKey } from "../commands/keyboard.js";
import { getCatalogEntry } from "../model/catalog.js";
import { useEditor } from "../model/editor-context.js";
import type { Editor } from "../model/editor.js";
import { addBand, isBandName, setBand } from "../model/edits.js";
import { regionWords } from "../model/placement.js";
import { BANDS, type BandName, type Tree, type Spot } from "../model/tree.js";
import {
  type OutlineRow,
  expandTo,
  getOutlineRows,
  getProblems,
  getRowLabel,
  toggleKey,
  getRowDetail,
  getRowNote,
  getRowText,
} from "./outline-rows.js";
import "./outline.css";
import { t } from "../../messages/index.js";

/** Only the rows in the viewport are rendered. */
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
        aria-multiselectable="true"
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
              isSelected={editor.selected.ids.value.includes(row.key)}
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

function isSameRow(row: OutlineRow, other: OutlineRow): boolean {
  return (
    row.component === other.component &&
    row.list === other.list &&
    row.words === other.words &&
    row.level === other.level &&
    row.position === other.position &&
    row.size === other.size &&
    row.isOpen === other.isOpen
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
      onClick={({ shiftKey }) => actions.choose(row, shiftKey)}
    >
      {isOpen === null ? (
        <span class="outline-toggle" />
      ) : (
        <span
          class="outline-toggle"
          onClick={(event) => {
            event.stopPropagation();
            actions.toggle(row);
          }}
        >
          <Icon name={isOpen ? "down" : "next"} size={12} />
        </span>
      )}
      {component ? <RowText component={component} /> : row.words}
      {actions.remove && isBandName(key) && (
        <button
          type="button"
          class="outline-remove"
          aria-label={t("editor.deleteComponent", {
            component: row.words,
          })}
          tabIndex={-1}
          onClick={(event) => {
            event.stopPropagation();
            actions.remove?.(row);
          }}
        >
          <Icon name="trash" size={14} />
        </button>
      )}
      {problem !== undefined && (
        <span class="outline-problem">
          <Icon name="warn" size={14} />
        </span>
      )}
    </div>
  );
}

function RowText({ component }: { component: Component }) {
  const editor = useEditor();
  const { words, icon } = getCatalogEntry(component.type);
  const rowText = getRowText(editor, component);
  const note = getRowNote(component);
  return (
    <>
      <Icon name={icon} size={16} />
      <span class="outline-words">
        {rowText === "" ? words : rowText}
        {rowText === "" && (
          <span class="muted"> {getRowDetail(component)}</span>
        )}
      </span>
      {/* Heard as a word of its own. */}{" "}
      {note !== "" && <span class="outline-note">{note}</span>}
    </>
  );
}

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
        <AddButton
          words={regionWords[band]}
          onPress={() => add(band)}
          key={band}
        />
      ))}
    </div>
  );
}

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
  const targetList = tree.lists.get(list);
  const at = (key: string | undefined) =>
    rows.findIndex((row) => row.key === key);
  const next = at(targetList?.components[index]?.id);
  const nextRow = rows[next];
  if (nextRow) return { index: next, level: nextRow.level, isInto: false };
  const last = at(targetList?.components.at(-1)?.id);
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

interface RowActions {
  /** Selects the row's component, or adds it to the selection. */
  choose: (row: OutlineRow | undefined, isAdded?: boolean) => void;
  toggle: (row: OutlineRow) => void;
  /** Removes a header or footer; null for a person who may not edit. */
  remove: ((row: OutlineRow) => void) | null;
}

/** The state of the outline: its rows, the range in the viewport, and the active row, which follows the selection. */
function useOutline(scroller: RefObject<HTMLElement | null>) {
  const editor = useEditor();
  const toggled = useSignal<ReadonlySet<string>>(new Set());
  const cursor = useSignal("body");
  const rows = useComputed(() => getOutlineRows(editor, toggled.value));
  const marks = useComputed(() => getProblems(editor));
  const { from, to, show } = useVirtualRows(scroller, rows);
  useSignalEffect(() => {
    const id = editor.selected.value;
    if (id === null) return;
    cursor.value = id;
    toggled.value = expandTo(editor.tree.peek(), toggled.peek(), id);
  });
  const at = rows.value.findIndex(({ key }) => key === cursor.value);
  useLayoutEffect(() => {
    // After rendering. The initial row is not scrolled to.
    if (cursor.peek() !== "body") show(at);
  }, [at]);
  const actions = useMemo(
    () => createRowActions(editor, toggled, cursor),
    [editor],
  );
  return { rows, from, to, at, cursor, marks, actions };
}

function createRowActions(
  editor: Editor,
  toggled: Signal<ReadonlySet<string>>,
  cursor: Signal<string>,
): RowActions {
  const remove = ({ key, words }: OutlineRow) => {
    if (!isBandName(key)) return;
    setBand(editor, key, false);
    cursor.value = "body";
    editor.announced.value = t("editor.deleted", { component: words });
  };
  return {
    choose: (row, isAdded = false) => {
      if (!row) return;
      if (isAdded && row.component) editor.selected.toggle(row.key);
      else editor.selected.value = row.component ? row.key : null;
      cursor.value = row.key;
      scrollToSelected(editor);
    },
    toggle: ({ key }) => {
      toggled.value = toggleKey(toggled.peek(), key);
    },
    remove: editor.mayEdit ? remove : null,
  };
}

/** In CSS px, as in outline.css. */
const ROW_HEIGHT = 30;
/** Above the first and below the last row, in CSS px. */
const PADDING = 8;
const OVERSCAN = 6;

/** The range of rows in the viewport, which all have the same height. */
function useVirtualRows(
  scroller: RefObject<HTMLElement | null>,
  rows: ReadonlySignal<readonly unknown[]>,
) {
  const top = useSignal(0);
  const height = useSignal(600);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    const update = () => {
      top.value = box.scrollTop;
      height.value = box.clientHeight;
    };
    const watcher = new ResizeObserver(update);
    watcher.observe(box);
    box.addEventListener("scroll", update, { passive: true });
    return () => {
      watcher.disconnect();
      box.removeEventListener("scroll", update);
    };
  }, []);
  const from = useComputed(() =>
    Math.max(0, Math.floor(top.value / ROW_HEIGHT) - OVERSCAN),
  );
  const to = useComputed(() => {
    const end = Math.ceil((top.value + height.value) / ROW_HEIGHT) + OVERSCAN;
    return Math.min(rows.value.length, end);
  });
  /** Scrolls a row into view, by the shortest distance. */
  const show = useCallback((index: number) => {
    const box = scroller.current;
    if (!box || index < 0) return;
    const begin = index * ROW_HEIGHT;
    const end = begin + ROW_HEIGHT + 2 * PADDING;
    if (begin < box.scrollTop) box.scrollTop = begin;
    else if (end > box.scrollTop + box.clientHeight)
      box.scrollTop = end - box.clientHeight;
  }, []);
  return { from, to, show };
}

interface TreeState {
  editor: Editor;
  rows: ReadonlySignal<readonly OutlineRow[]>;
  /** The index of the active row; -1 for none. */
  at: number;
  actions: RowActions;
}

/** The keys of the ARIA tree pattern; other keys are left to the editor. */
function handleTreeKey(event: KeyboardEvent, tree: TreeState): void {
  const key = getPlainKey(event);
  if (key === null) return;
  const done = isLetterKey(key)
    ? findByLetter(tree, key)
    : KEY_HANDLERS[key]?.(tree);
  if (done) event.preventDefault();
}

/** Each returns whether it handled the key. */
const KEY_HANDLERS: Readonly<Record<string, (tree: TreeState) => boolean>> = {
  ArrowDown: (tree) =>
    chooseRow(tree, Math.min(tree.at + 1, tree.rows.value.length - 1)),
  ArrowUp: (tree) => chooseRow(tree, Math.max(tree.at - 1, 0)),
  Home: (tree) => chooseRow(tree, 0),
  End: (tree) => chooseRow(tree, tree.rows.value.length - 1),
  ArrowRight: (tree) => {
    const row = tree.rows.value[tree.at];
    if (row?.isOpen === false) tree.actions.toggle(row);
    else if (row?.isOpen) chooseRow(tree, tree.at + 1);
    return true;
  },
  ArrowLeft: (tree) => {
    const row = tree.rows.value[tree.at];
    if (row?.isOpen) tree.actions.toggle(row);
    else if (row) chooseRow(tree, findParent(tree, row));
    return true;
  },
  Delete: handleRemove,
  Backspace: handleRemove,
};

function chooseRow({ rows, actions }: TreeState, index: number): boolean {
  actions.choose(rows.value[index]);
  return true;
}

function handleRemove({ rows, at, actions }: TreeState): boolean {
  const row = rows.value[at];
  if (!row || !isBandName(row.key)) return false;
  actions.remove?.(row);
  return true;
}

function findParent({ rows, at }: TreeState, { level }: OutlineRow): number {
  const above = rows.value
    .slice(0, at)
    .findLastIndex((row) => row.level < level);
  return above < 0 ? at : above;
}

function isLetterKey(key: string): boolean {
  return /^[\p{L}\p{N}]$/u.test(key);
}

/** Chooses the next row whose label starts with the letter. */
function findByLetter(tree: TreeState, key: string): boolean {
  const { editor, rows, at } = tree;
  const letter = key.toLowerCase();
  const begins = ({ component, words }: OutlineRow) => {
    const phrase = component ? getRowLabel(editor, component) : words;
    return phrase.toLowerCase().startsWith(letter);
  };
  const later = rows.value.findIndex((row, index) => index > at && begins(row));
  const nextIndex = later < 0 ? rows.value.findIndex(begins) : later;
  return nextIndex < 0 || chooseRow(tree, nextIndex);
}
