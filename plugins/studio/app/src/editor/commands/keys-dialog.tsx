import "./commands.css";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { CLIPBOARD_KEYS, KEY_GROUPS } from "./keyboard.js";
import { t } from "../../messages/index.js";

/** Lists the keyboard shortcuts. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t("editor.keyboardShortcuts")} onClose={onClose}>
      <div class="keys">
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
  Mod: isMac ? "⌘" : "Ctrl",
  Alt: isMac ? "⌥" : "Alt",
  Shift: isMac ? "⇧" : "Shift",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
};

function formatChord(chord: string): string {
  return chord
    .split("+")
    .map((part) => KEY_NAMES[part] ?? part)
    .join(" ");
}
