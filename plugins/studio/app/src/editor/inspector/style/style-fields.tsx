import { useEditor } from "../../model/editor.js";
import { ChoiceField } from "../controls/choice-field.js";
import { ColorField } from "../controls/color-field.js";
import { Group } from "../controls/group.js";
import { LengthField } from "../controls/length-field.js";
import { SelectField } from "../controls/select-field.js";
import { SidesField } from "../controls/sides-field.js";
import { TextField } from "../controls/text-field.js";
import { BorderFields } from "./border-fields.js";
import { sidesOf, withSides } from "./box-sides.js";
import type { StyleDesk } from "./use-style.js";

const weights = [
  ["300", "Light"],
  ["400", "Regular"],
  ["500", "Medium"],
  ["600", "Semibold"],
  ["700", "Bold"],
] as const;

const aligns = [
  ["left", "Left", "align-left"],
  ["center", "Centre", "align-center"],
  ["right", "Right", "align-right"],
  ["justify", "Both sides", "align-both"],
] as const;

interface FieldsProps {
  desk: StyleDesk;
}

/** What people want to change first, in their words. */
export function StyleFields({ desk }: FieldsProps) {
  return (
    <>
      <TypeFields desk={desk} />
      <BoxFields desk={desk} />
      <BorderFields desk={desk} />
      <SpaceFields desk={desk} />
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
        placeholder="As around"
        onChange={(size) => set("font-size", size)}
        onLeave={leave}
      />
      <WeightField desk={desk} />
      <ColorField
        label="Colour"
        value={style.color}
        placeholder="As around"
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
      none={style["font-weight"] ?? "As around"}
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
      none="As around"
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
        label="Rounding"
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
        placeholder="All there is"
        onChange={(width) => set("width", width)}
        onLeave={leave}
      />
      <LengthField
        label="Height"
        value={style.height}
        isRelative
        placeholder="As needed"
        onChange={(height) => set("height", height)}
        onLeave={leave}
      />
    </Group>
  );
}

function SpaceFields({ desk: { style, replace, leave } }: FieldsProps) {
  return (
    <Group title="Space">
      <SidesField
        label="Inside"
        value={sidesOf(style, "padding")}
        unit="pt"
        placeholder="None"
        onChange={(sides) =>
          replace("Change the space inside", withSides(style, "padding", sides))
        }
        onLeave={leave}
      />
      <SidesField
        label="Around"
        value={sidesOf(style, "margin")}
        unit="pt"
        placeholder="None"
        onChange={(sides) =>
          replace("Change the space around", withSides(style, "margin", sides))
        }
        onLeave={leave}
      />
    </Group>
  );
}

/** A family as CSS writes it. */
function quotedFamily(family: string): string {
  return /^[\w-]+$/.test(family) ? family : `"${family}"`;
}
