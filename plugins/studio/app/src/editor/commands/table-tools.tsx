import "./commands.css";
import { Button } from "../../ui/button.js";
import { Icon, type IconName } from "../../ui/icon.js";
import { useEditor } from "../model/editor.js";
import type { Entry } from "../model/tree.js";
import { editTable, type TableEdit, tableEdits } from "../model/table-edits.js";

/** Rows and columns are added and taken away here, for a table, a row or a cell; nothing for what else there is. */
export function TableTools({ entry }: { entry: Entry }) {
  const editor = useEditor();
  const { id, component } = entry;
  if (!component.type.startsWith("table") || !editor.mayEdit) return null;
  const edits = tableEdits(editor, id);
  const isWhole = edits.length === 2;
  return (
    <div class="table-tools" role="group" aria-label="Rows and columns">
      {edits.map((edit) => (
        <Button
          kind="quiet"
          key={edit}
          onPress={() => {
            editTable(editor, id, edit);
            editor.announced.value = tools[edit].done;
          }}
        >
          <Icon name={tools[edit].icon} size={14} />
          {isWhole ? tools[edit].whole : tools[edit].words}
        </Button>
      ))}
    </div>
  );
}

interface Tool {
  words: string;
  /** For the table as a whole. */
  whole?: string;
  done: string;
  icon: IconName;
}

const tools: Readonly<Record<TableEdit, Tool>> = {
  "row-above": { words: "Row above", done: "Row added", icon: "up" },
  "row-below": {
    words: "Row below",
    whole: "Add a row",
    done: "Row added",
    icon: "down",
  },
  "delete-row": { words: "Delete row", done: "Row deleted", icon: "trash" },
  "column-left": { words: "Column left", done: "Column added", icon: "back" },
  "column-right": {
    words: "Column right",
    whole: "Add a column",
    done: "Column added",
    icon: "next",
  },
  "delete-column": {
    words: "Delete column",
    done: "Column deleted",
    icon: "trash",
  },
};
