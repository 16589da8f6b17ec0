import "./commands.css";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { clipboardKeys, keyGroups } from "./key-map.js";

/** Which keys do what. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div class="keys">
        {keyGroups.map(({ name, commands }) => (
          <section key={name}>
            <h3>{name}</h3>
            <dl>
              {inLines(commands).map(([words, chords]) => (
                <KeyLine key={words} words={words} chords={chords} />
              ))}
              {name === "Change" &&
                clipboardKeys.map(([words, chord]) => (
                  <KeyLine key={words} words={words} chords={[chord]} />
                ))}
            </dl>
          </section>
        ))}
      </div>
      <p class="muted small">
        They work where the page or the outline has the focus; undo and redo
        also in fields.
      </p>
      <div class="dialog-end">
        <Button kind="primary" onPress={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

function KeyLine({
  words,
  chords,
}: {
  words: string;
  chords: readonly string[];
}) {
  return (
    <div class="keys-line">
      <dt>{words}</dt>
      <dd>
        {chords.map((chord) => (
          <kbd key={chord}>{chordWords(chord)}</kbd>
        ))}
      </dd>
    </div>
  );
}

/** Commands without words share the line before them. */
function inLines(
  commands: readonly { words: string; chords: readonly string[] }[],
): [words: string, chords: string[]][] {
  const lines: [string, string[]][] = [];
  for (const { words, chords } of commands)
    if (words === "") lines.at(-1)?.[1].push(...chords);
    else lines.push([words, [...chords]]);
  return lines;
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
const names: Readonly<Record<string, string>> = {
  Mod: isMac ? "⌘" : "Ctrl",
  Alt: isMac ? "⌥" : "Alt",
  Shift: isMac ? "⇧" : "Shift",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
};

function chordWords(chord: string): string {
  return chord
    .split("+")
    .map((part) => names[part] ?? part)
    .join(" ");
}
