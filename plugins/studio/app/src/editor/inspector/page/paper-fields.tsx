import type { PageSize } from "../../../../../../../core/plugin-api/definition.js";
import { useEditor } from "../../model/editor.js";
import { ChoiceField } from "../controls/choice-field.js";
import { Group } from "../controls/group.js";
import { LengthField } from "../controls/length-field.js";
import { SelectField } from "../controls/select-field.js";
import { SidesField } from "../controls/sides-field.js";
import { setPart } from "./set-at.js";

const ways = [
  ["portrait", "Upright", "page"],
  ["landscape", "Sideways", "landscape"],
] as const;

/** Which paper, which way, and how far from its edges. */
export function PaperFields() {
  const editor = useEditor();
  const { page = {} } = editor.definition.value;
  const sizes = sizeOptions(editor.design.paper);
  return (
    <Group title="Paper">
      <SelectField
        label="Size"
        value={page.size ?? "A4"}
        options={sizes}
        onChange={(size) => setPart(editor, "page", "size", size)}
      />
      {page.size === "Custom" && <OwnSize />}
      <ChoiceField
        label="Turned"
        value={page.landscape === true ? "landscape" : "portrait"}
        options={ways}
        onChange={(way) =>
          setPart(
            editor,
            "page",
            "landscape",
            way === "landscape" ? true : undefined,
          )
        }
      />
      <SidesField
        label="Margins"
        value={page.margin}
        placeholder="As usual"
        onChange={(margin) => setPart(editor, "page", "margin", margin)}
        onLeave={() => editor.endThread()}
      />
    </Group>
  );
}

/** Of paper that has no name. */
function OwnSize() {
  const editor = useEditor();
  const { page = {} } = editor.definition.value;
  return (
    <>
      <LengthField
        label="Width"
        value={page.width}
        onChange={(width) => setPart(editor, "page", "width", width)}
      />
      <LengthField
        label="Height"
        value={page.height}
        onChange={(height) => setPart(editor, "page", "height", height)}
      />
    </>
  );
}

function sizeOptions(
  paper: Record<string, readonly [number, number]>,
): (readonly [PageSize, string])[] {
  const names = ["A4", "A3", "A5", "Letter", "Legal", "Tabloid"] as const;
  const known = names.map((name) => {
    const [width, height] = paper[name] ?? [0, 0];
    const millimetres = `${Math.round(width)} × ${Math.round(height)} mm`;
    return [name, `${name} (${millimetres})`] as const;
  });
  return [...known, ["Custom", "Another size"]];
}
