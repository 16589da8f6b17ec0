import { useLayoutEffect } from "preact/hooks";
import { t } from "../../messages/index.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import type { Editor } from "../model/editor.js";
import "./commands.css";
import {
  deleteSelected,
  duplicateSelected,
  enterSelected,
  extendSelection,
  leaveSelected,
  moveSelected,
  redo,
  undo,
  copySelected,
  cutSelected,
  pasteAtSelection,
} from "./commands.js";
import {
  openMenuAtSelection,
  focusSelected,
  focusSelectedOnPage,
  getFocusArea,
  isOutsideOfFields,
  isUndoTarget,
  selectAllOnPage,
} from "./page-commands.js";
import { navigate } from "../model/navigate.js";

interface EditorCommand {
  /** As `getChord` returns them; each of them runs the command. */
  chords: readonly string[];
  /** Empty for a command that shares the line of the one before it in the dialog. */
  label: string;
  /** Whether it runs for this focused element. Default: not in fields and controls. */
  isEnabled?: (target: EventTarget | null) => boolean;
  run: (editor: Editor) => void;
}

interface CommandGroup {
  name: string;
  /** Whether the dialog lists copy, cut and paste in this group. */
  withClipboard?: boolean;
  commands: readonly EditorCommand[];
}

/** All keyboard shortcuts of the editor, as it handles them and as the dialog lists them. */
const KEY_GROUPS: readonly CommandGroup[] = [
  {
    name: t("editor.navigate"),
    commands: [
      command(t("editor.nextOrPrevious"), ["ArrowDown"], (editor) =>
        navigate(editor, "down"),
      ),
      command("", ["ArrowUp"], (editor) => navigate(editor, "up")),
      command(t("editor.parentOrFirstChild"), ["ArrowLeft"], (editor) =>
        navigate(editor, "left"),
      ),
      command("", ["ArrowRight"], (editor) => navigate(editor, "right")),
      command(
        t("editor.editTextOrSelectFirst"),
        ["Enter", "F2"],
        enterSelected,
      ),
      command(t("editor.selectParent"), ["Escape"], leaveSelected),
      command(t("editor.addNextToSelection"), ["Shift+ArrowDown"], (editor) =>
        extendSelection(editor, "down"),
      ),
      command("", ["Shift+ArrowUp"], (editor) => extendSelection(editor, "up")),
      {
        ...command(t("editor.selectAll"), ["Mod+A"], selectAllOnPage),
        isEnabled: isOutsideOfFields,
      },
    ],
  },
  {
    name: t("common.move"),
    commands: [
      command(t("editor.up"), ["Alt+ArrowUp"], (editor) =>
        moveSelected(editor, "up"),
      ),
      command(t("editor.down"), ["Alt+ArrowDown"], (editor) =>
        moveSelected(editor, "down"),
      ),
      command(t("editor.outOfItsParent"), ["Alt+ArrowLeft"], (editor) =>
        moveSelected(editor, "out"),
      ),
      command(t("editor.intoPartNextToIt"), ["Alt+ArrowRight"], (editor) =>
        moveSelected(editor, "in"),
      ),
    ],
  },
  {
    name: t("common.change"),
    withClipboard: true,
    commands: [
      command(t("editor.addComponent"), ["/", "Mod+K"], (editor) => {
        if (editor.mayEdit) editor.dialog.value = "add";
      }),
      command(t("common.delete"), ["Delete", "Backspace"], deleteSelected),
      command(t("common.duplicate"), ["Mod+D"], duplicateSelected),
      command(
        t("arrange.menu"),
        ["Shift+F10", "ContextMenu"],
        openMenuAtSelection,
      ),
      globalCommand(t("common.undo"), ["Mod+Z"], undo),
      globalCommand(t("common.redo"), ["Mod+Shift+Z", "Mod+Y"], redo),
    ],
  },
  {
    name: t("editor.help"),
    commands: [
      {
        ...command(t("editor.keyboardShortcuts"), ["?", "Mod+/"], (editor) => {
          editor.dialog.value = "keys";
        }),
        isEnabled: isOutsideOfFields,
      },
    ],
  },
];

