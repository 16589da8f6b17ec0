import "./data.css";
import { useId, useState, useLayoutEffect, useRef } from "preact/hooks";
import type {
  Component,
  DataCollection,
  Field,
} from "../../../../core/plugin-api/definition.js";
import { useResource } from "../../resource.js";
import { EntryMenu } from "../../ui/action-menu.js";
import { Button } from "../../ui/button.js";
import { askName, ConfirmDialog } from "../../ui/dialog.js";
import { Form } from "../../ui/form.js";
import { Icon } from "../../ui/icon.js";
import { AddButton } from "../../ui/icon-button.js";
import { Select } from "../../ui/select.js";
import { toast } from "../../ui/toast.js";
import { SelectField, SwitchField, TextField } from "../inspector/fields.js";
import { insertComponents } from "../model/edits.js";
import { useEditor } from "../model/editor-context.js";
import type { DraggedField, Editor } from "../model/editor.js";
import { nearestSpot } from "../model/placement.js";
import { withNewIds } from "../model/tree.js";
import { asWords } from "../scope/path-text.js";
import { formatSample, knownLocale } from "../scope/samples.js";
import { FormulaField, listCurrencies } from "../text/chip-popover.js";
import { getExpression } from "../text/template.js";
import { findFieldUses, renameField } from "./field-uses.js";
import {
  createFieldPart,
  getFieldSource,
  getScopeHint,
} from "./insert-field.js";
import {
  fieldIcons,
  findLabelFault,
  getFieldLabel,
  getRoot,
  moveField,
  removeField,
  type FieldKind,
  fieldKinds,
  getFieldKind,
  createField,
  changeField,
  isLinkType,
  addField,
  withFormula,
} from "./schema-edits.js";
import { TableDialog } from "./table-dialog.js";
import { t } from "../../messages/index.js";
import { rich } from "../../messages/rich.js";
import { getFormula } from "./make-sample.js";

export function DataPanel() {
  const editor = useEditor();
  const [isImporting, setImporting] = useState(false);
  const { definition, sampled, mayEdit } = editor;
  const root = getRoot(definition.value.schema);
  return (
    <div class="data">
      <div class="data-head">
        <Button
          isWide
          onPress={() => {
            editor.samplePlace.value = [];
          }}
        >
          <Icon name="documents" size={16} />
          {t("fields.sampleData")}
        </Button>
        {mayEdit && (
          <Button isWide onPress={() => setImporting(true)}>
            <Icon name="connections" size={16} />
            {t("fields.importFieldsFromTable")}
          </Button>
        )}
      </div>
      {root.fields.length === 0 && (
        <p class="data-hint">{t("fields.noFieldsYet")}</p>
      )}
      <CollectionFields
        collection={root}
        trail={[root.id]}
        sample={sampled.value.sample}
      />
      {isImporting && <TableDialog onClose={() => setImporting(false)} />}
    </div>
  );
}

interface CollectionFieldsProps {
  collection: DataCollection;
  /** The ids of the collections above it, so that circular links end. */
  trail: readonly string[];
  /** The record in the sample, or the first one of a list. */
  sample: unknown;
}

function CollectionFields({
  collection,
  trail,
  sample,
}: CollectionFieldsProps) {
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
            sample={
              getFormula(field) ??
              getEntries(sample).get(field.name) ??
              field.sample
            }
            key={field.name}
          />
        ))}
      </ul>
      {isAdding && (
        <NewField collectionId={id} onClose={() => setAdding(false)} />
      )}
      {mayEdit && !isAdding && (
        <AddButton
          words={t("fields.addField")}
          label={add}
          onPress={() => setAdding(true)}
        />
      )}
    </>
  );
}

interface FieldLineProps {
  collection: DataCollection;
  field: Field;
  index: number;
  trail: readonly string[];
  /** Its value in the sample. */
  sample: unknown;
}

function getEntries(value: unknown): ReadonlyMap<string, unknown> {
  const [record]: unknown[] = Array.isArray(value) ? value : [value];
  const isRecord = typeof record === "object" && record !== null;
  return new Map(isRecord ? Object.entries(record) : []);
}

