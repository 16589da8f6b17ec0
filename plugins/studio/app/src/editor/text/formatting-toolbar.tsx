import { useSignal } from "@preact/signals";
import type { ComponentChildren, TargetedKeyboardEvent } from "preact";
import type { Mark, MarkType } from "prosemirror-model";
import type { Transaction } from "prosemirror-state";
import type { SimpleMark } from "../../../../../../core/plugin-api/definition.js";
import { Button } from "../../ui/button.js";
import { Form } from "../../ui/form.js";
import { Icon, type IconName } from "../../ui/icon.js";
import { getMarkStyle, textSchema } from "./text-document.js";
import { type Anchor, Overlay } from "./overlay.js";
import { type TextSurface, toggleInSelection } from "./text-surface.js";
import { TemplateField } from "./typed-text.js";
import { t } from "../../messages/index.js";

const MARKS: readonly [SimpleMark, string, IconName, string][] = [
  ["bold", t("text.bold"), "bold", "Ctrl+B"],
  ["italic", t("text.italic"), "italic", "Ctrl+I"],
  ["underline", t("text.underline"), "underline", "Ctrl+U"],
  ["strike", t("text.strikethrough"), "strike", "Ctrl+Shift+X"],
];

/** The formatting of the selected text, in a toolbar above it; or the form of its link. */
export function FormattingToolbar({ surface }: { surface: TextSurface }) {
  void surface.moves.value;
  const anchor = getSelectionAnchor(surface);
  const onLeave = () => surface.options.onLeave("blur");
  return surface.isLinking.value ? (
    <Overlay
      anchor={anchor}
      placement="bottom-start"
      class="link-popover"
      role="dialog"
      label={t("common.link")}
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
      label={t("text.textStyle")}
      onKeyDown={(event) => handleToolbarKey(event, surface)}
      onLeave={onLeave}
    >
      <Tools surface={surface} />
    </Overlay>
  );
}

function getSelectionAnchor({ view }: TextSurface): Anchor {
  return {
    element: view.dom,
    rect: () => {
      const { from, to } = view.state.selection;
      const start = view.coordsAtPos(from);
      const end = view.coordsAtPos(to, -1);
      const left = Math.min(start.left, end.left);
      const right = Math.max(start.right, end.right);
      const isOneLine = Math.abs(start.top - end.top) < 4;
      const box = view.dom.getBoundingClientRect();
      const x = isOneLine ? left : box.left;
      const width = isOneLine ? right - left : box.width;
      return new DOMRect(x, start.top, width, end.bottom - start.top);
    },
  };
}

