import { useState, useLayoutEffect, useRef } from "preact/hooks";
import type {
  DataCollection,
  Field,
  FieldType,
} from "../../../../../../core/plugin-api/definition.js";
import { countOf } from "../../format.js";
import { useResource } from "../../resource.js";
import { ActionMenu } from "../../ui/action-menu.js";
import { AskFirst } from "../../ui/ask-first.js";
import { Button } from "../../ui/button.js";
import { Form } from "../../ui/form.js";
import { Icon, type IconName } from "../../ui/icon.js";
import { NameDialog } from "../../ui/name-dialog.js";
import { toast } from "../../ui/toast.js";
import { SelectField } from "../inspector/controls/select-field.js";
import { TextField } from "../inspector/controls/text-field.js";
import { useEditor } from "../model/editor.js";
import { asWords } from "../scope/path-text.js";
import { usesOf, renameField } from "./field-uses.js";
import { insertField } from "./insert-field.js";
import {
  fieldIcons,
  fieldLabel,
  moveField,
  removeField,
  fieldTypes,
  changeField,
  isLinkType,
  addField,
  nameOfWords,
} from "./schema-edits.js";

interface CollectionFieldsProps {
  collection: DataCollection;
  /** The collections on the way to it, so that a circle of links ends. */
  trail: readonly string[];
}

/** The fields of the record or of what a link leads to. */
export function CollectionFields({ collection, trail }: CollectionFieldsProps) {
  const { mayEdit } = useEditor();
  const [isAdding, setAdding] = useState(false);
  const { id, fields, label } = collection;
  const where = trail.length > 1 ? ` to ${label ?? id}` : "";
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
        <Button
          kind="quiet"
          label={`Add a field${where}`}
          onPress={() => setAdding(true)}
        >
          <Icon name="plus" size={14} />
          Add a field
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

/** A field: a press opens what can be changed of it, or what it leads to. */
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
      <span>{fieldLabel(field)}</span>
      {arrow && <Icon name={arrow} size={12} />}
    </>
  );
}

/** What a link leads to; nothing where that would lead back. */
function useTarget({ field, trail }: FieldLineProps) {
  const { schema } = useEditor().definition.value;
  if (!("target" in field) || trail.includes(field.target)) return undefined;
  return schema.find(({ id }) => id === field.target);
}

function InsertButton({ collection, field }: FieldLineProps) {
  const editor = useEditor();
  const words = `Insert ${fieldLabel(field)}`;
  return (
    <button
      type="button"
      class="data-insert"
      aria-label={words}
      title={words}
      // The caret stays in the text that is being typed.
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
  /** Opens what can be changed of it. */
  onChange: () => void;
}

/** What can be done with a field; one that is used is not deleted unasked. */
function FieldMenu({ collection, field, index, onChange }: FieldMenuProps) {
  const editor = useEditor();
  const [uses, setUses] = useState<readonly string[]>([]);
  const label = fieldLabel(field);
  const remove = () => removeField(editor, collection.id, field.name);
  const move = (by: 1 | -1) => moveField(editor, collection.id, index, by);
  const ask = async () => {
    const found = await usesOf(editor, collection.id, field.name);
    if (found.length === 0) remove();
    else setUses([...new Set(found)]);
  };
  return (
    <>
      <ActionMenu
        label={`Actions for ${label}`}
        isQuiet
        actions={[
          { words: "Change", icon: "edit", onPress: onChange },
          { words: "Move up", icon: "up", onPress: () => move(-1) },
          { words: "Move down", icon: "down", onPress: () => move(1) },
          { words: "Delete", icon: "trash", isGrave: true, onPress: ask },
        ]}
      />
      {uses.length > 0 && (
        <AskToDelete
          label={label}
          uses={uses}
          onDelete={remove}
          onClose={() => setUses([])}
        />
      )}
    </>
  );
}

interface AskToDeleteProps {
  label: string;
  uses: readonly string[];
  onDelete: () => void;
  onClose: () => void;
}

const maxListedUses = 8;

/** Tells where a field is used before it goes. */
function AskToDelete({ label, uses, onDelete, onClose }: AskToDeleteProps) {
  const more = uses.length - maxListedUses;
  return (
    <AskFirst
      title={`Delete ${label}?`}
      act="Delete it"
      onAct={async () => {
        onDelete();
        await Promise.resolve();
      }}
      onClose={onClose}
    >
      <p>It is used here, where nothing would be shown any more:</p>
      <ul>
        {uses.slice(0, maxListedUses).map((one, at) => (
          <li key={at}>{one}</li>
        ))}
      </ul>
      {more > 0 && <p>And in {more} more places.</p>}
    </AskFirst>
  );
}

interface FieldFormProps {
  collectionId: string;
  field: Field;
}

/** A field's name for people, its kind, and its name in the data. */
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
      <legend class="hidden-text">{fieldLabel(field)}</legend>
      <TextField
        label="Name"
        value={field.label ?? ""}
        placeholder={asWords(field.name)}
        onChange={setLabel}
        onLeave={() => editor.endThread()}
      />
      <SelectField
        label="Kind"
        value={field.type}
        options={kinds}
        onChange={(type) => type && set(withType(field, type, first))}
      />
      {isLink && <LeadsTo field={field} onChange={set} />}
      <NameInData collectionId={collectionId} field={field} />
    </fieldset>
  );
}

