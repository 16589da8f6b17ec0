import "./bubble.css";
import type { ComponentChildren, TargetedKeyboardEvent } from "preact";
import type { SimpleMark } from "../../../../../../../core/plugin-api/definition.js";
import { Icon, type IconName } from "../../../ui/icon.js";
import { Overlay } from "../overlay.js";
import { selectionAnchor } from "../surface/anchors.js";
import type { TextSurface } from "../surface/text-surface.js";
import { LinkForm } from "./link-form.js";
import {
  clearMarks,
  isMarked,
  linkOf,
  setStyle,
  styleHere,
  toggle,
} from "./mark-state.js";

const MARKS: readonly [SimpleMark, string, IconName, string][] = [
  ["bold", "Bold", "bold", "Ctrl+B"],
  ["italic", "Italic", "italic", "Ctrl+I"],
  ["underline", "Underline", "underline", "Ctrl+U"],
  ["strike", "Strike through", "strike", "Ctrl+Shift+X"],
];

/** How what is selected looks, above it; or where it leads to. */
export function Bubble({ surface }: { surface: TextSurface }) {
  void surface.moves.value;
  const anchor = selectionAnchor(surface);
  const onLeave = () => surface.options.onLeave("blur");
  return surface.isLinking.value ? (
    <Overlay
      anchor={anchor}
      placement="bottom-start"
      class="link-popover"
      role="dialog"
      label="Link"
      onLeave={onLeave}
    >
      <LinkForm surface={surface} />
    </Overlay>
  ) : (
    <Overlay
      anchor={anchor}
      placement="top"
      class="bubble"
      role="toolbar"
      label="Text style"
      onKeyDown={(event) => walk(event, surface)}
      onLeave={onLeave}
    >
      <Tools surface={surface} />
    </Overlay>
  );
}

function Tools({ surface }: { surface: TextSurface }) {
  return (
    <>
      {MARKS.map(([name, words, icon, keys]) => (
        <Tool
          key={name}
          words={`${words} (${keys})`}
          isOn={isMarked(surface, name)}
          onPress={() => toggle(surface, name)}
        >
          <Icon name={icon} size={18} />
        </Tool>
      ))}
      <Tool
        words="Link (Ctrl+K)"
        isOn={linkOf(surface) !== null}
        onPress={() => {
          surface.isLinking.value = true;
        }}
      >
        <Icon name="link" size={18} />
      </Tool>
      <span class="bubble-gap" />
      <ColorTool surface={surface} />
      <SizeTool surface={surface} />
      <Tool words="Clear the style" onPress={() => clearMarks(surface)}>
        <Icon name="plain" size={18} />
      </Tool>
    </>
  );
}

interface ToolProps {
  words: string;
  isOn?: boolean;
  onPress: () => void;
  children: ComponentChildren;
}

function Tool({ words, isOn, onPress, children }: ToolProps) {
  return (
    <button
      type="button"
      class="bubble-tool"
      aria-label={words}
      title={words}
      aria-pressed={isOn}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

function ColorTool({ surface }: { surface: TextSurface }) {
  const color = styleHere(surface, "color");
  const shown = color && /^#[\da-f]{6}$/i.test(color) ? color : "#1b2230";
  return (
    <input
      type="color"
      class="bubble-color"
      aria-label="Colour"
      title="Colour"
      value={shown}
      onChange={({ currentTarget }) => {
        setStyle(surface, "color", currentTarget.value);
        surface.view.focus();
      }}
    />
  );
}

const SIZES = ["7pt", "8pt", "9pt", "10.5pt", "12pt", "14pt", "18pt", "24pt"];

function SizeTool({ surface }: { surface: TextSurface }) {
  const size = styleHere(surface, "font-size") ?? "";
  const known = size === "" || SIZES.includes(size);
  return (
    <select
      class="bubble-size"
      aria-label="Size"
      title="Size"
      value={size}
      onChange={({ currentTarget: { value } }) => {
        setStyle(surface, "font-size", value === "" ? undefined : value);
        surface.view.focus();
      }}
    >
      <option value="">Size</option>
      {!known && <option value={size}>{size}</option>}
      {SIZES.map((one) => (
        <option value={one} key={one}>
          {one.replace("pt", " pt")}
        </option>
      ))}
    </select>
  );
}

/** The arrows lead through the tools; Escape leads back into the text. */
function walk(
  event: TargetedKeyboardEvent<HTMLDivElement>,
  surface: TextSurface,
): void {
  if (event.key === "Escape") {
    event.preventDefault();
    surface.view.focus();
    return;
  }
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const { target } = event;
  if (by === undefined || target instanceof HTMLSelectElement) return;
  event.preventDefault();
  const tools = [
    ...event.currentTarget.querySelectorAll<HTMLElement>("button,input,select"),
  ];
  const at = tools.findIndex((one) => one === document.activeElement);
  tools.at((at + by) % tools.length)?.focus();
}
