import type { Band } from "../../../../../../../core/plugin-api/definition.js";
import { useEditor } from "../../model/editor.js";
import { setBand } from "../../model/edits.js";
import { type BandName, BANDS, componentsOf } from "../../model/tree.js";
import { Group } from "../controls/group.js";
import { LengthField } from "../controls/length-field.js";
import { SwitchField } from "../controls/switch-field.js";
import { setPart } from "./set-at.js";

const words: Readonly<Record<BandName, string>> = {
  header: "Header",
  footer: "Footer",
  firstHeader: "First header",
  firstFooter: "First footer",
};
const hints: Partial<Record<BandName, string>> = {
  firstHeader: "Instead of the header, on the first page.",
  firstFooter: "Instead of the footer, on the first page.",
};

/** What stands at the top and at the bottom of every page. */
export function BandFields() {
  return (
    <Group title="Headers and footers">
      {BANDS.map((name) => (
        <BandField name={name} key={name} />
      ))}
    </Group>
  );
}

function BandField({ name }: { name: BandName }) {
  const editor = useEditor();
  const band = editor.definition.value.page?.[name];
  const hint = hints[name];
  return (
    <>
      <SwitchField
        label={words[name]}
        value={band !== undefined}
        {...(hint !== undefined && { hint })}
        onChange={(isThere) => setBand(editor, name, isThere)}
      />
      {band !== undefined && componentsOf(band).length > 0 && (
        <LengthField
          label="At least"
          value={Array.isArray(band) ? undefined : band.height}
          placeholder="As high as needed"
          onChange={(height) =>
            setPart(editor, "page", name, withHeight(band, height))
          }
        />
      )}
    </>
  );
}

function withHeight(band: Band, height: string | undefined): Band {
  const components = [...componentsOf(band)];
  return height === undefined ? components : { components, height };
}
