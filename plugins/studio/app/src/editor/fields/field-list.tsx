import { useState, useLayoutEffect, useRef } from "preact/hooks";
import type {
  DataCollection,
  Field,
  FieldType,
} from "../../../../../../core/plugin-api/definition.js";
import { useResource } from "../../resource.js";
import { ActionMenu } from "../../ui/action-menu.js";
import { ConfirmDialog } from "../../ui/dialog.js";
import { Button } from "../../ui/button.js";
import { Form } from "../../ui/form.js";
import { Icon, type IconName } from "../../ui/icon.js";
import { NameDialog } from "../../ui/dialog.js";
import { toast } from "../../ui/toast.js";
import { SelectField } from "../inspector/fields.js";
import { TextField } from "../inspector/fields.js";
import { useEditor } from "../model/editor-context.js";
import { asWords } from "../scope/path-text.js";
import { findFieldUses, renameField } from "./field-uses.js";
import { insertField } from "./insert-field.js";
import {
  fieldIcons,
  getFieldLabel,
  moveField,
  removeField,
  fieldTypes,
  changeField,
  isLinkType,
  addField,
  toFieldName,
} from "./schema-edits.js";
import { t } from "../../messages/index.js";
import { rich } from "../../messages/rich.js";

interface CollectionFieldsProps {
  collection: DataCollection;
  /** The ids of the collections above it, so that circular links end. */
  trail: readonly string[];
}

/** The fields of the record or of a linked collection. */
export function CollectionFields({ collection, trail }: CollectionFieldsProps) {
  const { mayEdit } = useEditor();
  const [isAdding, setAdding] = useState(false);
  const { id, fields, label } = collection;
  const add =
    trail.length > 1
      ? t("fields.addFieldTo", { list: label ?? id })
      : t("fields.addField");
  return (
    <>
      <ul class="data-fields">
        {fields.map((field, index) => (
          <FieldLine
            collection={collection}
            field={field}
            index={index}
            trail={trail}
            key={field.name}
          />
        ))}
      </ul>
      {isAdding && (
        <NewField collectionId={id} onClose={() => setAdding(false)} />
      )}
      {mayEdit && !isAdding && (
        <Button kind="quiet" label={add} onPress={() => setAdding(true)}>
          <Icon name="plus" size={14} />
          {t("fields.addField")}
        </Button>
      )}
    </>
  );
}

interface FieldLineProps {
  collection: DataCollection;
  field: Field;
  index: number;
  trail: readonly string[];
}

/** A field; a click opens its form or the fields that it links to. */
function FieldLine(props: FieldLineProps) {
  const { field } = props;
  const { mayEdit } = useEditor();
  const [isOpen, setOpen] = useState(false);
  const [isChanging, setChanging] = useState(false);
  const target = useTarget(props);
  const turn = (open: boolean, change: boolean) => {
    setOpen(open);
    setChanging(change);
  };
  return (
    <li>
      <div class="data-line">
        <button
          type="button"
          class="data-name"
          aria-expanded={isOpen}
          onClick={() => turn(!isOpen, false)}
        >
          <Name field={field} arrow={target && (isOpen ? "down" : "next")} />
        </button>
        {mayEdit && <InsertButton {...props} />}
        {mayEdit && <FieldMenu {...props} onChange={() => turn(true, true)} />}
      </div>
      {isOpen && (
        <div class="data-inner">
          {(isChanging || !target) && (
            <FieldForm collectionId={props.collection.id} field={field} />
          )}
          {target && (
            <CollectionFields
              collection={target}
              trail={[...props.trail, target.id]}
            />
          )}
        </div>
      )}
    </li>
  );
}

interface NameProps {
  field: Field;
  arrow: IconName | undefined;
}

function Name({ field, arrow }: NameProps) {
  return (
    <>
      <Icon name={fieldIcons[field.type]} size={16} />
      <span>{getFieldLabel(field)}</span>
      {arrow && <Icon name={arrow} size={12} />}
    </>
  );
}

/** The collection that a link leads to; undefined for a circular link. */
function useTarget({ field, trail }: FieldLineProps) {
  const { schema } = useEditor().definition.value;
  if (!("target" in field) || trail.includes(field.target)) return undefined;
  return schema.find(({ id }) => id === field.target);
}

function InsertButton({ collection, field }: FieldLineProps) {
  const editor = useEditor();
  const words = t("fields.insertLabel", { label: getFieldLabel(field) });
  return (
    <button
      type="button"
      class="data-insert"
      aria-label={words}
      title={words}
      // Keeps the caret in the text that is being edited.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => insertField(editor, collection.id, field)}
    >
      <Icon name="plus" size={14} />
    </button>
  );
}

