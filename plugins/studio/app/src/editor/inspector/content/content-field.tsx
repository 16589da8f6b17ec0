import { Button } from "../../../ui/button.js";
import { Icon } from "../../../ui/icon.js";
import { useEditor } from "../../model/editor.js";
import { ColorField } from "../controls/color-field.js";
import { LengthField } from "../controls/length-field.js";
import { NumberField } from "../controls/number-field.js";
import { PictureField } from "../controls/picture-field.js";
import { SelectField } from "../controls/select-field.js";
import { SwitchField } from "../controls/switch-field.js";
import { TemplateRow } from "../controls/template-row.js";
import { TextField } from "../controls/text-field.js";
import type { ContentControl } from "./content-control.js";

interface ContentFieldProps {
  control: ContentControl;
  /** The component's id. */
  owner: string;
  value: unknown;
  /** Undefined takes the property away. */
  onChange: (value: unknown) => void;
  onLeave: () => void;
}

/** The field that fits a property. */
export function ContentField(props: ContentFieldProps) {
  const { control, value, onChange } = props;
  switch (control.kind) {
    case "rich-text":
      return <RichText {...props} />;
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
        <SwitchField
          {...control}
          value={
            value === true || (value === undefined && control.isOn === true)
          }
          onChange={(isOn) =>
            onChange(isOn === (control.isOn === true) ? undefined : isOn)
          }
        />
      );
    case "select":
      return (
        <SelectField
          {...control}
          value={chosen(value) ?? control.usual}
          onChange={(one) => onChange(one && written(one, control.writes))}
        />
      );
    default:
      return <WrittenField {...props} control={control} />;
  }
}

interface WrittenFieldProps extends ContentFieldProps {
  control: Exclude<ContentControl, { kind: "number" | "switch" | "select" }>;
}

/** Fields of what is text in the definition. */
function WrittenField(props: WrittenFieldProps) {
  const { control, value, onChange, onLeave } = props;
  const text = typeof value === "string" ? value : undefined;
  switch (control.kind) {
    case "size":
      return (
        <LengthField
          {...control}
          value={text}
          onChange={(size) =>
            onChange(size ?? (control.isRequired ? text : undefined))
          }
          onLeave={onLeave}
        />
      );
    case "color":
      return (
        <ColorField
          label={control.label}
          value={text}
          onChange={onChange}
          onLeave={onLeave}
        />
      );
    default:
      return <WordsField {...props} text={text ?? ""} />;
  }
}

/** Fields to write in. A property that has to be there stays, empty. */
function WordsField(props: WrittenFieldProps & { text: string }) {
  const { control, owner, text, onChange, onLeave } = props;
  const shared = {
    value: text,
    onChange: (next: string) =>
      onChange(next === "" && !control.isRequired ? undefined : next),
  };
  switch (control.kind) {
    case "picture":
      return <PictureField label={control.label} owner={owner} {...shared} />;
    case "text":
      return <TextField {...control} {...shared} onLeave={onLeave} />;
    default:
      return (
        <TemplateRow
          {...control}
          {...shared}
          owner={owner}
          isMultiline={control.kind === "long-template"}
        />
      );
  }
}

/** Words are typed on the page itself. */
function RichText({ control, owner }: ContentFieldProps) {
  const editor = useEditor();
  return (
    <div class="prop-row">
      <span class="prop-label">{control.label}</span>
      <Button
        onPress={() => {
          editor.typingIn.value = owner;
        }}
      >
        <Icon name="edit" size={16} />
        Type on the page
      </Button>
    </div>
  );
}

/** What is set, as the choice that stands for it. */
function chosen(value: unknown): string | undefined {
  const plain = ["string", "number", "boolean"];
  return plain.includes(typeof value) ? String(value) : undefined;
}

/** A choice as the definition has it. */
function written(choice: string, as: "number" | "boolean" | undefined) {
  if (as === "number") return Number(choice);
  return as === "boolean" ? choice === "true" : choice;
}
