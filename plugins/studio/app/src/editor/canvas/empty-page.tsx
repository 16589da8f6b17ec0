import { Icon } from "../../ui/icon.js";
import { useCanvas } from "./canvas-state.js";

/** Where a template begins. */
export function EmptyPage({ words }: { words: string }) {
  const { editor } = useCanvas();
  return (
    <div class="empty-page">
      <div>{words}</div>
      {editor.mayEdit && (
        <button
          type="button"
          onClick={() => {
            editor.dialog.value = "add";
          }}
        >
          <Icon name="plus" size={16} />
          Add something
        </button>
      )}
    </div>
  );
}
