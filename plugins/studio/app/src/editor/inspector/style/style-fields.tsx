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

const weights = [
  ["300", "Light"],
  ["400", "Regular"],
  ["500", "Medium"],
  ["600", "Semibold"],
  ["700", "Bold"],
] as const;

const aligns = [
  ["left", "Left", "align-left"],
  ["center", "Center", "align-center"],
  ["right", "Right", "align-right"],
  ["justify", "Justify", "align-both"],
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
    <Group title="Text">
      <FontField desk={desk} />
      <LengthField
        label="Size"
        value={style["font-size"]}
        isRelative
        unit="pt"
        placeholder="Inherited"
        onChange={(size) => set("font-size", size)}
        onLeave={leave}
      />
      <WeightField desk={desk} />
      <ColorField
        label="Color"
        value={style.color}
        placeholder="Inherited"
        onChange={(color) => set("color", color)}
        onLeave={leave}
      />
      <ChoiceField
        label="Align"
        value={style["text-align"]}
        options={aligns}
        onChange={(align) => set("text-align", align)}
      />
      <TextField
        label="Line height"
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
      label="Weight"
      value={weights.find(([one]) => one === style["font-weight"])?.[0]}
      none={style["font-weight"] ?? "Inherited"}
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
      label="Font"
      value={known?.[0] ?? own}
      none="Inherited"
      options={own && !known ? [...families, [own, own]] : families}
      onChange={(family) => set("font-family", family && quotedFamily(family))}
    />
  );
}

function BoxFields({ desk: { style, set, leave } }: FieldsProps) {
  return (
    <Group title="Box">
      <ColorField
        label="Background"
        value={style["background-color"] ?? style.background}
        onChange={(color) =>
          set(style.background ? "background" : "background-color", color)
        }
        onLeave={leave}
      />
      <LengthField
        label="Corner radius"
        value={style["border-radius"]}
        unit="pt"
        placeholder="None"
        onChange={(radius) => set("border-radius", radius)}
        onLeave={leave}
      />
      <LengthField
        label="Width"
        value={style.width}
        isRelative
        placeholder="Full width"
        onChange={(width) => set("width", width)}
        onLeave={leave}
      />
      <LengthField
        label="Height"
        value={style.height}
        isRelative
        placeholder="Automatic"
        onChange={(height) => set("height", height)}
        onLeave={leave}
      />
    </Group>
  );
}

function SpacingFields({ desk: { style, replace, leave } }: FieldsProps) {
  return (
    <Group title="Spacing">
      <SidesField
        label="Padding"
        value={getSides(style, "padding")}
        unit="pt"
        placeholder="None"
        onChange={(sides) =>
          replace("Change the padding", withSides(style, "padding", sides))
        }
        onLeave={leave}
      />
      <SidesField
        label="Margin"
        value={getSides(style, "margin")}
        unit="pt"
        placeholder="None"
        onChange={(sides) =>
          replace("Change the margin", withSides(style, "margin", sides))
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
  ["solid", "Solid"],
  ["dashed", "Dashed"],
  ["dotted", "Dotted"],
  ["double", "Double"],
] as const;

const sides = [
  ["all", "All sides"],
  ["top", "Top"],
  ["right", "Right"],
  ["bottom", "Bottom"],
  ["left", "Left"],
] as const;

const usual: Border = { width: "1pt", line: "solid" };

function BorderFields({ desk }: { desk: StyleEditor }) {
  const { style, replace, leave } = desk;
  const first = sides.find(([one]) => getBorder(style, one) !== null);
  const side = useSignal<BorderSide>(first?.[0] ?? "all");
  const border = getBorder(style, side.value);
  const set = (next: Border | null) =>
    replace("Change the border", withBorder(style, side.value, next));
  return (
    <Group title="Border" isFolded={!first}>
      <SelectField
        label="Where"
        value={side.value}
        options={sides}
        onChange={(one) => {
          side.value = one ?? "all";
        }}
      />
      <SelectField
        label="Line"
        value={lines.find(([one]) => one === border?.line)?.[0]}
        none={border && border.line !== "none" ? border.line : "None"}
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
        label="Thickness"
        value={border.width}
        unit="pt"
        onChange={(width) => set(width ? { ...border, width } : null)}
        onLeave={leave}
      />
      <ColorField
        label="Line color"
        value={border.color}
        placeholder="Same as text"
        onChange={(color) => set({ ...border, color })}
        onLeave={leave}
      />
    </>
  );
}

/** All properties of a style as text; values may contain placeholders. */
export function AllProperties({ desk }: { desk: StyleEditor }) {
  const set = Object.entries(desk.style);
  const count = set.length === 0 ? "" : ` (${set.length})`;
  return (
    <Group title={`All properties${count}`} isFolded>
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
          label={`Remove ${name}`}
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
      <label for={id}>Add property</label>
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
        <Button type="submit" kind="quiet" isIcon label="Add">
          <Icon name="plus" size={14} />
        </Button>
      </div>
      {typed !== "" && !property && (
        <small class="prop-hint">Choose from the list.</small>
      )}
    </form>
  );
}

function usePropertyNamed(name: string): keyof Style | undefined {
  return useEditor().design.styleProperties.find((one) => one === name);
}
