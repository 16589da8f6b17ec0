import type { Editor } from "../model/editor.js";
import {
  deleteSelected,
  duplicateSelected,
  enterSelected,
  leaveSelected,
  moveSelected,
  redo,
  undo,
} from "./commands.js";
import { walk } from "./walk.js";

export interface KeyCommand {
  /** As `chordOf` writes them; any of these. */
  chords: readonly string[];
  words: string;
  /** In fields it works, too. */
  isEverywhere?: boolean;
  run: (editor: Editor) => void;
}

export interface KeyGroup {
  name: string;
  commands: readonly KeyCommand[];
}

/** Every key of the editor: what it obeys and what the dialog of keys tells are one. */
export const keyGroups: readonly KeyGroup[] = [
  {
    name: "Find your way",
    commands: [
      key("Next, previous", ["ArrowDown"], (editor) => walk(editor, "down")),
      key("", ["ArrowUp"], (editor) => walk(editor, "up")),
      key("Out of it, into it", ["ArrowLeft"], (editor) =>
        walk(editor, "left"),
      ),
      key("", ["ArrowRight"], (editor) => walk(editor, "right")),
      key("Type, or go into it", ["Enter", "F2"], enterSelected),
      key("What is around it", ["Escape"], leaveSelected),
    ],
  },
  {
    name: "Move",
    commands: [
      key("Up", ["Alt+ArrowUp"], (editor) => moveSelected(editor, "up")),
      key("Down", ["Alt+ArrowDown"], (editor) => moveSelected(editor, "down")),
      key("Out of what is around it", ["Alt+ArrowLeft"], (editor) =>
        moveSelected(editor, "out"),
      ),
      key("Into what stands beside it", ["Alt+ArrowRight"], (editor) =>
        moveSelected(editor, "in"),
      ),
    ],
  },
  {
    name: "Change",
    commands: [
      key("Add something", ["/", "Mod+K"], (editor) => {
        if (editor.mayEdit) editor.dialog.value = "add";
      }),
      key("Delete", ["Delete", "Backspace"], deleteSelected),
      key("Duplicate", ["Mod+D"], duplicateSelected),
      everywhere("Undo", ["Mod+Z"], undo),
      everywhere("Redo", ["Mod+Shift+Z", "Mod+Y"], redo),
    ],
  },
  {
    name: "Help",
    commands: [
      key("These keys", ["?"], (editor) => {
        editor.dialog.value = "keys";
      }),
    ],
  },
];

/** Copy, cut and paste are the browser's own, which alone may reach the clipboard. */
export const clipboardKeys: readonly (readonly [
  words: string,
  chord: string,
])[] = [
  ["Copy", "Mod+C"],
  ["Cut", "Mod+X"],
  ["Paste, also from a spreadsheet", "Mod+V"],
];

/** The command of these keys. */
export function commandOf(chord: string): KeyCommand | undefined {
  return keyGroups
    .flatMap(({ commands }) => commands)
    .find(({ chords }) => chords.includes(chord));
}

function key(
  words: string,
  chords: readonly string[],
  run: (editor: Editor) => void,
): KeyCommand {
  return { words, chords, run };
}

function everywhere(...of: Parameters<typeof key>): KeyCommand {
  return { ...key(...of), isEverywhere: true };
}
