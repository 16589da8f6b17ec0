import type { Background } from "../../../../../../../core/plugin-api/definition.js";
import { useEditor } from "../../model/editor.js";
import { ColorField } from "../controls/color-field.js";
import { Group } from "../controls/group.js";
import { PictureField } from "../controls/picture-field.js";
import { SelectField } from "../controls/select-field.js";
import { setPart } from "./set-at.js";

type Whole = Exclude<Background, string>;

const fits = [
  ["cover", "Fill the page"],
  ["contain", "Show all of it"],
  ["fill", "Stretch"],
] as const;

/** What is behind everything, to the edges of the paper. */
export function BackgroundFields() {
  const editor = useEditor();
  const background = editor.definition.value.page?.background;
  const whole: Whole =
    typeof background === "string" ? { color: background } : (background ?? {});
  const set = (change: Whole) =>
    setPart(editor, "page", "background", shortest({ ...whole, ...change }));
  return (
    <Group title="Background" isFolded={background === undefined}>
      <ColorField
        label="Colour"
        value={whole.color}
        onChange={(color) => set({ color })}
        onLeave={() => editor.endThread()}
      />
      <PictureField
        label="Picture"
        value={whole.image ?? ""}
        owner={null}
        onChange={(image) => set({ image: image || undefined })}
      />
      {whole.image && (
        <SelectField
          label="Fill"
          value={whole.fit}
          none="As usual"
          options={fits}
          onChange={(fit) => set({ fit })}
        />
      )}
    </Group>
  );
}

/** A colour alone is written as such; nothing at all is nothing. */
function shortest(whole: Whole): Background | undefined {
  const set = Object.entries(whole).filter(([, value]) => value !== undefined);
  if (set.length === 0) return undefined;
  if (set.length === 1 && whole.color !== undefined) return whole.color;
  return Object.fromEntries(set);
}
