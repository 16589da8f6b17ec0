import "./text.css";
import { useSignal } from "@preact/signals";
import type {
  ComponentChildren,
  TargetedFocusEvent,
  TargetedKeyboardEvent,
} from "preact";
import { useId, useRef } from "preact/hooks";
import type {
  ComponentType,
  SimpleMark,
  StyleProperty,
} from "../../../../core/plugin-api/definition.js";
import { locale, t } from "../../messages/index.js";
import { Button } from "../../ui/button.js";
import { Form, useInputText } from "../../ui/form.js";
import { Icon, type IconName } from "../../ui/icon.js";
import { findElements, useAfterRender } from "../canvas/boxes.js";
import { focusSelected } from "../commands/page-commands.js";
import { formatChord } from "../commands/keyboard.js";
import { toHexColor } from "../inspector/fields.js";
import {
  FONT_WEIGHTS,
  editComponentStyle,
  quotedFamily,
  TEXT_ALIGNMENTS,
} from "../inspector/style-fields.js";
import { useEditor } from "../model/editor-context.js";
import type { Editor } from "../model/editor.js";
import { updateComponents } from "../model/edits.js";
import { sameJson } from "../model/same-json.js";
import type { Entry } from "../model/tree.js";
import { Overlay } from "./overlay.js";
import type { TextSurface } from "./text-surface.js";
import { pageSurface, TemplateField } from "./typed-text.js";

// What the bar acts on: the words that are selected in a text, or whole components.

/** The types whose style says how their text looks. */
const STYLED_TYPES: ReadonlySet<ComponentType> = new Set([
  "heading",
  "text",
  "list",
  "list-item",
  "table",
  "table-row",
  "table-cell",
  "button",
  "markdown",
  "html",
  "page-number",
  "container",
  "column",
] as const);

interface Target {
  /** Those with text: the one that is being edited, or the selected ones. */
  entries: readonly Entry[];
  /** The text that is being edited. */
  surface: TextSurface | null;
  /** Whether words are selected in it, which are meant rather than the whole component. */
  hasWords: boolean;
}

/** Follows the selection, also that within a text. */
function getTarget(editor: Editor): Target {
  const surface = pageSurface.value;
  void surface?.moves.value;
  const typed = editor.drawnTree.value.entries.get(
    surface?.options.owner ?? "",
  );
  const entries = (surface && typed ? [typed] : editor.selection.value).filter(
    ({ component }) => STYLED_TYPES.has(component.type),
  );
  const hasWords = surface?.format.hasWords ?? false;
  return { entries, surface, hasWords };
}

/** How the text looks: each property as all of it has it, null where it differs. */
interface Look {
  family: string | null;
  /** In CSS px. */
  size: number | null;
  weight: string | null;
  /** As `#rrggbb`. */
  color: string | null;
  align: string | null;
  isItalic: boolean;
  isUnderlined: boolean;
  isStruck: boolean;
}

/** What the page shows, so that inherited values and those of named styles are included. */
function readLook(target: Target): Look | null {
  const page = document.querySelector(".canvas");
  const { surface, hasWords, entries } = target;
  if (!page || entries.length === 0) return null;
  const elements =
    surface && hasWords
      ? surface.format.findElements()
      : findElements(page, entries).map(findTextElement);
  const styles = elements.map((element) => getComputedStyle(element));
  const common = <T,>(read: (style: CSSStyleDeclaration) => T): T | null => {
    const [first, ...others] = new Set(styles.map(read));
    return first === undefined || others.length > 0 ? null : first;
  };
  const decorates = (line: string) =>
    styles.length > 0 &&
    styles.every((style) => style.textDecorationLine.includes(line));
  return {
    family: common((style) => getFamily(style.fontFamily)),
    size: common((style) => Math.round(parseFloat(style.fontSize) * 100) / 100),
    weight: common((style) => style.fontWeight),
    color: common((style) => toHex(style.color)),
    align: common(getAlign),
    isItalic: common((style) => style.fontStyle === "italic") === true,
    isUnderlined: decorates("underline"),
    isStruck: decorates("line-through"),
  };
}

/** In an email, a component's text is inside the row around it. */
function findTextElement(element: HTMLElement): Element {
  const inner = element.matches(".mail-row") ? element.firstElementChild : null;
  return inner ?? element;
}

