import { Button } from "../../../ui/button.js";
import { Icon } from "../../../ui/icon.js";
import { useEditor } from "../../model/editor-context.js";
import type { Editor } from "../../model/editor.js";
import { updateComponent } from "../../model/edits.js";
import type { Entry } from "../../model/tree.js";
import { ColorField } from "../controls/color-field.js";
import {
  NumberField,
  SelectField,
  SwitchField,
  TextField,
} from "../controls/fields.js";
import { LengthField } from "../controls/length-field.js";
import { PictureField, TemplateRow } from "../controls/template-fields.js";
import { ChartFields } from "./chart-fields.js";
import { ChoicesField, SocialLinks, TableColumns } from "./list-fields.js";
import { type ContentControl, getControls } from "./content-controls.js";
import { t } from "../../../messages/index.js";

export function ContentPanel({ entry }: { entry: Entry }) {
  const editor = useEditor();
  const { id, component } = entry;
  const controls = getControls(component.type);
  if (controls.length === 0)
    return (
      <p class="prop-example">
        {component.type === "divider" || component.type === "page-break"
          ? t("content.noSettings")
          : t("content.containerHelp")}
      </p>
    );
  return (
    <div class="props">
      {controls
        .filter(({ kind }) => kind !== "custom")
        .map((control) => (
          <ContentField
            control={control}
            owner={id}
            value={Reflect.get(component, control.property)}
            onChange={(value) => setProperty(editor, id, control, value)}
            onLeave={() => editor.endThread()}
            key={control.property}
          />
        ))}
      <CustomFields entry={entry} />
    </div>
  );
}

/** Controls of kind `custom`. */
function CustomFields({ entry: { id, component } }: { entry: Entry }) {
  const editor = useEditor();
  const set = (property: string, label: string) => (value: unknown) =>
    setProperty(editor, id, { property, label }, value);
  switch (component.type) {
    case "table":
      return (
        <TableColumns
          id={id}
          columns={component.columns ?? []}
          onChange={set("columns", t("content.columns"))}
        />
      );
    case "chart":
      return <ChartFields id={id} chart={component} />;
    case "social":
      return (
        <SocialLinks
          items={component.items}
          onChange={set("items", t("content.links"))}
        />
      );
    case "sign-field":
      return component.field === "select" ? (
        <ChoicesField
          options={component.options ?? []}
          onChange={set("options", t("content.choices"))}
        />
      ) : null;
    default:
      return null;
  }
}

function setProperty(
  editor: Editor,
  id: string,
  { property, label }: Pick<ContentControl, "property" | "label">,
  value: unknown,
): void {
  updateComponent(
    editor,
    id,
    t("content.changeLabel", { label }),
    (component) => {
      if (value === undefined) Reflect.deleteProperty(component, property);
      else Reflect.set(component, property, value);
    },
    `${property}:${id}`,
  );
}

interface ContentFieldProps {
  control: ContentControl;
  /** The component's id. */
  owner: string;
  value: unknown;
  /** Undefined removes the property. */
  onChange: (value: unknown) => void;
  onLeave: () => void;
}

function ContentField(props: ContentFieldProps) {
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

/** Fields whose value is a string. */
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

/** Text inputs. A required property stays as an empty string. */
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

/** Rich text is edited on the page itself. */
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
        {t("content.editOnPage")}
      </Button>
    </div>
  );
}

/** The option of a value. */
function chosen(value: unknown): string | undefined {
  const plain = ["string", "number", "boolean"];
  return plain.includes(typeof value) ? String(value) : undefined;
}

/** The value of an option. */
function written(choice: string, as: "number" | "boolean" | undefined) {
  if (as === "number") return Number(choice);
  return as === "boolean" ? choice === "true" : choice;
}
