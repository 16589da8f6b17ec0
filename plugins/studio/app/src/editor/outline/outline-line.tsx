import { Component as View } from "preact";
import { Icon } from "../../ui/icon.js";
import { useEditor } from "../model/editor.js";
import { isBandName } from "../model/edits.js";
import { LineWords } from "./line-words.js";
import type { OutlineRow } from "./outline-rows.js";
import { rowPhrase } from "./row-words.js";
import type { LineActions } from "./use-outline.js";
import { rowHeight } from "./use-window.js";

interface OutlineLineProps {
  row: OutlineRow;
  index: number;
  isSelected: boolean;
  /** Where the keys of the tree are. */
  isCursor: boolean;
  /** What the checker says of it. */
  problem: string | undefined;
  actions: LineActions;
}

export function rowId(key: string): string {
  return `outline-${key}`;
}

/** A line of the outline. After a change, those that are as they were are not drawn anew. */
export class OutlineLine extends View<OutlineLineProps> {
  override shouldComponentUpdate(next: OutlineLineProps): boolean {
    const { row, index, isSelected, isCursor, problem } = this.props;
    return (
      index !== next.index ||
      isSelected !== next.isSelected ||
      isCursor !== next.isCursor ||
      problem !== next.problem ||
      !isSameRow(row, next.row)
    );
  }

  override render(props: OutlineLineProps) {
    return <Line {...props} />;
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

/** Its keys are the tree's. */
function Line(props: OutlineLineProps) {
  const { row, index, isSelected, isCursor, problem, actions } = props;
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
      onClick={() => actions.choose(row)}
    >
      <Turn row={row} actions={actions} />
      {component ? <LineWords component={component} /> : row.words}
      <RemoveBand row={row} actions={actions} />
      {problem !== undefined && (
        <span class="outline-problem">
          <Icon name="warn" size={14} />
        </span>
      )}
    </div>
  );
}

interface PartProps {
  row: OutlineRow;
  actions: LineActions;
}

function Turn({ row, actions }: PartProps) {
  const { isOpen } = row;
  if (isOpen === null) return <span class="outline-turn" />;
  return (
    <span
      class="outline-turn"
      onClick={(event) => {
        event.stopPropagation();
        actions.turn(row);
      }}
    >
      <Icon name={isOpen ? "down" : "next"} size={12} />
    </span>
  );
}

function RemoveBand({ row, actions: { remove } }: PartProps) {
  if (!remove || !isBandName(row.key)) return null;
  return (
    <button
      type="button"
      class="outline-remove"
      aria-label={`Delete ${row.words.toLowerCase()}`}
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
