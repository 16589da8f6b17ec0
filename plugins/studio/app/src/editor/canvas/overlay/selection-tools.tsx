import type { ComponentType } from "../../../../../../../core/plugin-api/definition.js";
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
  const add = () => {
    editor.dialog.value = "add";
  };
  return (
    <span class="canvas-tools" role="toolbar" aria-label="Selected part">
      {parentId !== null && (
        <Tool
          icon="outward"
          label="Select what is around it"
          onPress={() => {
            editor.selected.value = parentId;
          }}
        />
      )}
      <MoveTools type={component.type} />
      <Tool icon="plus" label="Add something below" onPress={add} />
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

/** Before and behind its neighbours, by how these stand. */
function MoveTools({ type }: { type: ComponentType }) {
  const { editor } = useCanvas();
  const isAcross = type === "table-cell" || type === "column";
  return (
    <>
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
    </>
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
