import { Icon, type IconName } from "../../../ui/icon.js";
import { duplicateComponent } from "../../model/clipboard.js";
import { removeComponent } from "../../model/edits.js";
import { moveTowards } from "../../model/moves.js";
import type { Entry } from "../../model/tree.js";
import { useCanvas } from "../canvas-state.js";

/** What is done most often with what is selected. */
export function SelectionTools({ entry }: { entry: Entry }) {
  const { editor } = useCanvas();
  const { id, parentId } = entry;
  return (
    <span class="canvas-tools" role="toolbar" aria-label="Selected part">
      {parentId !== null && (
        <Tool
          icon="back"
          label="Select what is around it"
          onPress={() => {
            editor.selected.value = parentId;
          }}
        />
      )}
      <Tool
        icon="up"
        label="Move up"
        onPress={() => moveTowards(editor, id, "up")}
      />
      <Tool
        icon="down"
        label="Move down"
        onPress={() => moveTowards(editor, id, "down")}
      />
      <Tool
        icon="copy"
        label="Duplicate"
        onPress={() => duplicateComponent(editor, id)}
      />
      <Tool
        icon="trash"
        label="Delete"
        onPress={() => removeComponent(editor, id)}
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
