import type { Watermark } from "../../../../../../../core/plugin-api/definition.js";
import { useEditor } from "../../model/editor.js";
import { ColorField } from "../controls/color-field.js";
import { Group } from "../controls/group.js";
import { LengthField } from "../controls/length-field.js";
import { NumberField } from "../controls/number-field.js";
import { PictureField } from "../controls/picture-field.js";
import { TemplateRow } from "../controls/template-row.js";
import { setPart } from "./set-at.js";

type Whole = Exclude<Watermark, string>;

/** What is printed across every page. */
export function WatermarkFields() {
  const editor = useEditor();
  const watermark = editor.definition.value.page?.watermark;
  const whole: Whole =
    typeof watermark === "string" ? { text: watermark } : (watermark ?? {});
  const set = (change: Whole) =>
    setPart(editor, "page", "watermark", shortest({ ...whole, ...change }));
  return (
    <Group title="Watermark" isFolded={watermark === undefined}>
      <TemplateRow
        label="Words"
        value={whole.text ?? ""}
        owner={null}
        placeholder="Draft"
        onChange={(text) => set({ text: text || undefined })}
      />
      <PictureField
        label="Picture"
        value={whole.image ?? ""}
        owner={null}
        onChange={(image) => set({ image: image || undefined })}
      />
      {watermark !== undefined && <LookFields whole={whole} set={set} />}
    </Group>
  );
}

interface LookFieldsProps {
  whole: Whole;
  set: (change: Whole) => void;
}

function LookFields({ whole, set }: LookFieldsProps) {
  const opacity =
    whole.opacity === undefined ? undefined : Math.round(whole.opacity * 100);
  return (
    <>
      <NumberField
        label="Strength, %"
        value={opacity}
        min={0}
        max={100}
        placeholder="As usual"
        onChange={(percent) =>
          set({ opacity: percent === undefined ? undefined : percent / 100 })
        }
      />
      <NumberField
        label="Angle, °"
        value={whole.angle}
        min={-360}
        max={360}
        placeholder="As usual"
        onChange={(angle) => set({ angle })}
      />
      <LengthField
        label="Letter size"
        value={whole.fontSize}
        unit="pt"
        placeholder="As usual"
        onChange={(fontSize) => set({ fontSize })}
      />
      <ColorField
        label="Colour"
        value={whole.color}
        placeholder="As usual"
        onChange={(color) => set({ color })}
      />
    </>
  );
}

/** Words alone are written as such; nothing at all is nothing. */
function shortest(whole: Whole): Watermark | undefined {
  const set = Object.entries(whole).filter(([, value]) => value !== undefined);
  if (whole.text === undefined && whole.image === undefined) return undefined;
  if (set.length === 1 && whole.text !== undefined) return whole.text;
  return Object.fromEntries(set);
}