interface FieldMenuProps {
  collection: DataCollection;
  field: Field;
  index: number;
  /** Opens its form. */
  onChange: () => void;
}

/** The actions of a field. Deleting one that is used asks first. */
function FieldMenu({ collection, field, index, onChange }: FieldMenuProps) {
  const editor = useEditor();
  const [uses, setUses] = useState<readonly string[]>([]);
  const label = getFieldLabel(field);
  const remove = () => removeField(editor, collection.id, field.name);
  const move = (by: 1 | -1) => moveField(editor, collection.id, index, by);
  const ask = async () => {
    const found = await findFieldUses(editor, collection.id, field.name);
    if (found.length === 0) remove();
    else setUses([...new Set(found)]);
  };
  return (
    <>
      <ActionMenu
        label={t("fields.actionsForLabel", { label })}
        isQuiet
        actions={[
          { words: t("common.change"), icon: "edit", onPress: onChange },
          { words: t("common.moveUp"), icon: "up", onPress: () => move(-1) },
          { words: t("common.moveDown"), icon: "down", onPress: () => move(1) },
          {
            words: t("common.delete"),
            icon: "trash",
            isGrave: true,
            onPress: ask,
          },
        ]}
      />
      {uses.length > 0 && (
        <DeleteFieldDialog
          label={label}
          uses={uses}
          onDelete={remove}
          onClose={() => setUses([])}
        />
      )}
    </>
  );
}

interface DeleteFieldDialogProps {
  label: string;
  uses: readonly string[];
  onDelete: () => void;
  onClose: () => void;
}

const maxListedUses = 8;

/** Lists where a field is used and asks whether to delete it. */
function DeleteFieldDialog({
  label,
  uses,
  onDelete,
  onClose,
}: DeleteFieldDialogProps) {
  const more = uses.length - maxListedUses;
  return (
    <ConfirmDialog
      title={t("fields.deleteLabel", { label })}
      act={t("fields.deleteField")}
      onAct={async () => {
        onDelete();
        await Promise.resolve();
      }}
      onClose={onClose}
    >
      <p>{t("fields.placesThatWouldBeEmpty")}</p>
      <ul>
        {uses.slice(0, maxListedUses).map((one, at) => (
          <li key={at}>{one}</li>
        ))}
      </ul>
      {more > 0 && <p>{t("fields.andInMoreMorePlaces", { more })}</p>}
    </ConfirmDialog>
  );
}

interface FieldFormProps {
  collectionId: string;
  field: Field;
}

/** A field's label, type and name in the data. */
function FieldForm({ collectionId, field }: FieldFormProps) {
  const editor = useEditor();
  const { schema } = editor.definition.value;
  const set = (next: Field, thread: string | null = null) =>
    changeField(editor, collectionId, field.name, next, thread);
  const setLabel = (label: string) => {
    const { label: _old, ...rest } = field;
    const next = label === "" ? rest : { ...rest, label };
    set(next, `label:${collectionId}:${field.name}`);
  };
  const first = schema.find(({ id }) => id !== "root")?.id ?? "root";
  const isLink = "target" in field;
  const kinds = fieldTypes.filter(([one]) => isLinkType(one) === isLink);
  return (
    <fieldset class="data-form" disabled={!editor.mayEdit}>
      <legend class="hidden-text">{getFieldLabel(field)}</legend>
      <TextField
        label={t("common.name")}
        value={field.label ?? ""}
        placeholder={asWords(field.name)}
        onChange={setLabel}
        onLeave={() => editor.endThread()}
      />
      <SelectField
        label={t("common.type")}
        value={field.type}
        options={kinds}
        onChange={(type) => type && set(withType(field, type, first))}
      />
      {isLink && <TargetSelect field={field} onChange={set} />}
      <NameInData collectionId={collectionId} field={field} />
    </fieldset>
  );
}

interface TargetSelectProps {
  field: Extract<Field, { target: string }>;
  onChange: (field: Field) => void;
}

function TargetSelect({ field, onChange }: TargetSelectProps) {
  const { schema } = useEditor().definition.value;
  return (
    <SelectField
      label={t("fields.linksTo")}
      value={field.target}
      options={schema.map(({ id, label }) => [id, label ?? asWords(id)])}
      onChange={(target) => target && onChange({ ...field, target })}
    />
  );
}

