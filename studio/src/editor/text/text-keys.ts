import type { Signal } from "@preact/signals";
import { baseKeymap } from "prosemirror-commands";
import { keymap } from "prosemirror-keymap";
import {
  type Command,
  NodeSelection,
  type Plugin,
  TextSelection,
} from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import type { Editor } from "../model/editor.js";
import type { TextFormat } from "./paste.js";
import { createLeaf, textSchema } from "./text-document.js";
import { toggleInSelection } from "./word-format.js";

export function createKeymaps(
  format: TextFormat & { editor: Editor },
  surface: {
    view: EditorView;
    openChip: Signal<number | null>;
    isLinking: Signal<boolean>;
  },
): Plugin[] {
  const { editor } = format;
  const { bold, italic, underline, strike } = textSchema.marks;
  const formatting: Record<string, Command> = {
    ...(bold && { "Mod-b": toggleInSelection(bold) }),
    ...(italic && { "Mod-i": toggleInSelection(italic) }),
    ...(underline && { "Mod-u": toggleInSelection(underline) }),
    ...(strike && { "Mod-Shift-x": toggleInSelection(strike) }),
    "Mod-k": run(() => {
      surface.isLinking.value = !surface.view.state.selection.empty;
    }),
    "Alt-F10": run(() =>
      document.querySelector<HTMLElement>(".text-bar-group button")?.focus(),
    ),
  };
  const customKeymap = keymap({
    ...(!format.isPlain && formatting),
    "Mod-z": run(() => editor.undo()),
    "Mod-y": run(() => editor.redo()),
    "Mod-Shift-z": run(() => editor.redo()),
    "Mod-a": selectAll,
    Enter: (state, dispatch) =>
      openSelectedChip(surface.openChip)(state, dispatch) ||
      addBreak(format)(state, dispatch),
    "Shift-Enter": addBreak(format),
    Backspace: deleteLeaf(-1),
    Delete: deleteLeaf(1),
  });
  return [customKeymap, keymap(baseKeymap)];
}

function run(action: () => void): Command {
  return () => {
    action();
    return true;
  };
}

const selectAll: Command = ({ doc, tr }, dispatch) => {
  dispatch?.(tr.setSelection(TextSelection.create(doc, 0, doc.content.size)));
  return true;
};

function openSelectedChip(openChip: Signal<number | null>): Command {
  return ({ selection }) => {
    const isChip =
      selection instanceof NodeSelection && selection.node.type.name === "chip";
    if (isChip) openChip.value = selection.from;
    return isChip;
  };
}

/** Does nothing in a field of one line. */
function addBreak({
  isMultiline,
  breakSource,
}: Pick<TextFormat, "isMultiline" | "breakSource">): Command {
  return ({ tr }, dispatch) => {
    if (isMultiline)
      dispatch?.(
        tr
          .replaceSelectionWith(createLeaf("break", breakSource), false)
          .scrollIntoView(),
      );
    return true;
  };
}

/** Deletes a chip next to the caret as if it were one letter. */
function deleteLeaf(direction: -1 | 1): Command {
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

/**
 * Keys can arrive before the browser reports the selection that an earlier key caused: without this, a key would act at
 * the old position.
 */
export function syncSelectionFromDom(view: EditorView): void {
  const { selection, doc, tr } = view.state;
  const domSelection = view.dom.ownerDocument.getSelection();
  if (!domSelection) return;
  const toPosition = (node: Node | null, offset: number) => {
    if (!node || !view.dom.contains(node)) return null;
    const position = view.posAtDOM(node, offset);
    return position <= doc.content.size ? position : null;
  };
  const anchor = toPosition(domSelection.anchorNode, domSelection.anchorOffset);
  const head = toPosition(domSelection.focusNode, domSelection.focusOffset);
  if (anchor === null || head === null) return;
  if (anchor === selection.anchor && head === selection.head) return;
  view.dispatch(tr.setSelection(TextSelection.create(doc, anchor, head)));
}
