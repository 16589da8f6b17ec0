import { useSignal } from "@preact/signals";
import { useId, useState } from "preact/hooks";
import type { Style } from "../../../../../../../core/plugin-api/definition.js";
import { Button } from "../../../ui/button.js";
import { Icon } from "../../../ui/icon.js";
import { useEditor } from "../../model/editor-context.js";
import { ColorField } from "../controls/color-field.js";
import {
  ChoiceField,
  Group,
  SelectField,
  Suggestions,
  TextField,
} from "../controls/fields.js";
import { LengthField, SidesField } from "../controls/length-field.js";
import {
  type Border,
  getBorder,
  type BorderSide,
  getSides,
  withBorder,
  withSides,
} from "./style-properties.js";
import type { StyleEditor } from "./style-editor.js";
import { t } from "../../../messages/index.js";

const weights = [
  ["300", t("style.light")],
  ["400", t("style.regular")],
  ["500", t("style.medium")],
  ["600", t("style.semibold")],
  ["700", t("style.bold")],
] as const;

const aligns = [
  ["left", t("common.left"), "align-left"],
  ["center", t("common.center"), "align-center"],
  ["right", t("common.right"), "align-right"],
  ["justify", t("style.justify"), "align-both"],
] as const;

interface FieldsProps {
  desk: StyleEditor;
}

/** The most common properties of a style. */
export function StyleFields({ desk }: FieldsProps) {
  return (
    <>
      <TypeFields desk={desk} />
      <BoxFields desk={desk} />
      <BorderFields desk={desk} />
      <SpacingFields desk={desk} />
    </>
  );
}

function TypeFields({ desk }: FieldsProps) {
  const { style, set, leave } = desk;
  return (
    <Group title={t("common.text")}>
      <FontField desk={desk} />
      <LengthField
        label={t("common.size")}
        value={style["font-size"]}
        isRelative
        unit="pt"
        placeholder={t("common.inherited")}
        onChange={(size) => set("font-size", size)}
        onLeave={leave}
      />
      <WeightField desk={desk} />
      <ColorField
        label={t("common.color")}
        value={style.color}
        placeholder={t("common.inherited")}
        onChange={(color) => set("color", color)}
        onLeave={leave}
      />
      <ChoiceField
        label={t("content.align")}
        value={style["text-align"]}
        options={aligns}
        onChange={(align) => set("text-align", align)}
      />
      <TextField
        label={t("style.lineHeight")}
        value={style["line-height"] ?? ""}
        placeholder="1.5"
        onChange={(height) => set("line-height", height.trim() || undefined)}
        onLeave={leave}
      />
    </Group>
  );
}

function WeightField({ desk: { style, set } }: FieldsProps) {
  return (
    <SelectField
      label={t("style.weight")}
      value={weights.find(([one]) => one === style["font-weight"])?.[0]}
      none={style["font-weight"] ?? t("common.inherited")}
      options={weights}
      onChange={(weight) => set("font-weight", weight)}
    />
  );
}

