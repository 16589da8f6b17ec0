import type { ComponentType } from "../../../../../../core/plugin-api/definition.js";
import { Icon } from "../../ui/icon.js";
import { catalogEntry } from "../model/catalog.js";

interface AddOptionProps {
  type: ComponentType;
  id: string;
  /** Whether Enter adds it. */
  isCurrent: boolean;
  onPress: () => void;
}

/** Something that can be added, in the list of the dialog. */
export function AddOption({ type, id, isCurrent, onPress }: AddOptionProps) {
  const { words, purpose, icon } = catalogEntry(type);
  return (
    // The field has the focus and takes the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <li
      class="add-option"
      role="option"
      id={id}
      aria-selected={isCurrent}
      ref={(line) => {
        if (isCurrent) line?.scrollIntoView({ block: "nearest" });
      }}
      onClick={onPress}
    >
      <Icon name={icon} />
      <span>{words}</span>
      <span class="muted small">{purpose}</span>
    </li>
  );
}