/** What is done with the mouse or in a text, as the dialog lists it. */
const OTHER_GROUPS: readonly {
  name: string;
  lines: readonly (readonly [label: string, chords: readonly string[]])[];
}[] = [
  {
    name: t("arrange.withMouse"),
    lines: [
      [t("editor.editTextOrSelectFirst"), ["DoubleClick"]],
      [t("arrange.addOrRemove"), ["Shift+Click"]],
      [t("arrange.selectArea"), ["Drag"]],
      [t("arrange.menu"), ["RightClick"]],
      [t("arrange.resizeFreely"), ["Alt+Drag"]],
    ],
  },
  {
    name: t("arrange.inText"),
    lines: [
      [t("arrange.insertField"), ["/"]],
      [t("arrange.boldItalicUnderline"), ["Mod+B", "Mod+I", "Mod+U"]],
      [t("common.link"), ["Mod+K"]],
      [t("arrange.leaveText"), ["Escape"]],
    ],
  },
];

/** Copy, cut and paste are the browser's own events, because only those can access the clipboard without a permission. */
const CLIPBOARD_KEYS: readonly (readonly [label: string, chord: string])[] = [
  [t("common.copy"), "Mod+C"],
  [t("editor.cut"), "Mod+X"],
  [t("editor.pasteComponentsOrCells"), "Mod+V"],
];

function findCommand(chord: string): EditorCommand | undefined {
  return KEY_GROUPS.flatMap(({ commands }) => commands).find(({ chords }) =>
    chords.includes(chord),
  );
}

function command(
  label: string,
  chords: readonly string[],
  run: (editor: Editor) => void,
): EditorCommand {
  return { label, chords, run };
}

function globalCommand(...args: Parameters<typeof command>): EditorCommand {
  return { ...command(...args), isEnabled: isUndoTarget };
}

/**
 * The pressed keys, such as "Mod+Shift+Z", "Alt+ArrowUp" or "?". Mod is Ctrl, or Command on a Mac. The typed character
 * counts, wherever the keyboard has it; a keyboard that types no Latin letters has the shortcuts at their usual places.
 */
function getChord(event: KeyboardEvent): string {
  // Windows reports AltGr, which types characters, as Ctrl and Alt.
  const isAltGr = event.getModifierState("AltGraph");
  const isCommand = !isAltGr && (event.ctrlKey || event.metaKey);
  const key = isCommand ? getLatinKey(event) : event.key;
  const isCharacter = key.length === 1;
  // Other characters tell themselves whether Shift was pressed: "/" needs it on a German keyboard.
  const countsShift = !isCharacter || (isCommand && /[a-z]/i.test(key));
  return [
    isCommand && "Mod",
    !isAltGr && event.altKey && "Alt",
    event.shiftKey && countsShift && "Shift",
    isCharacter ? key.toUpperCase() : key,
  ]
    .filter(Boolean)
    .join("+");
}

function getLatinKey({ key, code }: KeyboardEvent): string {
  if (key.length > 1 || /[ -~]/.test(key)) return key;
  return (
    /^(?:Key|Digit)(?<character>.)$/.exec(code)?.groups?.["character"] ?? key
  );
}

/** The pressed key; null if it is combined with Alt, Ctrl or Meta. */
export function getPlainKey(event: KeyboardEvent): string | null {
  const { altKey, ctrlKey, metaKey } = event;
  return altKey || ctrlKey || metaKey ? null : event.key;
}

/** Runs commands on keys that no field, control or outline row has handled. Returns the handler for the editor's element. */
export function useEditorKeys(editor: Editor) {
  useClipboard(editor);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented) return;
    const editorCommand = findCommand(getChord(event));
    const area = getFocusArea(event.target);
    const isEnabled = editorCommand?.isEnabled?.(event.target) ?? area !== null;
    if (!editorCommand || !isEnabled) return;
    event.preventDefault();
    editor.refusal.value = null;
    editorCommand.run(editor);
    if (editor.menuPoint.peek() !== null) return;
    if (area === "canvas" || area === "page") focusSelected(editor);
  };
  useLayoutEffect(() => {
    // When the focused element is removed, keys arrive at the body, outside of the editor's element.
    const onBody = (event: KeyboardEvent) => {
      if (event.target === document.body) onKeyDown(event);
    };
    addEventListener("keydown", onBody);
    return () => removeEventListener("keydown", onBody);
  }, [editor]);
  return onKeyDown;
}