function withType(field: Field, type: FieldType, target: string): Field {
  if (isLinkType(type)) return { target, ...field, type };
  const { target: _old, ...rest } = { target, ...field };
  return { ...rest, type };
}

interface NameInDataProps {
  collectionId: string;
  field: Field;
}

/** The field's name in the records, with a button to rename it. */
function NameInData({ collectionId, field }: NameInDataProps) {
  const { mayEdit } = useEditor();
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="data-called">
      <p class="data-hint">
        {rich(
          "fields.nameInDataName",
          { code: (text) => <code>{text}</code> },
          { name: field.name },
        )}
      </p>
      {mayEdit && (
        <Button
          label={t("fields.renameNameInData", { name: field.name })}
          onPress={() => setOpen(true)}
        >
          {t("common.rename")}
        </Button>
      )}
      {isOpen && (
        <RenameField
          collectionId={collectionId}
          name={field.name}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

interface RenameFieldProps {
  collectionId: string;
  /** The name in the data. */
  name: string;
  onClose: () => void;
}

/** Asks for a new name in the data and lists the places that will be updated. */
function RenameField({ collectionId, name, onClose }: RenameFieldProps) {
  const editor = useEditor();
  const rename = async (to: string) => {
    if (to === name) return;
    await renameField(editor, collectionId, name, to);
    toast(t("fields.nameWasRenamedToTo", { name, to }));
  };
  return (
    <NameDialog
      title={t("fields.renameInDataTitle", { name })}
      label={t("fields.nameInData")}
      hint={t("fields.nameInDataHelp")}
      name={name}
      act={t("common.rename")}
      onName={rename}
      onClose={onClose}
    >
      <Uses collectionId={collectionId} name={name} />
    </NameDialog>
  );
}

const maxShownPlaces = 6;

function Uses({
  collectionId,
  name,
}: Pick<RenameFieldProps, "collectionId" | "name">) {
  const editor = useEditor();
  const { data: uses, fault } = useResource(`${collectionId} ${name}`, () =>
    findFieldUses(editor, collectionId, name),
  );
  if (fault) return <p class="data-hint">{fault}</p>;
  if (!uses) return <p class="data-hint">{t("fields.findingWhereItIsUsed")}</p>;
  if (uses.length === 0)
    return <p class="data-hint">{t("fields.templateDoesNotUseIt")}</p>;
  const places = [...new Set(uses)];
  const more = places.length - maxShownPlaces;
  return (
    <div class="data-uses">
      <p>{t("fields.usedInPlaces", { count: uses.length })}</p>
      <ul>
        {places.slice(0, maxShownPlaces).map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      {more > 0 && (
        <p class="data-hint">{t("fields.andInMoreMore", { more })}</p>
      )}
    </div>
  );
}

interface NewFieldProps {
  collectionId: string;
  onClose: () => void;
}

/** A form for new fields; stays open for the next one. */
function NewField({ collectionId, onClose }: NewFieldProps) {
  const editor = useEditor();
  const input = useRef<HTMLInputElement>(null);
  const [label, setLabel] = useState("");
  const [type, setType] = useState<FieldType>("String");
  useLayoutEffect(() => input.current?.focus(), []);
  const add = async () => {
    const words = label.trim();
    if (toFieldName(words) === null) return;
    addField(editor, collectionId, words, type);
    setLabel("");
    input.current?.focus();
    await Promise.resolve();
  };
  return (
    <Form class="data-new" onSend={add}>
      <input
        class="input small"
        aria-label={t("fields.nameOfNewField")}
        placeholder={t("fields.nameSuchAsDueDate")}
        ref={input}
        value={label}
        onInput={({ currentTarget }) => setLabel(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
        }}
      />
      <KindSelect type={type} onChange={setType} />
      <span class="data-ends">
        <Button kind="primary" type="submit">
          {t("common.add")}
        </Button>
        <Button kind="quiet" onPress={onClose}>
          {t("common.done")}
        </Button>
      </span>
    </Form>
  );
}

interface KindSelectProps {
  type: FieldType;
  onChange: (type: FieldType) => void;
}

function KindSelect({ type, onChange }: KindSelectProps) {
  const choose = (value: string) =>
    onChange(fieldTypes.find(([one]) => one === value)?.[0] ?? type);
  return (
    <select
      class="input small"
      aria-label={t("fields.typeOfNewField")}
      value={type}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {fieldTypes.map(([one, words]) => (
        <option value={one} key={one}>
          {words}
        </option>
      ))}
    </select>
  );
}
