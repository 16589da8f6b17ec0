import type { ComponentChildren } from "preact";
import type {
  ChartSeries,
  ComponentOf,
} from "../../../../core/plugin-api/definition.js";
import { AddButton, IconButton } from "../../ui/icon-button.js";
import { Select } from "../../ui/select.js";
import { BlockPanel } from "../blocks/block-panel.js";
import { useEditor } from "../model/editor-context.js";
import { updateComponent } from "../model/edits.js";
import type { Entry } from "../model/tree.js";
import { listFields, listPathOptions } from "../scope/path-options.js";
import { aligns, getControls } from "./content-controls.js";
import type { Choice } from "./control.js";
import { assignProperty, ControlFields } from "./control-fields.js";
import { SelectField, toHexColor } from "./fields.js";
import { LengthInput } from "./length-field.js";
import { t } from "../../messages/index.js";

/** The properties that only components of this type have. */
export function ContentPanel({ entry }: { entry: Entry }) {
  const editor = useEditor();
  const { id, component } = entry;
  if (component.type === "partial")
    return <BlockPanel entry={entry} component={component} />;
  const controls = getControls(component.type, editor.templateType);
  if (controls.length === 0)
    return (
      <p class="prop-example">
        {component.type === "divider" || component.type === "page-break"
          ? t("content.noSettings")
          : t("content.containerHelp")}
      </p>
    );
  const set = (property: string, value: unknown) => {
    const label = controls.find(
      (control) => control.property === property,
    )?.label;
    updateComponent(
      editor,
      id,
      t("style.changeProperty", { property: label ?? property }),
      (draft) => assignProperty(draft, property, value),
      `${property}:${id}`,
    );
  };
  return (
    <div class="props">
      <ControlFields
        controls={controls}
        values={component}
        owner={id}
        onChange={set}
      />
      {component.type === "table" && (
        <TableColumns
          id={id}
          columns={component.columns ?? []}
          onChange={(columns) => set("columns", columns)}
        />
      )}
      {component.type === "chart" && <ChartFields id={id} chart={component} />}
      {component.type === "social" && (
        <SocialLinks
          items={component.items}
          onChange={(items) => set("items", items)}
        />
      )}
      {component.type === "sign-field" && component.field === "select" && (
        <ChoicesField
          options={component.options ?? []}
          onChange={(options) => set("options", options)}
        />
      )}
    </div>
  );
}

interface ListFieldProps<T> {
  label: string;
  list: readonly T[];
  /** Labels of the buttons. */
  add: string;
  moveUp: (item: { number: number }) => string;
  remove: (item: { number: number }) => string;
  min?: number;
  make: () => T;
  draw: (
    item: T,
    number: number,
    change: (item: T) => void,
  ) => ComponentChildren;
  onChange: (list: T[]) => void;
}

function ListField<T>(props: ListFieldProps<T>) {
  const { list, min = 0, onChange } = props;
  return (
    <fieldset class="prop-list">
      <legend>{props.label}</legend>
      {list.map((item, index) => {
        const number = index + 1;
        return (
          <div class="prop-line" key={index}>
            <div class="prop-line-fields">
              {props.draw(item, number, (next) =>
                onChange(list.with(index, next)),
              )}
            </div>
            {index > 0 && (
              <IconButton
                icon="up"
                label={props.moveUp({ number })}
                onPress={() =>
                  onChange(
                    list.toSpliced(index, 1).toSpliced(index - 1, 0, item),
                  )
                }
              />
            )}
            {list.length > min && (
              <IconButton
                icon="close"
                label={props.remove({ number })}
                onPress={() => onChange(list.toSpliced(index, 1))}
              />
            )}
          </div>
        );
      })}
      <AddButton
        words={props.add}
        onPress={() => onChange([...list, props.make()])}
      />
    </fieldset>
  );
}

interface TextInputProps {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
}

