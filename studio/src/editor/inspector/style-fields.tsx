import { useSignal } from "@preact/signals";
import { useId, useState } from "preact/hooks";
import type {
  Style,
  StyleProperty,
} from "../../../../core/plugin-api/definition.js";
import { IconButton } from "../../ui/icon-button.js";
import { useEditor } from "../model/editor-context.js";
import type { Editor } from "../model/editor.js";
import { updateComponents } from "../model/edits.js";
import type { Entry } from "../model/tree.js";
import { describeSchemaProperty } from "../session/descriptions.js";
import type { Control } from "./control.js";
import { ControlFields } from "./control-fields.js";
import { ColorField, Group, SelectField, Suggestions } from "./fields.js";
import { LengthField, SidesField } from "./length-field.js";
import {
  type Border,
  type BorderSide,
  getBorder,
  getSides,
  withBorder,
  withSides,
} from "./style-properties.js";
import { t } from "../../messages/index.js";

export const FONT_WEIGHTS = [
  ["300", t("style.light")],
  ["400", t("style.regular")],
  ["500", t("style.medium")],
  ["600", t("style.semibold")],
  ["700", t("style.bold")],
] as const;

export const TEXT_ALIGNMENTS = [
  ["left", t("common.left"), "align-left"],
  ["center", t("common.center"), "align-center"],
  ["right", t("common.right"), "align-right"],
  ["justify", t("style.justify"), "align-both"],
] as const;

const textControls: readonly Control<StyleProperty>[] = [
  {
    property: "font-size",
    label: t("common.size"),
    kind: "size",
    isRelative: true,
    unit: "pt",
    placeholder: t("common.inherited"),
  },
  {
    property: "font-weight",
    label: t("style.weight"),
    kind: "select",
    none: t("common.inherited"),
    options: FONT_WEIGHTS,
  },
  {
    property: "color",
    label: t("common.color"),
    kind: "color",
    placeholder: t("common.inherited"),
  },
  {
    property: "text-align",
    label: t("content.align"),
    kind: "icons",
    options: TEXT_ALIGNMENTS,
  },
  {
    property: "line-height",
    label: t("style.lineHeight"),
    kind: "text",
    placeholder: "1.5",
  },
];

const boxControls: readonly Control<StyleProperty>[] = [
  {
    property: "border-radius",
    label: t("style.cornerRadius"),
    kind: "size",
    unit: "pt",
    placeholder: t("common.none"),
  },
  {
    property: "width",
    label: t("common.width"),
    kind: "size",
    isRelative: true,
    placeholder: t("style.fullWidth"),
  },
  {
    property: "height",
    label: t("common.height"),
    kind: "size",
    isRelative: true,
    placeholder: t("common.automatic"),
  },
];

interface FieldsProps {
  styleEditor: StyleEditor;
}

/** The most common properties of a style. */
export function StyleFields({ styleEditor }: FieldsProps) {
  const { style, set, replace, leave } = styleEditor;
  const controls = {
    values: style,
    owner: null,
    onChange: (property: StyleProperty, value: unknown) =>
      set(property, (typeof value === "string" && value.trim()) || undefined),
  };
  return (
    <>
      <Group title={t("common.text")}>
        <FontField styleEditor={styleEditor} />
        <ControlFields {...controls} controls={textControls} />
      </Group>
      <Group title={t("components.box")}>
        <ColorField
          label={t("style.background")}
          value={style["background-color"] ?? style.background}
          onChange={(color) =>
            set(style.background ? "background" : "background-color", color)
          }
          onLeave={leave}
        />
        <ControlFields {...controls} controls={boxControls} />
      </Group>
      <BorderFields styleEditor={styleEditor} />
      <Group title={t("style.spacing")}>
        <SidesField
          label={t("style.padding")}
          value={getSides(style, "padding")}
          unit="pt"
          placeholder={t("common.none")}
          onChange={(next) =>
            replace(t("style.changePadding"), withSides(style, "padding", next))
          }
          onLeave={leave}
        />
        <SidesField
          label={t("common.margin")}
          value={getSides(style, "margin")}
          unit="pt"
          placeholder={t("common.none")}
          onChange={(next) =>
            replace(t("style.changeMargin"), withSides(style, "margin", next))
          }
          onLeave={leave}
        />
      </Group>
    </>
  );
}