function Tools({ surface }: { surface: TextSurface }) {
  return (
    <>
      {MARKS.map(([name, words, icon, keys]) => (
        <Tool
          key={name}
          words={`${words} (${keys})`}
          isOn={isMarked(surface, name)}
          onPress={() =>
            toggleInSelection(getMarkType(name))(
              surface.view.state,
              surface.view.dispatch,
            )
          }
        >
          <Icon name={icon} size={18} />
        </Tool>
      ))}
      <Tool
        words={t("text.linkCtrlK")}
        isOn={getLink(surface) !== null}
        onPress={() => {
          surface.isLinking.value = true;
        }}
      >
        <Icon name="link" size={18} />
      </Tool>
      <span class="bubble-gap" />
      <ColorTool surface={surface} />
      <SizeTool surface={surface} />
      <Tool
        words={t("text.clearFormatting")}
        onPress={() => clearMarks(surface)}
      >
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
  const color = getStyle(surface, "color");
  const shown = color && /^#[\da-f]{6}$/i.test(color) ? color : "#1b2230";
  return (
    <input
      type="color"
      class="bubble-color"
      aria-label={t("common.color")}
      title={t("common.color")}
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
  const size = getStyle(surface, "font-size") ?? "";
  const known = size === "" || SIZES.includes(size);
  return (
    <select
      class="bubble-size"
      aria-label={t("common.size")}
      title={t("common.size")}
      value={size}
      onChange={({ currentTarget: { value } }) => {
        setStyle(surface, "font-size", value === "" ? undefined : value);
        surface.view.focus();
      }}
    >
      <option value="">{t("common.size")}</option>
      {!known && <option value={size}>{size}</option>}
      {SIZES.map((one) => (
        <option value={one} key={one}>
          {one.replace("pt", " pt")}
        </option>
      ))}
    </select>
  );
}

/** Arrow keys move between the tools; Escape returns to the text. */
function handleToolbarKey(
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

/** Edits the link of the selected text. */
function LinkForm({ surface }: { surface: TextSurface }) {
  const before = getLink(surface);
  const href = useSignal(before ?? "");
  const close = () => {
    surface.isLinking.value = false;
    surface.view.focus();
  };
  const submit = (link: string | null) => {
    setLink(surface, link);
    close();
  };
  return (
    <Form class="link-form" onSend={async () => submit(addScheme(href.value))}>
      <TemplateField
        label={t("text.url")}
        value={href.value}
        owner={surface.options.owner}
        placeholder="https://"
        hint={t("text.linkHelp")}
        takesFocus
        onEscape={close}
        onChange={(value) => {
          href.value = value;
        }}
      />
      <div class="link-end">
        {before !== null && (
          <Button kind="quiet" onPress={() => submit(null)}>
            {t("common.remove")}
          </Button>
        )}
        <Button kind="primary" type="submit">
          {t("text.setLink")}
        </Button>
      </div>
    </Form>
  );
}

/** Adds `https://` to a host and `mailto:` to an email address. */
function addScheme(text: string): string {
  const address = text.trim();
  if (/^[\w-]+(?:\.[\w-]+)+(?:[/?#]|$)/.test(address))
    return `https://${address}`;
  return /^[^\s@{]+@[^\s@{]+$/.test(address) ? `mailto:${address}` : address;
}

/** The style properties that the toolbar sets. */
type StyleName = "color" | "font-size";

function getMarkType(name: SimpleMark | "link" | "style"): MarkType {
  const type = textSchema.marks[name];
  if (!type) throw new Error(`unknown mark ${name}`);
  return type;
}

/** Whether the whole selection has a mark. */
function isMarked({ view }: TextSurface, name: SimpleMark): boolean {
  const { doc, selection } = view.state;
  const { from, to } = selection;
  let isAll = to > from;
  doc.nodesBetween(from, to, (node) => {
    if (node.isInline && !getMarkType(name).isInSet(node.marks)) isAll = false;
  });
  return isAll;
}

/** The `href` of the first link in the selection. */
function getLink(surface: TextSurface): string | null {
  const mark = findFirstMark(surface, "link");
  return mark ? String(mark.attrs["href"]) : null;
}

function setLink(surface: TextSurface, href: string | null): void {
  dispatchStep(surface, (tr) => {
    const { from, to } = tr.selection;
    tr.removeMark(from, to, getMarkType("link"));
    if (href) tr.addMark(from, to, getMarkType("link").create({ href }));
  });
}

function getStyle(surface: TextSurface, name: StyleName): string | undefined {
  const mark = findFirstMark(surface, "style");
  return mark ? getMarkStyle(mark)[name] : undefined;
}

/** Sets one property in the selection; undefined removes it. */
function setStyle(
  surface: TextSurface,
  name: StyleName,
  value: string | undefined,
): void {
  dispatchStep(surface, (tr) => {
    const { from, to } = tr.selection;
    tr.doc.nodesBetween(from, to, (node, place) => {
      if (!node.isInline) return;
      const start = Math.max(from, place);
      const end = Math.min(to, place + node.nodeSize);
      restyle(tr, start, end, node.marks, name, value);
    });
  });
}

function restyle(
  tr: Transaction,
  from: number,
  to: number,
  marks: readonly Mark[],
  name: StyleName,
  value: string | undefined,
): void {
  const type = getMarkType("style");
  const own = marks.filter((mark) => mark.type === type);
  // The innermost style with the property, or else the innermost style.
  const holder =
    own.findLast((mark) => name in getMarkStyle(mark)) ?? own.at(-1);
  const { [name]: _before, ...rest } = holder ? getMarkStyle(holder) : {};
  const style = value === undefined ? rest : { ...rest, [name]: value };
  if (holder) tr.removeMark(from, to, holder);
  if (Object.keys(style).length > 0)
    tr.addMark(from, to, type.create({ style }));
}

function clearMarks(surface: TextSurface): void {
  dispatchStep(surface, (tr) => {
    const { from, to } = tr.selection;
    tr.removeMark(from, to);
  });
}

function findFirstMark(
  { view }: TextSurface,
  name: "link" | "style",
): Mark | null {
  const { doc, selection } = view.state;
  let found: Mark | null = null;
  doc.nodesBetween(selection.from, selection.to, (node) => {
    found ??= getMarkType(name).isInSet(node.marks) ?? null;
  });
  return found;
}

/** Dispatches a change as an undo step of its own. */
function dispatchStep(
  surface: TextSurface,
  recipe: (tr: Transaction) => void,
): void {
  const { tr } = surface.view.state;
  recipe(tr);
  if (tr.docChanged) surface.view.dispatch(tr.setMeta("isStep", true));
}