/** A field; a click opens its form or the fields that it links to. */
function FieldLine(props: FieldLineProps) {
  const { field, trail } = props;
  const editor = useEditor();
  const { mayEdit } = editor;
  const [isOpen, setOpen] = useState(false);
  const [isChanging, setChanging] = useState(false);
  const { schema } = editor.definition.value;
  /** The collection that a link leads to; undefined for a circular link. */
  const target =
    "target" in field && !trail.includes(field.target)
      ? schema.find(({ id }) => id === field.target)
      : undefined;
  const turn = (open: boolean, change: boolean) => {
    setOpen(open);
    setChanging(change);
  };
  return (
    <li>
      <div
        class="data-line"
        data-field={field.name}
        data-collection={props.collection.id}
      >
        <button
          type="button"
          class="data-name"
          aria-expanded={isOpen}
          title={mayEdit ? t("fields.dragToPage") : undefined}
          // Keeps the caret in the text that is being edited.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => turn(!isOpen, false)}
        >
          <Icon
            name={
              getFormula(field) === undefined
                ? fieldIcons[getFieldKind(field)]
                : "formula"
            }
            size={16}
          />
          <span>{getFieldLabel(field)}</span>
          {target && <Icon name={isOpen ? "down" : "next"} size={12} />}
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
              trail={[...trail, target.id]}
              sample={props.sample}
            />
          )}
        </div>
      )}
    </li>
  );
}

/** Its value in the sample, and a plus. */
function InsertButton({ collection, field, sample }: FieldLineProps) {
  const editor = useEditor();
  const { locale } = editor.definition.value;
  const value = Array.isArray(sample) ? "" : formatSample(sample, locale);
  const label = getFieldLabel(field);
  const words =
    value === ""
      ? t("fields.insertLabel", { label })
      : t("fields.insertLabelWithValue", { label, value });
  return (
    <button
      type="button"
      class="data-insert"
      aria-label={words}
      title={words}
      // Keeps the caret in the text that is being edited.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() =>
        insertField(editor, { collectionId: collection.id, field })
      }
    >
      {value !== "" && <span>{value}</span>}
      <Icon name="plus" size={14} />
    </button>
  );
}

/** Inserts a field at the caret, or as a new component after the selection: a text, or a table for a list. */
function insertField(editor: Editor, dragged: DraggedField): void {
  const { collectionId, field } = dragged;
  const typing = editor.typingIn.peek();
  const place = typing ?? editor.selected.peek();
  if (field.type === "OneToOneLink") {
    toast(t("fields.openRecordFirst"));
    return;
  }
  const source = getFieldSource(editor, place, dragged);
  const part = createFieldPart(editor, place, dragged);
  if (typing !== null && source !== null) pasteAtCaret(source);
  else if (part) insertNewComponent(editor, part, field);
  else toast(getScopeHint(collectionId));
}

/** The text editor turns a pasted variable into a chip. */
function pasteAtCaret(text: string): void {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const init = { clipboardData, bubbles: true, cancelable: true };
  document.activeElement?.dispatchEvent(new ClipboardEvent("paste", init));
}

function insertNewComponent(
  editor: Editor,
  part: Component,
  field: Field,
): void {
  const spot = nearestSpot(editor, [part.type], editor.selected.peek());
  if (!spot) {
    toast(t("fields.cannotInsertHere"));
    return;
  }
  const name = t("fields.insertLabel", { label: getFieldLabel(field) });
  insertComponents(editor, [withNewIds(part)], spot, name);
}

interface FieldMenuProps extends FieldLineProps {
  /** Opens its form. */
  onChange: () => void;
}

/** Deleting a field that is used asks first. */
function FieldMenu({ collection, field, index, onChange }: FieldMenuProps) {
  const editor = useEditor();
  const [uses, setUses] = useState<readonly string[]>([]);
  const label = getFieldLabel(field);
  const remove = () => removeField(editor, collection.id, field.name);
  const move = (by: 1 | -1) => moveField(editor, collection.id, index, by);
  const ask = async () => {
    const fieldUses = await findFieldUses(editor, collection.id, field.name);
    if (fieldUses.length === 0) remove();
    else setUses(fieldUses);
  };
  return (
    <>
      <EntryMenu
        name={label}
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
        <ConfirmDialog
          title={t("fields.deleteLabel", { label })}
          act={t("fields.deleteField")}
          onAct={remove}
          onClose={() => setUses([])}
        >
          <p>{t("fields.placesThatWouldBeEmpty")}</p>
          <Places uses={uses} />
        </ConfirmDialog>
      )}
    </>
  );
}

