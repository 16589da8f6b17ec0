import { useSignal } from "@preact/signals";
import { ColorField } from "../controls/color-field.js";
import { Group } from "../controls/group.js";
import { LengthField } from "../controls/length-field.js";
import { SelectField } from "../controls/select-field.js";
import {
  type Border,
  borderOf,
  type BorderSide,
  withBorder,
} from "./borders.js";
import type { StyleDesk } from "./use-style.js";

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

/** The line around a box, or along one side of it. */
export function BorderFields({ desk }: { desk: StyleDesk }) {
  const { style, replace, leave } = desk;
  const first = sides.find(([one]) => borderOf(style, one) !== null);
  const side = useSignal<BorderSide>(first?.[0] ?? "all");
  const border = borderOf(style, side.value);
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
        label="Line colour"
        value={border.color}
        placeholder="As the text"
        onChange={(color) => set({ ...border, color })}
        onLeave={leave}
      />
    </>
  );
}