function TextInput({ label, placeholder, value, onChange }: TextInputProps) {
  return (
    <input
      class="input small"
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function withoutUndefined<T extends object>(value: T): T {
  const copy = { ...value };
  for (const [name, propertyValue] of Object.entries(copy))
    if (propertyValue === undefined) Reflect.deleteProperty(copy, name);
  return copy;
}

function nonEmpty<T>(list: T[]): T[] | undefined {
  return list.length === 0 ? undefined : list;
}

type Column = NonNullable<ComponentOf<"table">["columns"]>[number];

interface TableColumnsProps {
  id: string;
  columns: readonly Column[];
  onChange: (columns: Column[] | undefined) => void;
}

function TableColumns({ id, columns, onChange }: TableColumnsProps) {
  return (
    <ListField
      label={t("components.columns")}
      list={columns}
      add={t("content.setColumnWidth")}
      moveUp={(item) => t("content.moveColumnUp", item)}
      remove={(item) => t("content.removeColumn", item)}
      make={(): Column => ({})}
      onChange={(next) => onChange(nonEmpty(next))}
      draw={(column, number, change) => (
        <>
          <LengthInput
            id={`${id}-width-${number}`}
            label={t("content.widthOfColumnNumber", { number })}
            value={column.width}
            isRelative
            unit="%"
            placeholder={t("content.shared")}
            onChange={(width) => change(withoutUndefined({ ...column, width }))}
          />
          <Select
            label={t("content.alignmentOfColumnNumber", { number })}
            value={column.align}
            options={aligns}
            none={t("style.sameAsText")}
            onChange={(align) => change(withoutUndefined({ ...column, align }))}
          />
        </>
      )}
    />
  );
}

interface ChoicesFieldProps {
  options: readonly string[];
  onChange: (options: string[] | undefined) => void;
}

function ChoicesField({ options, onChange }: ChoicesFieldProps) {
  return (
    <ListField
      label={t("content.choices")}
      list={options}
      add={t("content.addChoice")}
      moveUp={(item) => t("content.moveChoiceUp", item)}
      remove={(item) => t("content.removeChoice", item)}
      make={() => t("content.choiceLength", { length: options.length + 1 })}
      onChange={(next) => onChange(nonEmpty(next))}
      draw={(option, number, change) => (
        <TextInput
          label={t("content.choiceNumber", { number })}
          value={option}
          onChange={change}
        />
      )}
    />
  );
}

type SocialLink = ComponentOf<"social">["items"][number];

interface SocialLinksProps {
  items: readonly SocialLink[];
  onChange: (items: SocialLink[]) => void;
}

function SocialLinks({ items, onChange }: SocialLinksProps) {
  const { networks, networkAliases } = useEditor().design.defaults.email;
  const keyOf = (network: string) => {
    const key = network.toLowerCase();
    return networkAliases[key] ?? (key in networks ? key : network);
  };
  const knownNetworks = Object.entries(networks).map(
    ([network, { name }]): Choice => [network, name],
  );
  return (
    <ListField
      label={t("content.links")}
      list={items}
      add={t("content.addLink")}
      moveUp={(item) => t("content.moveLinkUp", item)}
      remove={(item) => t("content.removeLink", item)}
      make={(): SocialLink => ({
        network: "website",
        href: "https://",
      })}
      onChange={onChange}
      draw={(item, number, change) => (
        <>
          <SelectField
            label={t("content.networkNumber", { number })}
            value={keyOf(item.network)}
            options={
              keyOf(item.network) in networks
                ? knownNetworks
                : [...knownNetworks, [item.network, item.network]]
            }
            onChange={(network) =>
              change({ ...item, network: network ?? item.network })
            }
          />
          <TextInput
            label={t("content.addressNumber", { number })}
            value={item.href}
            onChange={(href) => change({ ...item, href })}
          />
        </>
      )}
    />
  );
}

const aggregates = [
  ["SUM", t("text.sum")],
  ["COUNT", t("text.count")],
  ["AVG", t("text.average")],
] as const;

interface ChartFieldsProps {
  id: string;
  chart: ComponentOf<"chart">;
}

function ChartFields({ id, chart }: ChartFieldsProps) {
  const editor = useEditor();
  const lists = listPathOptions(editor, id, "content")
    .filter(({ kind }) => kind === "list")
    .map(({ path, label }): Choice => [path, label]);
  const fields = listFields(editor, id, chart.data).map(
    ({ path, label }): Choice => [path, label],
  );
  const set = (property: "data" | "label" | "series", value: unknown) =>
    updateComponent(editor, id, t("content.changeChart"), (draft) => {
      if (value !== undefined) Reflect.set(draft, property, value);
    });
  return (
    <>
      <SelectField
        label={t("common.list")}
        value={chart.data}
        options={lists}
        onChange={(data) => set("data", data)}
      />
      <SelectField
        label={t("content.names")}
        value={chart.label}
        options={fields}
        onChange={(label) => set("label", label)}
      />
      <ListField
        label={t("common.values")}
        list={chart.series}
        add={t("rules.addValue")}
        moveUp={(item) => t("content.moveValueUp", item)}
        remove={(item) => t("content.removeValue", item)}
        min={1}
        make={(): ChartSeries => ({ field: fields[0]?.[0] ?? "value" })}
        onChange={(series) => set("series", series)}
        draw={(series, number, change) => (
          <SeriesFields {...{ series, number, fields }} onChange={change} />
        )}
      />
    </>
  );
}

interface SeriesFieldsProps {
  series: ChartSeries;
  number: number;
  fields: readonly Choice[];
  onChange: (series: ChartSeries) => void;
}

function SeriesFields({ series, number, fields, onChange }: SeriesFieldsProps) {
  const change = (part: Partial<ChartSeries>) =>
    onChange(withoutUndefined({ ...series, ...part }));
  return (
    <>
      <Select
        label={t("content.fieldOfValue", { number })}
        value={series.field}
        options={fields}
        onChange={(field = series.field) => change({ field })}
      />
      <Select
        label={t("content.aggregationOfValue", { number })}
        value={series.aggregate}
        options={aggregates}
        none={t("common.none")}
        onChange={(aggregate) => change({ aggregate })}
      />
      <TextInput
        label={t("content.nameOfValue", { number })}
        placeholder={t("common.name")}
        value={series.label ?? ""}
        onChange={(label) => change({ label: label || undefined })}
      />
      <input
        type="color"
        aria-label={t("content.colorOfValue", { number })}
        value={toHexColor(series.color) ?? "#2563eb"}
        onInput={({ currentTarget }) => change({ color: currentTarget.value })}
      />
    </>
  );
}