function FontField({ styleEditor: { style, set } }: FieldsProps) {
  const { design, brand } = useEditor();
  const { headingFont, bodyFont } = brand.value ?? {};
  const first = [headingFont, bodyFont].filter((font) => font != null);
  const fontFamilies = [...new Set([...first, ...design.fontFamilies])];
  const fontFamily = style["font-family"];
  const plain = fontFamily?.replaceAll(/["']/g, "");
  return (
    <SelectField
      label={t("style.font")}
      value={fontFamilies.find((family) => family === plain) ?? fontFamily}
      none={t("common.inherited")}
      options={fontFamilies.map((family) => [family, family])}
      onChange={(family) => set("font-family", family && quotedFamily(family))}
    />
  );
}

/** Quotes the family if CSS requires it. */
export function quotedFamily(family: string): string {
  return /^[\w-]+$/.test(family) ? family : `"${family}"`;
}

const lines = [
  ["solid", t("style.solid")],
  ["dashed", t("style.dashed")],
  ["dotted", t("style.dotted")],
  ["double", t("style.double")],
] as const;

const sides = [
  ["all", t("style.allSides")],
  ["top", t("common.top")],
  ["right", t("common.right")],
  ["bottom", t("common.bottom")],
  ["left", t("common.left")],
] as const;

const initialBorder: Border = { width: "1pt", line: "solid" };

function BorderFields({ styleEditor }: FieldsProps) {
  const { style, replace, leave } = styleEditor;
  const first = sides.find(
    ([borderSide]) => getBorder(style, borderSide) !== null,
  );
  const side = useSignal<BorderSide>(first?.[0] ?? "all");
  const border = getBorder(style, side.value);
  const set = (next: Border | null) =>
    replace(t("style.changeBorder"), withBorder(style, side.value, next));
  return (
    <Group title={t("style.border")} isFolded={!first}>
      <SelectField
        label={t("style.sides")}
        value={side.value}
        options={sides}
        onChange={(chosen) => {
          side.value = chosen ?? "all";
        }}
      />
      <SelectField
        label={t("components.line")}
        value={border?.line === "none" ? undefined : border?.line}
        none={t("common.none")}
        options={lines}
        onChange={(line) =>
          set(
            line === undefined ? null : { ...(border ?? initialBorder), line },
          )
        }
      />
      {border && (
        <>
          <LengthField
            label={t("style.thickness")}
            value={border.width}
            unit="pt"
            onChange={(width) => set(width ? { ...border, width } : null)}
            onLeave={leave}
          />
          <ColorField
            label={t("style.lineColor")}
            value={border.color}
            placeholder={t("style.sameAsText")}
            onChange={(color) => set({ ...border, color })}
            onLeave={leave}
          />
        </>
      )}
    </Group>
  );
}

/** All properties of a style as text; values may contain placeholders. */
export function AllProperties({ styleEditor }: FieldsProps) {
  const set = Object.entries(styleEditor.style);
  const title =
    set.length === 0
      ? t("style.allProperties")
      : t("style.allPropertiesWithCount", { count: set.length });
  return (
    <Group title={title} isFolded>
      {set.map(([name, value]) => (
        <PropertyRow
          styleEditor={styleEditor}
          name={name}
          value={value}
          key={name}
        />
      ))}
      <NewProperty styleEditor={styleEditor} />
    </Group>
  );
}

interface PropertyRowProps {
  styleEditor: StyleEditor;
  name: string;
  value: string;
}

function PropertyRow({ styleEditor, name, value }: PropertyRowProps) {
  const id = useId();
  const property = usePropertyNamed(name);
  if (!property) return null;
  return (
    <div class="prop-row wide">
      <label for={id}>{name}</label>
      <div class="prop-pair">
        <input
          id={id}
          class="input small"
          spellcheck={false}
          value={value}
          onInput={({ currentTarget }) =>
            styleEditor.set(property, currentTarget.value)
          }
          onBlur={styleEditor.leave}
        />
        <IconButton
          icon="close"
          label={t("common.removeName", { name })}
          onPress={() => styleEditor.set(property, undefined)}
        />
      </div>
    </div>
  );
}

function NewProperty({ styleEditor }: FieldsProps) {
  const id = useId();
  const list = useId();
  const [typed, setTyped] = useState("");
  const { styleProperties } = useEditor().design;
  const property = usePropertyNamed(typed.trim().toLowerCase());
  const add = (event: Event) => {
    event.preventDefault();
    if (!property) return;
    styleEditor.set(property, styleEditor.style[property] ?? "");
    setTyped("");
  };
  return (
    <form class="prop-row wide" onSubmit={add}>
      <label for={id}>{t("style.addProperty")}</label>
      <div class="prop-pair">
        <input
          id={id}
          class="input small"
          list={list}
          spellcheck={false}
          placeholder="letter-spacing"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Suggestions
          id={list}
          options={styleProperties.map((styleProperty) => [styleProperty, ""])}
        />
        <IconButton type="submit" icon="plus" label={t("common.add")} />
      </div>
      {typed !== "" && !property && (
        <small class="prop-hint">{t("style.chooseFromList")}</small>
      )}
    </form>
  );
}

function usePropertyNamed(name: string): keyof Style | undefined {
  return useEditor().design.styleProperties.find(
    (property) => property === name,
  );
}

/** Reads and changes a style, either of a component or a named one. */
export interface StyleEditor {
  style: Style;
  /** Undefined removes the property. */
  set: (property: StyleProperty, value: string | undefined) => void;
  /** Replaces the style as one undoable change with this name. */
  replace: (name: string, style: Style) => void;
  /** Makes the next change a separate undo step. */
  leave: () => void;
}

/** The properties that all of these components have in common. Changes apply to each of them. */
export function editComponentStyle(
  editor: Editor,
  entries: readonly Entry[],
): StyleEditor {
  const [first = {}, ...others] = entries.map(
    ({ component }) => component.style ?? {},
  );
  const common = pick(first, (property) =>
    others.every((style) => style[property] === first[property]),
  );
  const ids = entries.map(({ id }) => id);
  return createStyleEditor(
    editor,
    common,
    (property) => t("style.changeProperty", { property }),
    (name, next) =>
      updateComponents(
        editor,
        ids,
        name,
        (draft) => {
          const style = applyChanges(draft.style ?? {}, common, next);
          if (Object.keys(style).length === 0) delete draft.style;
          else draft.style = style;
        },
        `style:${ids.join()}:${name}`,
      ),
  );
}

/** Applies the changes from one style to another to a third one. A property that was set replaces its longhands. */
function applyChanges(style: Style, from: Style, to: Style): Style {
  const changed = pick(to, (property) => to[property] !== from[property]);
  const names = Object.keys(changed);
  const unchanged = pick(style, (property) => {
    const isRemoved = property in from && !(property in to);
    const isReplaced =
      !(property in to) &&
      names.some((name) => property.startsWith(`${name}-`));
    return !isRemoved && !isReplaced;
  });
  return { ...unchanged, ...changed };
}

function pick(style: Style, isKept: (property: keyof Style) => boolean): Style {
  return Object.fromEntries(
    Object.entries(style).filter(([property]) =>
      // The names of a style's entries are its properties.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      isKept(property as keyof Style),
    ),
  );
}

export function editNamedStyle(editor: Editor, name: string): StyleEditor {
  return createStyleEditor(
    editor,
    editor.definition.value.styles?.[name] ?? {},
    (property) => t("style.changePropertyOfName", { property, name }),
    (change, next) =>
      editor.change(
        change,
        (draft) => {
          (draft.styles ??= {})[name] = next;
        },
        `style:.${name}:${change}`,
      ),
  );
}

function createStyleEditor(
  editor: Editor,
  style: Style,
  nameChange: (property: string) => string,
  replace: StyleEditor["replace"],
): StyleEditor {
  return {
    style,
    replace,
    set: (property, value) => {
      // A changed property keeps its place.
      const { [property]: _gone, ...rest } = style;
      const next = value === undefined ? rest : { ...style, [property]: value };
      replace(nameChange(describeSchemaProperty([property])), next);
    },
    leave: () => editor.endThread(),
  };
}