interface FieldFormProps {
  collectionId: string;
  field: Field;
}

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
  const formula = getFormula(field);
  const kinds = fieldKinds.filter(
    ([kind]) =>
      isLinkType(kind) === isLink &&
      (formula === undefined || !uncalculated.includes(kind)),
  );
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
        value={getFieldKind(field)}
        options={kinds}
        onChange={(kind) => kind && set(withKind(field, kind, first))}
      />
      {isLink && (
        <SelectField
          label={t("fields.linksTo")}
          value={field.target}
          options={schema.map(({ id, label }) => [id, label ?? asWords(id)])}
          onChange={(target) => target && set({ ...field, target })}
        />
      )}
      {formula === undefined ? (
        <SwitchField
          label={t("content.required")}
          value={field.required ?? false}
          onChange={(required) => set(withRequired(field, required))}
        />
      ) : (
        <FormulaField
          source={formula}
          onChange={(chip) =>
            set(
              withFormula(field, getExpression(chip)),
              `computed:${collectionId}:${field.name}`,
            )
          }
        />
      )}
      {field.type === "Number" && (
        <NumberStyle field={field} onChange={(next) => set(next)} />
      )}
      {field.type === "Number" && formula === undefined && (
        <SwitchField
          label={t("property.allowNumericStrings")}
          value={field.allowNumericStrings ?? false}
          onChange={(isAllowed) => set(withNumericStrings(field, isAllowed))}
        />
      )}
      <NameInData collectionId={collectionId} field={field} />
    </fieldset>
  );
}

/** Kinds that only a value of the data shows. */
const uncalculated: readonly FieldKind[] = ["image", "Autogenerated"];

function withKind(field: Field, kind: FieldKind, target: string): Field {
  const { name, label, source, required, sample } = field;
  const next = createField(
    {
      name,
      ...(label !== undefined && { label }),
      ...(source !== undefined && { source }),
      ...(required !== undefined && { required }),
    },
    kind,
    "target" in field ? field.target : target,
  );
  // The example of a text may be what makes it a picture.
  const keepsSample = next.type === field.type && next.type !== "String";
  const withSample =
    keepsSample && sample !== undefined ? { ...next, sample } : next;
  return withFormula(withSample, getFormula(field));
}

function withRequired(field: Field, required: boolean): Field {
  if (required) return { ...field, required };
  const { required: _old, ...rest } = field;
  return rest;
}

type NumberDefinition = Extract<Field, { type: "Number" }>;

interface NumberStyleProps {
  field: NumberDefinition;
  onChange: (field: NumberDefinition) => void;
}

/** The currency of money; whether 0.19 or 19 is 19 %. */
function NumberStyle({ field, onChange }: NumberStyleProps) {
  const { locale: tag, currency = "USD" } = useEditor().definition.value;
  const { currency: fieldCurrency, ...bare } = field;
  if (field.format === undefined) return null;
  if (field.format === "currency")
    return (
      <SelectField
        label={t("page.currency")}
        value={fieldCurrency}
        none={t("text.templateDefaultCurrency", { currency })}
        options={listCurrencies()}
        onChange={(code) =>
          onChange(code === undefined ? bare : { ...bare, currency: code })
        }
      />
    );
  const format = (value: number, style: "percent" | "decimal") =>
    value.toLocaleString(knownLocale(tag ?? "en-US"), { style });
  const percent = format(0.19, "percent");
  const describe = (value: number) =>
    t("fields.valueIsPercent", { value: format(value, "decimal"), percent });
  return (
    <SelectField
      label={t("fields.percentagesInData")}
      value={field.format}
      options={[
        ["percent", describe(0.19)],
        ["wholePercent", describe(19)],
      ]}
      onChange={(next) => next && onChange({ ...field, format: next })}
    />
  );
}

function withNumericStrings(
  field: NumberDefinition,
  isAllowed: boolean,
): Field {
  if (isAllowed) return { ...field, allowNumericStrings: true };
  const { allowNumericStrings: _old, ...rest } = field;
  return rest;
}