function getFamily(families: string): string {
  const [first = ""] = families.split(",");
  return first.trim().replaceAll(/^["']|["']$/g, "");
}

function toHex(color: string): string | null {
  const [, ...parts] = /^rgba?\((\d+), (\d+), (\d+)/.exec(color) ?? [];
  const hex = parts.map((part) => Number(part).toString(16).padStart(2, "0"));
  return hex.length === 3 ? `#${hex.join("")}` : null;
}

function getAlign({ textAlign, direction }: CSSStyleDeclaration): string {
  const [start, end] =
    direction === "rtl" ? ["right", "left"] : ["left", "right"];
  if (textAlign === "end") return end;
  return textAlign === "start" ? start : textAlign.replace("-webkit-", "");
}

/** Whether a property is set here, rather than inherited. */
function isOwn(target: Target, property: StyleProperty): boolean {
  const { entries, surface, hasWords } = target;
  if (surface && hasWords)
    return surface.format.getStyle(property) !== undefined;
  return entries.some(
    ({ component }) =>
      component.style?.[property] !== undefined ||
      (property === "text-align" &&
        "align" in component &&
        component.align !== undefined),
  );
}

/** Undefined makes the property inherited again. */
function setProperty(
  editor: Editor,
  { entries, surface, hasWords }: Target,
  property: StyleProperty,
  value: string | undefined,
): void {
  if (surface && hasWords) {
    surface.format.setStyle(property, value);
    surface.view.focus();
    return;
  }
  editComponentStyle(editor, entries).set(property, value);
  editor.endThread();
  surface?.view.focus();
}

/** A cell has a property for its alignment. */
function setAlign(
  editor: Editor,
  { entries, surface }: Target,
  value: string | undefined,
): void {
  const name = t("style.changeProperty", { property: t("content.align") });
  const ids = entries.map(({ id }) => id);
  updateComponents(editor, ids, name, (draft) => {
    const { "text-align": _before, ...rest } = draft.style ?? {};
    const alignment = CELL_ALIGNMENTS.find((candidate) => candidate === value);
    if (draft.type === "table-cell") delete draft.align;
    const isProperty = draft.type === "table-cell" && alignment !== undefined;
    const style =
      value === undefined || isProperty
        ? rest
        : { ...rest, "text-align": value };
    if (draft.type === "table-cell" && alignment !== undefined)
      draft.align = alignment;
    if (Object.keys(style).length === 0) delete draft.style;
    else draft.style = style;
  });
  surface?.view.focus();
}

const CELL_ALIGNMENTS = ["left", "center", "right"] as const;

const TEXT_PROPERTIES: ReadonlySet<string> = new Set([
  "font-family",
  "font-size",
  "font-weight",
  "font-style",
  "color",
  "text-decoration",
  "text-align",
] satisfies StyleProperty[]);

function clearFormat(editor: Editor, target: Target): void {
  const { surface, hasWords, entries } = target;
  if (surface && hasWords) {
    surface.format.clear();
    return;
  }
  const ids = entries.map(({ id }) => id);
  updateComponents(editor, ids, t("text.clearFormatting"), (draft) => {
    const keptProperties = Object.entries(draft.style ?? {}).filter(
      ([property]) => !TEXT_PROPERTIES.has(property),
    );
    if (keptProperties.length === 0) delete draft.style;
    else draft.style = Object.fromEntries(keptProperties);
    if (draft.type === "table-cell") delete draft.align;
  });
}

// The bar

/** The format of the selected words or components, in a bar above the page. */
export function TextBar() {
  const editor = useEditor();
  const hintId = useId();
  const look = useSignal<Look | null>(null);
  const bar = useRef<HTMLDivElement>(null);
  useAfterRender(
    () => {
      void getTarget(editor);
      void editor.definition.value;
      void editor.facts.value;
    },
    () => {
      const next = readLook(getTarget(editor));
      if (!sameJson(next, look.peek())) look.value = next;
      return undefined;
    },
  );
  if (!editor.mayEdit) return null;
  const target = getTarget(editor);
  const { surface } = target;
  const isDisabled = target.entries.length === 0;
  const props = { editor, target, look: look.value, isDisabled };
  return (
    <div
      ref={bar}
      class="text-bar"
      role="toolbar"
      aria-label={t("text.textStyle")}
      aria-describedby={isDisabled ? hintId : undefined}
      data-text-overlay
      // It scrolls in narrow windows: while nothing in it has the focus, its own scrolls it.
      tabIndex={isDisabled ? 0 : undefined}
      onKeyDown={(event) => handleKey(event, editor, surface)}
      onFocusOut={(event) => leaveText(event, surface)}
    >
      <span class={`text-bar-fields ${isDisabled ? "is-away" : ""}`}>
        <FamilyField {...props} />
        <SizeField {...props} />
        <WeightField {...props} />
        {isDisabled && (
          <span class="text-bar-hint" id={hintId}>
            {t("text.selectTextToFormat")}
          </span>
        )}
      </span>
      <span class="text-bar-group">
        {MARKS.map(([name, words, icon, chord]) => (
          <Tool
            key={name}
            words={t("text.nameWithKeys", {
              name: words,
              keys: formatChord(chord, "+"),
            })}
            isDisabled={isDisabled}
            isOn={isFormatted(props, name)}
            onPress={() => toggleFormat(props, name)}
          >
            <Icon name={icon} size={18} />
          </Tool>
        ))}
        <ColorField {...props} />
      </span>
      <span class="text-bar-group">
        {TEXT_ALIGNMENTS.map(([value, words, icon]) => (
          <Tool
            key={value}
            words={words}
            isDisabled={isDisabled}
            isOn={look.value?.align === value}
            onPress={() =>
              setAlign(
                editor,
                target,
                look.value?.align === value ? undefined : value,
              )
            }
          >
            <Icon name={icon} size={18} />
          </Tool>
        ))}
      </span>
      <span class="text-bar-group">
        <Tool
          words={t("text.nameWithKeys", {
            name: t("common.link"),
            keys: formatChord("Mod+K", "+"),
          })}
          isDisabled={!target.hasWords}
          isOn={surface !== null && surface.format.getLink() !== null}
          onPress={() => {
            if (surface) surface.isLinking.value = true;
          }}
        >
          <Icon name="link" size={18} />
        </Tool>
        <Tool
          words={t("text.clearFormatting")}
          isDisabled={isDisabled}
          onPress={() => clearFormat(editor, target)}
        >
          <Icon name="plain" size={18} />
        </Tool>
      </span>
      {surface?.isLinking.value && <LinkPopover surface={surface} />}
    </div>
  );
}

/** Arrow keys move between the tools; Escape returns to the text or the component. */
function handleKey(
  event: TargetedKeyboardEvent<HTMLDivElement>,
  editor: Editor,
  surface: TextSurface | null,
): void {
  event.stopPropagation();
  if (event.key === "Escape") {
    event.preventDefault();
    if (surface) surface.view.focus();
    else focusSelected(editor);
    return;
  }
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const { target, currentTarget } = event;
  if (by === undefined || !(target instanceof HTMLButtonElement)) return;
  event.preventDefault();
  const tools = [
    ...currentTarget.querySelectorAll<HTMLElement>(
      ":is(button,input,select):enabled",
    ),
  ];
  tools.at((tools.indexOf(target) + by) % tools.length)?.focus();
}

/** Ends the editing of the text when the focus moves from the bar to an unrelated element. */
function leaveText(
  { relatedTarget: to }: TargetedFocusEvent<HTMLDivElement>,
  surface: TextSurface | null,
): void {
  if (!(to instanceof Element) || !surface || surface.view.dom.contains(to))
    return;
  if (!to.closest("[data-text-overlay]")) surface.options.onLeave("blur");
}

interface ToolProps {
  words: string;
  isOn?: boolean;
  isDisabled: boolean;
  onPress: () => void;
  children: ComponentChildren;
}

function Tool({ words, isOn, isDisabled, onPress, children }: ToolProps) {
  return (
    <button
      type="button"
      class="text-bar-tool"
      aria-label={words}
      title={words}
      aria-pressed={isOn}
      disabled={isDisabled}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

interface FieldProps {
  editor: Editor;
  target: Target;
  /** Null before the page has rendered. */
  look: Look | null;
  isDisabled: boolean;
}

const MARKS: readonly [SimpleMark, string, IconName, string][] = [
  ["bold", t("style.bold"), "bold", "Mod+B"],
  ["italic", t("text.italic"), "italic", "Mod+I"],
  ["underline", t("text.underline"), "underline", "Mod+U"],
  ["strike", t("text.strikethrough"), "strike", "Mod+Shift+X"],
];

function isFormatted({ target, look }: FieldProps, name: SimpleMark): boolean {
  const { surface, hasWords } = target;
  if (surface && hasWords && surface.format.isMarked(name)) return true;
  if (surface && !hasWords && surface.format.isStored(name)) return true;
  if (!look) return false;
  if (name === "bold") return Number(look.weight) >= 600;
  if (name === "italic") return look.isItalic;
  // The computed style of words has only their own lines.
  if (hasWords) return false;
  return name === "underline" ? look.isUnderlined : look.isStruck;
}

/** At the caret, what is typed next gets the mark, as with the keys. */
function toggleFormat(props: FieldProps, name: SimpleMark): void {
  const { editor, target, look } = props;
  const { surface, hasWords, entries } = target;
  const isOn = isFormatted(props, name);
  const isEmpty = surface?.view.state.doc.content.size === 0;
  if (surface && hasWords) {
    const isInherited = isOn && !surface.format.isMarked(name);
    if (isInherited && name === "bold")
      setProperty(editor, target, "font-weight", "400");
    else if (isInherited && name === "italic")
      setProperty(editor, target, "font-style", "normal");
    else surface.format.toggle(name);
    return;
  }
  if (surface && !isEmpty) {
    surface.format.toggleStored(name);
    return;
  }
  const style = editComponentStyle(editor, entries);
  const toggle = (property: StyleProperty, on: string, off: string) =>
    style.set(
      property,
      !isOn ? on : style.style[property] === on ? undefined : off,
    );
  // As bold words print.
  if (name === "bold") toggle("font-weight", "600", "400");
  else if (name === "italic") toggle("font-style", "italic", "normal");
  else {
    const lines = [
      (look?.isUnderlined ?? false) !== (name === "underline") && "underline",
      (look?.isStruck ?? false) !== (name === "strike") && "line-through",
    ].filter(Boolean);
    style.set("text-decoration", lines.join(" ") || undefined);
  }
  editor.endThread();
}

const INHERITED = "";

function FamilyField({ editor, target, look, isDisabled }: FieldProps) {
  const { fontFamilies } = editor.design;
  return (
    <Choice
      label={t("style.font")}
      class="text-bar-family"
      value={look?.family ?? null}
      isOwn={isOwn(target, "font-family")}
      isDisabled={isDisabled}
      options={fontFamilies.map((family) => [family, family])}
      onChange={(family) =>
        setProperty(
          editor,
          target,
          "font-family",
          family && quotedFamily(family),
        )
      }
    />
  );
}

function WeightField({ editor, target, look, isDisabled }: FieldProps) {
  return (
    <Choice
      label={t("style.weight")}
      class="text-bar-weight"
      value={look?.weight ?? null}
      isOwn={isOwn(target, "font-weight")}
      isDisabled={isDisabled}
      options={FONT_WEIGHTS}
      onChange={(weight) => setProperty(editor, target, "font-weight", weight)}
    />
  );
}

interface ChoiceProps {
  label: string;
  class: string;
  /** Null if it differs. */
  value: string | null;
  isOwn: boolean;
  isDisabled: boolean;
  options: readonly (readonly [value: string, words: string])[];
  /** Undefined for the inherited value. */
  onChange: (value: string | undefined) => void;
}

/** Shows the value that applies, pale if it is inherited. */
function Choice({ label, value, options, onChange, ...props }: ChoiceProps) {
  const isListed = options.some(([option]) => option === value);
  return (
    <select
      class={`text-bar-field ${props.class}${props.isOwn ? "" : " is-inherited"}`}
      aria-label={label}
      title={getTitle(label, props)}
      disabled={props.isDisabled}
      value={value ?? "mixed"}
      onChange={({ currentTarget }) =>
        onChange(
          currentTarget.value === INHERITED ? undefined : currentTarget.value,
        )
      }
    >
      <option value={INHERITED}>{t("common.inherited")}</option>
      {value === null && <option value="mixed" disabled />}
      {value !== null && !isListed && <option value={value}>{value}</option>}
      {options.map(([option, words]) => (
        <option value={option} key={option}>
          {words}
        </option>
      ))}
    </select>
  );
}

function getTitle(
  name: string,
  { isOwn: isOwnValue, isDisabled }: Pick<ChoiceProps, "isOwn" | "isDisabled">,
): string {
  return isOwnValue || isDisabled ? name : t("text.nameInherited", { name });
}

const MIN_SIZE = 1;
const MAX_SIZE = 400;
const PX_PER_PT = 4 / 3;

/** Documents have sizes in points, emails in CSS px. */
function SizeField({ editor, target, look, isDisabled }: FieldProps) {
  const unit = editor.templateType === "email" ? "px" : "pt";
  const scale = unit === "px" ? 1 : PX_PER_PT;
  const size =
    look === null || look.size === null
      ? null
      : Math.round((look.size / scale) * 100) / 100;
  const [typed, setTyped] = useInputText(size);
  const sizeText =
    size === null ? "" : new Intl.NumberFormat(locale).format(size);
  const set = (next: number | undefined) =>
    setProperty(
      editor,
      target,
      "font-size",
      next === undefined
        ? undefined
        : `${Math.min(MAX_SIZE, Math.max(MIN_SIZE, next))}${unit}`,
    );
  const step = (by: number) => {
    if (size !== null) set(size + by);
  };
  const commit = () => {
    if (typed === null || typed === sizeText) return;
    setTyped(null, size);
    const number = Number(typed.replace(",", ".").replace(/[a-z\s]+$/i, ""));
    if (typed.trim() === "") set(undefined);
    else if (number > 0) set(number);
  };
  const label = t("text.sizeInUnit", { unit });
  const isOwnSize = isOwn(target, "font-size");
  return (
    <span class="text-bar-size" role="group" aria-label={t("common.size")}>
      <Tool
        words={t("text.smaller")}
        isDisabled={isDisabled || size === null}
        onPress={() => step(-1)}
      >
        <Icon name="minus" size={14} />
      </Tool>
      <input
        class={`text-bar-field${isOwnSize ? "" : " is-inherited"}`}
        inputMode="decimal"
        aria-label={label}
        title={getTitle(label, { isOwn: isOwnSize, isDisabled })}
        disabled={isDisabled}
        value={
          typed ??
          (sizeText === ""
            ? ""
            : t("text.sizeWithUnit", { size: sizeText, unit }))
        }
        onFocus={({ currentTarget }) => currentTarget.select()}
        onInput={({ currentTarget }) => setTyped(currentTarget.value, size)}
        onBlur={commit}
        onKeyDown={(event) => {
          const act = {
            Enter: commit,
            ArrowUp: () => step(1),
            ArrowDown: () => step(-1),
          }[event.key];
          if (!act) return;
          // The focus moves to the text, which must not get the key.
          event.preventDefault();
          act();
        }}
      />
      <Tool
        words={t("text.larger")}
        isDisabled={isDisabled || size === null}
        onPress={() => step(1)}
      >
        <Icon name="plus" size={14} />
      </Tool>
    </span>
  );
}

function ColorField({ editor, target, look, isDisabled }: FieldProps) {
  const isOwnColor = isOwn(target, "color");
  return (
    <input
      type="color"
      class="text-bar-color"
      aria-label={t("common.color")}
      title={getTitle(t("common.color"), { isOwn: isOwnColor, isDisabled })}
      disabled={isDisabled}
      value={toHexColor(look?.color ?? undefined) ?? "#ffffff"}
      onChange={({ currentTarget }) =>
        setProperty(editor, target, "color", currentTarget.value)
      }
    />
  );
}

// Links

function LinkPopover({ surface }: { surface: TextSurface }) {
  void surface.moves.value;
  return (
    <Overlay
      anchor={{
        element: surface.view.dom,
        rect: () => surface.format.getBox(),
      }}
      placement="bottom-start"
      class="link-popover"
      role="dialog"
      label={t("common.link")}
      onLeave={() => surface.options.onLeave("blur")}
    >
      <LinkForm surface={surface} />
    </Overlay>
  );
}

function LinkForm({ surface }: { surface: TextSurface }) {
  const before = surface.format.getLink();
  const href = useSignal(before ?? "");
  const close = () => {
    surface.isLinking.value = false;
    surface.view.focus();
  };
  const submit = (link: string | null) => {
    surface.format.setLink(link);
    close();
  };
  return (
    <Form class="link-form" onSend={async () => submit(addScheme(href.value))}>
      <TemplateField
        label={t("common.url")}
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