interface LeadsToProps {
  field: Extract<Field, { target: string }>;
  onChange: (field: Field) => void;
}

function LeadsTo({ field, onChange }: LeadsToProps) {
  const { schema } = useEditor().definition.value;
  return (
    <SelectField
      label="Leads to"
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

/** By which name records have the field, and the way to another. */
function NameInData({ collectionId, field }: NameInDataProps) {
  const { mayEdit } = useEditor();
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="data-called">
      <p class="data-hint">
        In the data it is called <code>{field.name}</code>.
      </p>
      {mayEdit && (
        <Button
          label={`Rename ${field.name} in the data`}
          onPress={() => setOpen(true)}
        >
          Rename
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
  /** In the data. */
  name: string;
  onClose: () => void;
}

/** Asks for another name in the data, and says where it is changed along. */
function RenameField({ collectionId, name, onClose }: RenameFieldProps) {
  const editor = useEditor();
  const rename = async (to: string) => {
    if (to === name) return;
    await renameField(editor, collectionId, name, to);
    toast(`${name} is called ${to} now. Undo takes it back.`);
  };
  return (
    <NameDialog
      title={`Rename “${name}” in the data`}
      label="Name in the data"
      hint="As your records have it, to the letter. The name that people see stays."
      name={name}
      act="Rename"
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
    usesOf(editor, collectionId, name),
  );
  if (fault) return <p class="data-hint">{fault}</p>;
  if (!uses) return <p class="data-hint">Looking where it is used…</p>;
  if (uses.length === 0)
    return <p class="data-hint">The template does not use it yet.</p>;
  const places = [...new Set(uses)];
  const more = places.length - maxShownPlaces;
  return (
    <div class="data-uses">
      <p>
        Used in {countOf(uses.length, "place")}, all of which are changed along:
      </p>
      <ul>
        {places.slice(0, maxShownPlaces).map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      {more > 0 && <p class="data-hint">And in {more} more.</p>}
    </div>
  );
}

interface NewFieldProps {
  collectionId: string;
  onClose: () => void;
}

/** A field's name and kind; after one, the next can be typed at once. */
function NewField({ collectionId, onClose }: NewFieldProps) {
  const editor = useEditor();
  const input = useRef<HTMLInputElement>(null);
  const [label, setLabel] = useState("");
  const [type, setType] = useState<FieldType>("String");
  useLayoutEffect(() => input.current?.focus(), []);
  const add = async () => {
    const words = label.trim();
    if (nameOfWords(words) === null) return;
    addField(editor, collectionId, words, type);
    setLabel("");
    input.current?.focus();
    await Promise.resolve();
  };
  return (
    <Form class="data-new" onSend={add}>
      <input
        class="input small"
        aria-label="Name of the new field"
        placeholder="Name, such as Due date"
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
          Add
        </Button>
        <Button kind="quiet" onPress={onClose}>
          Done
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
      aria-label="Kind of the new field"
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