/** The field's name in the records, with a button to rename it wherever it is used. */
function NameInData({ collectionId, field: { name } }: FieldFormProps) {
  const editor = useEditor();
  const rename = async (to: string) => {
    if (to === name) return;
    await renameField(editor, collectionId, name, to);
    toast(t("fields.nameWasRenamedToTo", { name, to }));
  };
  return (
    <div class="data-called">
      <p class="data-hint">{rich("fields.nameInDataName", {}, { name })}</p>
      {editor.mayEdit && (
        <Button
          label={t("fields.renameNameInData", { name })}
          dialog={askName({
            title: t("fields.renameInDataTitle", { name }),
            label: t("fields.nameInData"),
            hint: t("fields.nameInDataHelp"),
            name,
            act: t("common.rename"),
            onName: rename,
            children: <Uses collectionId={collectionId} name={name} />,
          })}
        >
          {t("common.rename")}
        </Button>
      )}
    </div>
  );
}

const maxPlaces = 6;

/** The first places, each once, and how many more there are. */
function Places({ uses }: { uses: readonly string[] }) {
  const places = [...new Set(uses)];
  const more = places.length - maxPlaces;
  return (
    <>
      <ul>
        {places.slice(0, maxPlaces).map((place) => (
          <li key={place}>{place}</li>
        ))}
      </ul>
      {more > 0 && (
        <p class="data-hint">{t("fields.andInMoreMore", { more })}</p>
      )}
    </>
  );
}

interface UsesProps {
  collectionId: string;
  name: string;
}

/** The places that a new name will change. */
function Uses({ collectionId, name }: UsesProps) {
  const editor = useEditor();
  const { data: uses, fault } = useResource(`${collectionId} ${name}`, () =>
    findFieldUses(editor, collectionId, name),
  );
  if (fault) return <p class="data-hint">{fault}</p>;
  if (!uses) return <p class="data-hint">{t("fields.findingWhereItIsUsed")}</p>;
  if (uses.length === 0)
    return <p class="data-hint">{t("fields.templateDoesNotUseIt")}</p>;
  return (
    <div class="data-uses">
      <p>{t("fields.usedInPlaces", { count: uses.length })}</p>
      <Places uses={uses} />
    </div>
  );
}

/** A field of the data, or one that is calculated. */
type NewKind = FieldKind | "computed";

const newKinds: readonly (readonly [NewKind, string])[] = [
  ...fieldKinds,
  ["computed", t("fields.calculated")],
];

interface NewFieldProps {
  collectionId: string;
  onClose: () => void;
}

/** Stays open for the next field. */
function NewField({ collectionId, onClose }: NewFieldProps) {
  const editor = useEditor();
  const input = useRef<HTMLInputElement>(null);
  const [label, setLabel] = useState("");
  const [type, setType] = useState<NewKind>("String");
  const [formula, setFormula] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const faultId = useId();
  useLayoutEffect(() => input.current?.focus(), []);
  const add = async () => {
    const { schema } = editor.definition.peek();
    const { fields = [] } = schema.find(({ id }) => id === collectionId) ?? {};
    const isComputed = type === "computed";
    const isIncomplete = isComputed && formula.trim() === "";
    const nextFault =
      findLabelFault(fields, label) ??
      (isIncomplete ? t("fields.formulaMissing") : null);
    setFault(nextFault);
    if (nextFault !== null) return;
    const words = label.trim();
    if (isComputed)
      addField(editor, collectionId, words, "Number", formula.trim());
    else addField(editor, collectionId, words, type);
    setLabel("");
    setFormula("");
    input.current?.focus();
    await Promise.resolve();
  };
  return (
    <Form class="data-new" onSend={add}>
      <input
        class="input small"
        aria-label={t("fields.nameOfNewField")}
        placeholder={t("fields.nameSuchAsDueDate")}
        aria-describedby={faultId}
        ref={input}
        value={label}
        onInput={({ currentTarget }) => {
          setLabel(currentTarget.value);
          setFault(null);
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
        }}
      />
      <Select
        label={t("fields.typeOfNewField")}
        value={type}
        options={newKinds}
        onChange={(chosen = "String") => setType(chosen)}
      />
      {type === "computed" && (
        <input
          class="input small"
          aria-label={t("rules.formula")}
          placeholder={t("fields.formulaSuchAs")}
          spellcheck={false}
          value={formula}
          onInput={({ currentTarget }) => {
            setFormula(currentTarget.value);
            setFault(null);
          }}
        />
      )}
      <span class="fault" id={faultId} role="status">
        {fault}
      </span>
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
