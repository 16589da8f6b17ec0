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
import { t } from "../../messages/index.js";

/** Empty unless a table, row or cell is selected. */
export function TableTools({ entry }: { entry: Entry }) {
  const editor = useEditor();
  const { id, component } = entry;
  if (!component.type.startsWith("table") || !editor.mayEdit) return null;
  const edits = listTableEdits(editor, id);
  const isWhole = edits.length === 2;
  return (
    <div
      class="table-tools"
      role="group"
      aria-label={t("editor.rowsAndColumns")}
    >
      {edits.map((edit) => (
        <Button
          kind="quiet"
          key={edit}
          onPress={() => {
            editTable(editor, id, edit);
            editor.announced.value = TABLE_TOOLS[edit].announcement;
          }}
        >
          <Icon name={isWhole ? "plus" : TABLE_TOOLS[edit].icon} size={14} />
          {isWhole ? TABLE_TOOLS[edit].tableLabel : TABLE_TOOLS[edit].label}
        </Button>
      ))}
    </div>
  );
}

interface Tool {
  label: string;
  /** The label if the table itself is selected. */
  tableLabel?: string;
  announcement: string;
  icon: IconName;
}

export const TABLE_TOOLS: Readonly<Record<TableEdit, Tool>> = {
  "row-above": {
    label: t("editor.rowAbove"),
    announcement: t("editor.rowAdded"),
    icon: "up",
  },
  "row-below": {
    label: t("editor.rowBelow"),
    tableLabel: t("editor.addRow"),
    announcement: t("editor.rowAdded"),
    icon: "down",
  },
  "delete-row": {
    label: t("editor.deleteRow"),
    announcement: t("editor.rowDeleted"),
    icon: "trash",
  },
  "column-left": {
    label: t("editor.columnLeft"),
    announcement: t("editor.columnAdded"),
    icon: "back",
  },
  "column-right": {
    label: t("editor.columnRight"),
    tableLabel: t("editor.addColumn"),
    announcement: t("editor.columnAdded"),
    icon: "next",
  },
  "delete-column": {
    label: t("editor.deleteColumn"),
    announcement: t("editor.columnDeleted"),
    icon: "trash",
  },
};
