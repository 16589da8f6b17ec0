import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { useEditor } from "../model/editor-context.js";
import type { EntryListProps } from "./entry-props.js";

/** Takes one entry out of a list. */
export function RemoveEntry({
  label,
  entries,
  index,
  onChange,
}: EntryListProps & { index: number }) {
  if (!useEditor().mayEdit) return null;
  return (
    <Button
      kind="quiet"
      isIcon
      label={`Take ${label} ${index + 1} away`}
      onPress={() => onChange(entries.filter((_one, at) => at !== index))}
    >
      <Icon name="close" size={14} />
    </Button>
  );
}
