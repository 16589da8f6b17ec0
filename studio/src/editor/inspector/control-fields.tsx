import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { useEditor } from "../model/editor-context.js";
import { CodeField } from "./code-field.js";
import type { Control } from "./control.js";
import {
  ChoiceField,
  ColorField,
  ImageField,
  NumberField,
  SelectField,
  SwitchField,
  TemplateRow,
  TextField,
} from "./fields.js";
import { LengthField } from "./length-field.js";
import { t } from "../../messages/index.js";

interface ControlFieldsProps<Property extends string> {
  controls: readonly Control<Property>[];
  /** The object that has the properties. */
  values: object;
  /** The component that determines the available variables; null for the record only. */
  owner: string | null;
  /** Undefined removes the property. */
  onChange: (property: Property, value: unknown) => void;
}

export function ControlFields<Property extends string>({
  controls,
  values,
  owner,
  onChange,
}: ControlFieldsProps<Property>) {
  return (
    <>
      {controls.map((control) => (
        <ControlField
          control={control}
          owner={owner}
          value={Reflect.get(values, control.property)}
          onChange={(value) => onChange(control.property, value)}
          key={control.property}
        />
      ))}
    </>
  );
}

interface ControlFieldProps {
  control: Control;
  owner: string | null;
  value: unknown;
  onChange: (value: unknown) => void;
}

function ControlField({ control, owner, value, onChange }: ControlFieldProps) {
  const editor = useEditor();
  const { label, isRequired = false } = control;
  const text = typeof value === "string" ? value : undefined;
  const onLeave = () => editor.endThread();
  const setText = (next: string) =>
    onChange(next === "" && !isRequired ? undefined : next);
  const textProps = { value: text ?? "", onChange: setText };
  switch (control.kind) {
    case "custom":
      return null;
    case "rich-text":
      return <RichText label={label} owner={owner} />;
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
          value={value === true}
          onChange={(isOn) => onChange(isOn || undefined)}
        />
      );
    case "select":
      return (
        <SelectField
          {...control}
          value={toOption(value) ?? control.initial}
          onChange={(option) =>
            onChange(option && parseOption(option, control.writes))
          }
        />
      );
    case "icons":
      return <ChoiceField {...control} value={text} onChange={onChange} />;
    case "size":
      return (
        <LengthField
          {...control}
          value={text}
          onChange={(size) => onChange(size ?? (isRequired ? text : undefined))}
          onLeave={onLeave}
        />
      );
    case "color":
      return (
        <ColorField
          {...control}
          value={text}
          onChange={onChange}
          onLeave={onLeave}
        />
      );
    case "image":
      return <ImageField label={label} owner={owner} {...textProps} />;
    case "code":
      return (
        <CodeField
          label={label}
          owner={owner}
          property={control.property}
          {...textProps}
          onLeave={onLeave}
        />
      );
    case "text":
      return <TextField {...control} {...textProps} onLeave={onLeave} />;
    default:
      return (
        <TemplateRow
          {...control}
          {...textProps}
          owner={owner}
          isMultiline={control.kind === "long-template"}
        />
      );
  }
}

/** Rich text is edited on the page itself. */
function RichText({ label, owner }: { label: string; owner: string | null }) {
  const editor = useEditor();
  return (
    <div class="prop-row">
      <span class="prop-label">{label}</span>
      <Button
        onPress={() => {
          editor.typingIn.value = owner;
        }}
      >
        <Icon name="edit" size={16} />
        {t("content.editOnPage")}
      </Button>
    </div>
  );
}

function toOption(value: unknown): string | undefined {
  const isPlain = ["string", "number", "boolean"].includes(typeof value);
  return isPlain ? String(value) : undefined;
}

function parseOption(option: string, type: "number" | "boolean" | undefined) {
  if (type === "number") return Number(option);
  return type === "boolean" ? option === "true" : option;
}

/** Undefined removes the property. */
export function assignProperty(
  target: object,
  property: string,
  value: unknown,
): void {
  if (value === undefined) Reflect.deleteProperty(target, property);
  else Reflect.set(target, property, value);
}
