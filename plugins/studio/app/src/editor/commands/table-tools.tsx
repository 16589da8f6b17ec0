import "./commands.css";
import { Button } from "../../ui/button.js";
import { Icon, type IconName } from "../../ui/icon.js";
import { useEditor } from "../model/editor-context.js";
import type { Entry } from "../model/tree.js";
import {
  editTable,
  type TableEdit,
  listTableEdits,
} from "../model/table-edits.js";

/** Adds and deletes rows and columns of the selected table, row or cell. Empty for other components. */
export function TableTools({ entry }: { entry: Entry }) {
  const editor = useEditor();
  const { id, component } = entry;
  if (!component.type.startsWith("table") || !editor.mayEdit) return null;
  const edits = listTableEdits(editor, id);
  const isWhole = edits.length === 2;
  return (
    <div class="table-tools" role="group" aria-label="Rows and columns">
      {edits.map((edit) => (
        <Button
          kind="quiet"
          key={edit}
          onPress={() => {
            editTable(editor, id, edit);
            editor.announced.value = TABLE_TOOLS[edit].announcement;
          }}
        >
          <Icon name={TABLE_TOOLS[edit].icon} size={14} />
          {isWhole ? TABLE_TOOLS[edit].tableLabel : TABLE_TOOLS[edit].label}
        </Button>
      ))}
    </div>
  );
}

interface Tool {
  label: string;
  /** The label if the tableLabel table is selected. */
  tableLabel?: string;
  announcement: string;
  icon: IconName;
}

const TABLE_TOOLS: Readonly<Record<TableEdit, Tool>> = {
  "row-above": { label: "Row above", announcement: "Row added", icon: "up" },
  "row-below": {
    label: "Row below",
    tableLabel: "Add a row",
    announcement: "Row added",
    icon: "down",
  },
  "delete-row": {
    label: "Delete row",
    announcement: "Row deleted",
    icon: "trash",
  },
  "column-left": {
    label: "Column left",
    announcement: "Column added",
    icon: "back",
  },
  "column-right": {
    label: "Column right",
    tableLabel: "Add a column",
    announcement: "Column added",
    icon: "next",
  },
  "delete-column": {
    label: "Delete column",
    announcement: "Column deleted",
    icon: "trash",
  },
};
