import { ActionMenu, type MenuAction } from "../../ui/action-menu.js";
import { type LogicDesk, numberOf } from "./logic-desk.js";
import { changePart, type LogicPath, movePart } from "./logic-steps.js";

interface PartMenuProps {
  desk: LogicDesk;
  path: LogicPath;
  noun: "rule" | "group";
  /** What else can be done with it. */
  own?: readonly MenuAction[];
}

/** What can be done with a rule or a group as a whole. */
export function PartMenu({ desk, path, noun, own = [] }: PartMenuProps) {
  const { logic, onChange } = desk;
  const move = (by: 1 | -1) => onChange(movePart(logic, path, by), null);
  return (
    <ActionMenu
      label={`Actions for ${noun} ${numberOf(path)}`}
      isQuiet
      actions={[
        ...own,
        { words: "Move up", icon: "up", onPress: () => move(-1) },
        { words: "Move down", icon: "down", onPress: () => move(1) },
        {
          words: `Take the ${noun} away`,
          icon: "trash",
          isGrave: true,
          onPress: () => onChange(changePart(logic, path, null), null),
        },
      ]}
    />
  );
}
