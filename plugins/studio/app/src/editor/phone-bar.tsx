import type { Signal } from "@preact/signals";
import { Icon, type IconName } from "../ui/icon.js";
import type { EditorSheet } from "./editor-view.js";

const sheets: [EditorSheet, string, IconName][] = [
  ["parts", "Add and data", "palette"],
  ["properties", "Properties", "settings"],
  ["preview", "Preview", "eye"],
];

/** On a phone, opens what stands beside the page elsewhere; a second press closes it. */
export function PhoneBar({ sheet }: { sheet: Signal<EditorSheet | null> }) {
  return (
    <nav class="phone-bar" aria-label="Panels">
      {sheets.map(([one, words, icon]) => (
        <button
          type="button"
          key={one}
          aria-pressed={sheet.value === one}
          onClick={() => {
            sheet.value = sheet.value === one ? null : one;
          }}
        >
          <Icon name={icon} />
          {words}
        </button>
      ))}
    </nav>
  );
}
