import { useEditor } from "../../model/editor.js";
import { ColorField } from "../controls/color-field.js";
import { Group } from "../controls/group.js";
import { NumberField } from "../controls/number-field.js";
import { TemplateRow } from "../controls/template-row.js";
import { setPart } from "./set-at.js";

/** What an inbox shows, and the frame of the email. */
export function EmailFields() {
  const editor = useEditor();
  const { email } = editor.definition.value;
  return (
    <Group title="Email">
      <TemplateRow
        label="Subject"
        value={email?.subject ?? ""}
        owner={null}
        onChange={(subject) => setPart(editor, "email", "subject", subject)}
      />
      <TemplateRow
        label="Preheader"
        value={email?.preheader ?? ""}
        owner={null}
        hint="What inboxes show beside the subject."
        onChange={(text) =>
          setPart(editor, "email", "preheader", text || undefined)
        }
      />
      <NumberField
        label="Width, px"
        value={email?.width}
        min={200}
        max={1200}
        placeholder="600"
        onChange={(width) => setPart(editor, "email", "width", width)}
      />
      <ColorField
        label="Background"
        value={email?.background}
        onChange={(color) => setPart(editor, "email", "background", color)}
        onLeave={() => editor.endThread()}
      />
    </Group>
  );
}
