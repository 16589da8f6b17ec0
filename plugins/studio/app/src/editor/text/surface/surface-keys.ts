import { baseKeymap, toggleMark } from "prosemirror-commands";
import { keymap } from "prosemirror-keymap";
import type { MarkType } from "prosemirror-model";
import {
  type Command,
  NodeSelection,
  type Plugin,
  TextSelection,
} from "prosemirror-state";
import { textSchema } from "../model/text-schema.js";
import { leafNode } from "../model/text-to-doc.js";
import type { TextKind } from "./pasting.js";

/** What keys do beside typing. */
export interface KeyActions {
  undo: () => void;
  redo: () => void;
  openChip: (place: number) => void;
  openLink: () => void;
  /** Leads to what can be done with what is selected. */
  toTools: () => void;
}

export function surfaceKeys(kind: TextKind, actions: KeyActions): Plugin[] {
  const { bold, italic, underline, strike } = textSchema.marks;
  const marks: Record<string, Command> = {
    ...(bold && { "Mod-b": toggled(bold) }),
    ...(italic && { "Mod-i": toggled(italic) }),
    ...(underline && { "Mod-u": toggled(underline) }),
    ...(strike && { "Mod-Shift-x": toggled(strike) }),
    "Mod-k": done(actions.openLink),
    "Alt-F10": done(actions.toTools),
  };
  const own = keymap({
    ...(!kind.isPlain && marks),
    "Mod-z": done(actions.undo),
    "Mod-y": done(actions.redo),
    "Mod-Shift-z": done(actions.redo),
    "Mod-a": selectAll,
    Enter: (state, dispatch) =>
      openSelected(actions)(state, dispatch) || addBreak(kind)(state, dispatch),
    "Shift-Enter": addBreak(kind),
    Backspace: removeLeaf(-1),
    Delete: removeLeaf(1),
  });
  return [own, keymap(baseKeymap)];
}

function toggled(mark: MarkType): Command {
  return toggleMark(mark, null, { removeWhenPresent: false });
}

function done(action: () => void): Command {
  return () => {
    action();
    return true;
  };
}

const selectAll: Command = ({ doc, tr }, dispatch) => {
  dispatch?.(tr.setSelection(TextSelection.create(doc, 0, doc.content.size)));
  return true;
};

function openSelected({ openChip }: KeyActions): Command {
  return ({ selection }) => {
    const isChip =
      selection instanceof NodeSelection && selection.node.type.name === "chip";
    if (isChip) openChip(selection.from);
    return isChip;
  };
}

/** In a field of one line it does nothing, as in any. */
function addBreak(kind: TextKind): Command {
  return ({ tr }, dispatch) => {
    if (kind.isMultiline)
      dispatch?.(
        tr
          .replaceSelectionWith(leafNode("break", kind.breakSource), false)
          .scrollIntoView(),
      );
    return true;
  };
}

/** A variable beside the caret goes as one letter would. */
function removeLeaf(direction: -1 | 1): Command {
  return ({ selection, tr }, dispatch) => {
    const { $from, empty } = selection;
    const node = direction < 0 ? $from.nodeBefore : $from.nodeAfter;
    if (!empty || !node?.isLeaf || node.isText) return false;
    const end = $from.pos + direction * node.nodeSize;
    dispatch?.(
      tr
        .delete(Math.min($from.pos, end), Math.max($from.pos, end))
        .scrollIntoView(),
    );
    return true;
  };
}
