import { Icon, type IconName } from "../../../ui/icon.js";
import {
  deleteSelected,
  duplicateSelected,
  moveSelected,
} from "../../commands/commands.js";
import type { Entry } from "../../model/tree.js";
import { useCanvas } from "../canvas-state.js";

/** What is done most often with what is selected. */
export function SelectionTools({ entry }: { entry: Entry }) {
  const { editor } = useCanvas();
  const { parentId, component } = entry;
  const isAcross =
    component.type === "table-cell" || component.type === "column";
  return (
    <span
      class="canvas-tools"
      role="toolbar"
      aria-label="Selected part"
      // What is selected keeps the focus, so that the next key is for it.
      onMouseDown={(event) => event.preventDefault()}
    >
      {parentId !== null && (
        <Tool
          icon="outward"
          label="Select what is around it"
          onPress={() => {
            editor.selected.value = parentId;
          }}
        />
      )}
      <Tool
        icon={isAcross ? "back" : "up"}
        label={isAcross ? "Move left" : "Move up"}
        onPress={() => moveSelected(editor, "up")}
      />
      <Tool
        icon={isAcross ? "next" : "down"}
        label={isAcross ? "Move right" : "Move down"}
        onPress={() => moveSelected(editor, "down")}
      />
      <Tool
        icon="plus"
        label="Add something below"
        onPress={() => {
          editor.dialog.value = "add";
        }}
      />
      <Tool
        icon="copy"
        label="Duplicate"
        onPress={() => duplicateSelected(editor)}
      />
      <Tool
        icon="trash"
        label="Delete"
        onPress={() => deleteSelected(editor)}
      />
    </span>
  );
}

interface ToolProps {
  icon: IconName;
  label: string;
  onPress: () => void;
}

function Tool({ icon, label, onPress }: ToolProps) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      onClick={onPress}
      tabIndex={-1}
    >
      <Icon name={icon} size={14} />
    </button>
  );
}