function FontField({ desk: { style, set } }: FieldsProps) {
  const { fontFamilies } = useEditor().design;
  const families = fontFamilies.map((family) => [family, family] as const);
  const own = style["font-family"];
  const known = families.find(([one]) => own?.replaceAll(/["']/g, "") === one);
  return (
    <SelectField
      label={t("style.font")}
      value={known?.[0] ?? own}
      none={t("common.inherited")}
      options={own && !known ? [...families, [own, own]] : families}
      onChange={(family) => set("font-family", family && quotedFamily(family))}
    />
  );
}

function BoxFields({ desk: { style, set, leave } }: FieldsProps) {
  return (
    <Group title={t("style.box")}>
      <ColorField
        label={t("style.background")}
        value={style["background-color"] ?? style.background}
        onChange={(color) =>
          set(style.background ? "background" : "background-color", color)
        }
        onLeave={leave}
      />
      <LengthField
        label={t("style.cornerRadius")}
        value={style["border-radius"]}
        unit="pt"
        placeholder={t("common.none")}
        onChange={(radius) => set("border-radius", radius)}
        onLeave={leave}
      />
      <LengthField
        label={t("common.width")}
        value={style.width}
        isRelative
        placeholder={t("style.fullWidth")}
        onChange={(width) => set("width", width)}
        onLeave={leave}
      />
      <LengthField
        label={t("common.height")}
        value={style.height}
        isRelative
        placeholder={t("common.automatic")}
        onChange={(height) => set("height", height)}
        onLeave={leave}
      />
    </Group>
  );
}

function SpacingFields({ desk: { style, replace, leave } }: FieldsProps) {
  return (
    <Group title={t("style.spacing")}>
      <SidesField
        label={t("style.padding")}
        value={getSides(style, "padding")}
        unit="pt"
        placeholder={t("common.none")}
        onChange={(sides) =>
          replace(t("style.changePadding"), withSides(style, "padding", sides))
        }
        onLeave={leave}
      />
      <SidesField
        label={t("common.margin")}
        value={getSides(style, "margin")}
        unit="pt"
        placeholder={t("common.none")}
        onChange={(sides) =>
          replace(t("style.changeMargin"), withSides(style, "margin", sides))
        }
        onLeave={leave}
      />
    </Group>
  );
}

/** Quotes the family if CSS requires it. */
function quotedFamily(family: string): string {
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

const usual: Border = { width: "1pt", line: "solid" };

function BorderFields({ desk }: { desk: StyleEditor }) {
  const { style, replace, leave } = desk;
  const first = sides.find(([one]) => getBorder(style, one) !== null);
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
        onChange={(one) => {
          side.value = one ?? "all";
        }}
      />
      <SelectField
        label={t("style.line")}
        value={lines.find(([one]) => one === border?.line)?.[0]}
        none={border && border.line !== "none" ? border.line : t("common.none")}
        options={lines}
        onChange={(line) =>
          set(line === undefined ? null : { ...(border ?? usual), line })
        }
      />
      {border && <LineFields border={border} set={set} leave={leave} />}
    </Group>
  );
}

interface LineFieldsProps {
  border: Border;
  set: (border: Border | null) => void;
  leave: () => void;
}

function LineFields({ border, set, leave }: LineFieldsProps) {
  return (
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
  );
}

/** All properties of a style as text; values may contain placeholders. */
export function AllProperties({ desk }: { desk: StyleEditor }) {
  const set = Object.entries(desk.style);
  const title =
    set.length === 0
      ? t("style.allProperties")
      : t("style.allPropertiesWithCount", { count: set.length });
  return (
    <Group title={title} isFolded>
      {set.map(([name, value]) => (
        <PropertyRow desk={desk} name={name} value={value} key={name} />
      ))}
      <NewProperty desk={desk} />
    </Group>
  );
}

interface PropertyRowProps {
  desk: StyleEditor;
  name: string;
  value: string;
}

function PropertyRow({ desk, name, value }: PropertyRowProps) {
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
            desk.set(property, currentTarget.value)
          }
          onBlur={desk.leave}
        />
        <Button
          kind="quiet"
          isIcon
          label={t("common.removeName", { name })}
          onPress={() => desk.set(property, undefined)}
        >
          <Icon name="close" size={14} />
        </Button>
      </div>
    </div>
  );
}

function NewProperty({ desk }: { desk: StyleEditor }) {
  const id = useId();
  const list = useId();
  const [typed, setTyped] = useState("");
  const { styleProperties } = useEditor().design;
  const property = usePropertyNamed(typed.trim().toLowerCase());
  const add = (event: Event) => {
    event.preventDefault();
    if (!property) return;
    desk.set(property, desk.style[property] ?? "");
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
          options={styleProperties.map((one) => [one, ""])}
        />
        <Button type="submit" kind="quiet" isIcon label={t("common.add")}>
          <Icon name="plus" size={14} />
        </Button>
      </div>
      {typed !== "" && !property && (
        <small class="prop-hint">{t("style.chooseFromList")}</small>
      )}
    </form>
  );
}

function usePropertyNamed(name: string): keyof Style | undefined {
  return useEditor().design.styleProperties.find((one) => one === name);
}