/** Copies, cuts and pastes components with the browser's own events, which work on every origin without a permission. */
function useClipboard(editor: Editor): void {
  useLayoutEffect(() => {
    const createHandler =
      (getText: (editor: Editor) => string | null) =>
      (event: ClipboardEvent) => {
        const text = isForEditor() ? getText(editor) : null;
        if (text === null) return;
        event.preventDefault();
        event.clipboardData?.setData("text/plain", text);
        focusSelectedOnPage(editor);
      };
    const copy = createHandler(copySelected);
    const cut = createHandler(cutSelected);
    const paste = (event: ClipboardEvent) => {
      if (!isForEditor()) return;
      event.preventDefault();
      pasteAtSelection(
        editor,
        event.clipboardData?.getData("text/plain") ?? "",
      );
      focusSelectedOnPage(editor);
    };
    document.addEventListener("copy", copy);
    document.addEventListener("cut", cut);
    document.addEventListener("paste", paste);
    return () => {
      document.removeEventListener("copy", copy);
      document.removeEventListener("cut", cut);
      document.removeEventListener("paste", paste);
    };
  }, [editor]);
}

/** False while text is selected or a field has the focus: the browser copies and pastes those itself. */
function isForEditor(): boolean {
  const hasSelection = getSelection()?.isCollapsed === false;
  return !hasSelection && getFocusArea(document.activeElement) !== null;
}

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t("editor.keyboardShortcuts")} onClose={onClose}>
      {/* It can be scrolled with the keyboard. */}
      <div
        class="keys"
        role="group"
        aria-label={t("editor.keyboardShortcuts")}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        {KEY_GROUPS.map(({ name, commands, withClipboard }) => (
          <section key={name}>
            <h3>{name}</h3>
            <dl>
              {toLines(commands).map(([label, chords]) => (
                <ShortcutLine key={label} label={label} chords={chords} />
              ))}
              {withClipboard &&
                CLIPBOARD_KEYS.map(([label, chord]) => (
                  <ShortcutLine key={label} label={label} chords={[chord]} />
                ))}
            </dl>
          </section>
        ))}
        {OTHER_GROUPS.map(({ name, lines }) => (
          <section key={name}>
            <h3>{name}</h3>
            <dl>
              {lines.map(([label, chords]) => (
                <ShortcutLine key={label} label={label} chords={chords} />
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p class="muted small">{t("editor.shortcutsHelp")}</p>
      <div class="dialog-end">
        <Button kind="primary" onPress={onClose}>
          {t("common.close")}
        </Button>
      </div>
    </Dialog>
  );
}

function ShortcutLine({
  label,
  chords,
}: {
  label: string;
  chords: readonly string[];
}) {
  return (
    <div class="keys-line">
      <dt>{label}</dt>
      <dd>
        {chords.map((chord) => (
          <kbd key={chord}>{formatChord(chord)}</kbd>
        ))}
      </dd>
    </div>
  );
}

/** Commands without a label are added to the line before them. */
function toLines(
  commands: readonly { label: string; chords: readonly string[] }[],
): [label: string, chords: string[]][] {
  const lines: [string, string[]][] = [];
  for (const { label, chords } of commands)
    if (label === "") lines.at(-1)?.[1].push(...chords);
    else lines.push([label, [...chords]]);
  return lines;
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
const KEY_NAMES: Readonly<Record<string, string>> = {
  Mod: isMac ? "⌘" : t("editor.keyCtrl"),
  Alt: isMac ? "⌥" : "Alt",
  Shift: isMac ? "⇧" : t("editor.keyShift"),
  Enter: t("editor.keyEnter"),
  Delete: t("editor.keyDelete"),
  Backspace: t("editor.keyBackspace"),
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  ContextMenu: t("arrange.keyMenu"),
  Click: t("arrange.keyClick"),
  DoubleClick: t("arrange.keyDoubleClick"),
  RightClick: t("arrange.keyRightClick"),
  Drag: t("arrange.keyDrag"),
};

/** The names of the keys in the user's language: "Strg Z". */
export function formatChord(chord: string, separator = " "): string {
  return chord
    .split("+")
    .map((part) => KEY_NAMES[part] ?? part)
    .join(separator);
}
