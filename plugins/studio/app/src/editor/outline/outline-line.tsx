import { Icon } from "../../ui/icon.js";
import { catalogEntry } from "../model/catalog.js";
import { useEditor } from "../model/editor-context.js";
import { isBandName } from "../model/edits.js";
import type { OutlineRow } from "./outline-rows.js";
import { rowDetail, rowNote, rowPhrase, rowWords } from "./row-words.js";
import { rowHeight } from "./use-window.js";

interface OutlineLineProps {
  row: OutlineRow;
  index: number;
  isSelected: boolean;
  /** Where the keys of the tree are. */
  isCursor: boolean;
  /** What the checker says of it. */
  problem: string | undefined;
  onChoose: (index: number) => void;
  onTurn: (key: string) => void;
  /** Headers and footers can be taken away, by those who may. */
  onRemove: ((row: OutlineRow) => void) | undefined;
}

export function rowId(key: string): string {
  return `outline-${key}`;
}

/** A line of the outline. Its keys are the tree's. */
export function OutlineLine({
  row,
  index,
  isSelected,
  isCursor,
  problem,
  onChoose,
  onTurn,
  onRemove,
}: OutlineLineProps) {
  const { key, component, level, position, size, isOpen, list } = row;
  const editor = useEditor();
  const phrase = component ? rowPhrase(editor, component) : row.words;
  return (
    // The tree itself has the focus and takes the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      class={`outline-line ${isCursor ? "cursor" : ""} ${component ? "" : "part"}`}
      role="treeitem"
      id={rowId(key)}
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
        top: `${index * rowHeight}px`,
        paddingLeft: `${(level - 1) * 14 + 4}px`,
      }}
      onClick={() => onChoose(index)}
    >
      <span
        class="outline-turn"
        onClick={(event) => {
          if (isOpen === null) return;
          event.stopPropagation();
          onTurn(key);
        }}
      >
        {isOpen !== null && <Icon name={isOpen ? "down" : "next"} size={12} />}
      </span>
      {component ? <ComponentWords row={row} /> : <span>{row.words}</span>}
      {onRemove && isBandName(key) && (
        <button
          type="button"
          class="outline-remove"
          aria-label={`Delete ${row.words.toLowerCase()}`}
          tabIndex={-1}
          onClick={(event) => {
            event.stopPropagation();
            onRemove(row);
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

function ComponentWords({ row: { component } }: { row: OutlineRow }) {
  const editor = useEditor();
  if (!component) return null;
  const { words, icon } = catalogEntry(component.type);
  const own = rowWords(editor, component);
  const note = rowNote(component);
  return (
    <>
      <Icon name={icon} size={16} />
      <span class="outline-words">
        {own === "" ? words : own}
        {own === "" && <span class="muted"> {rowDetail(component)}</span>}
      </span>
      {note !== "" && <span class="outline-note">{note}</span>}
    </>
  );
}
