import { useEditor } from "../../model/editor.js";
import { updateComponent } from "../../model/edits.js";
import type { Entry } from "../../model/tree.js";
import { Group } from "../controls/group.js";
import { SwitchField } from "../controls/switch-field.js";
import { AllProperties } from "./all-properties.js";
import { AppliedStyles } from "./applied-styles.js";
import { StyleFields } from "./style-fields.js";
import { componentStyle } from "./use-style.js";

/** How a component looks. */
export function StylePanel({ entry }: { entry: Entry }) {
  const editor = useEditor();
  const desk = componentStyle(editor, entry);
  return (
    <>
      <AppliedStyles entry={entry} />
      <StyleFields desk={desk} />
      {editor.templateType === "document" && <BreakFields entry={entry} />}
      <AllProperties desk={desk} />
    </>
  );
}

function BreakFields({ entry: { id, component } }: { entry: Entry }) {
  const editor = useEditor();
  const desk = componentStyle(editor, { id, component });
  const setTogether = (isTogether: boolean) =>
    updateComponent(editor, id, "Change how pages break", (draft) => {
      if (isTogether) draft.keepTogether = true;
      else delete draft.keepTogether;
    });
  return (
    <Group title="Pages" isFolded>
      <SwitchField
        label="Keep together"
        hint="It is not split over two pages."
        value={component.keepTogether === true}
        onChange={setTogether}
      />
      <SwitchField
        label="Begin a page"
        value={desk.style["break-before"] === "page"}
        onChange={(begins) =>
          desk.set("break-before", begins ? "page" : undefined)
        }
      />
    </Group>
  );
}
