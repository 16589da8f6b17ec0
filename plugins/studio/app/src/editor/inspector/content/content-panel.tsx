import { useEditor } from "../../model/editor-context.js";
import { updateComponent } from "../../model/edits.js";
import type { Entry } from "../../model/tree.js";
import { LengthField } from "../controls/length-field.js";
import { NumberField } from "../controls/number-field.js";
import { SelectField } from "../controls/select-field.js";
import { SwitchField } from "../controls/switch-field.js";
import { TextField } from "../controls/text-field.js";
import { type ContentControl, controlsOf } from "./content-controls.js";

/** What a component says and shows. */
export function ContentPanel({ entry }: { entry: Entry }) {
  const editor = useEditor();
  const set = (control: ContentControl, value: unknown) =>
    updateComponent(
      editor,
      entry.id,
      `Change ${control.label.toLowerCase()}`,
      (component) => {
        if (value === undefined)
          Reflect.deleteProperty(component, control.property);
        else Reflect.set(component, control.property, value);
      },
      `${control.property}:${entry.id}`,
    );
  return (
    <div class="props">
      {controlsOf(entry.component.type).map((control) => (
        <Control
          control={control}
          value={Reflect.get(entry.component, control.property)}
          onChange={(value) => set(control, value)}
          key={control.property}
        />
      ))}
    </div>
  );
}

interface ControlProps {
  control: ContentControl;
  value: unknown;
  onChange: (value: unknown) => void;
}

function Control({ control, value, onChange }: ControlProps) {
  const { label } = control;
  const text = typeof value === "string" ? value : undefined;
  switch (control.kind) {
    case "size":
      return <LengthField {...control} value={text} onChange={onChange} />;
    case "number":
      return (
        <NumberField
          {...control}
          value={typeof value === "number" ? value : undefined}
          onChange={onChange}
        />
      );
    case "switch":
      return (
        <SwitchField {...control} value={value === true} onChange={onChange} />
      );
    case "select":
      return (
        <SelectField
          {...control}
          value={value === undefined ? undefined : String(value)}
          onChange={onChange}
        />
      );
    default:
      return <TextField label={label} value={text ?? ""} onChange={onChange} />;
  }
}
