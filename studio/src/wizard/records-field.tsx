import { useId } from "preact/hooks";
import type { OpenedTable } from "../../../core/integrations/platforms/views.js";
import type { Schemas } from "../api.js";
import { t } from "../messages/index.js";
import { LabeledSelect, Select } from "../ui/select.js";

type FieldInfo = OpenedTable["fields"][number];

/** Which records of a table are taken. */
export interface RecordsChoice {
  /** "empty" (all without a file), "filter", "view:" with the id of a view, or nothing. */
  value: string;
  filter: Filter | null;
}

export const noRecords: RecordsChoice = { value: "", filter: null };

/** The choice as the API takes it; undefined for none. */
export function toRecords({ value, filter }: RecordsChoice) {
  if (value === "") return undefined;
  if (value === "empty") return { emptyAttachment: true };
  if (value === "filter" && filter) return { filter: toConditions(filter) };
  return { viewId: value.slice("view:".length) };
}

export function describeRecords(
  records: NonNullable<Schemas["Link"]["records"]>,
): string {
  if ("viewId" in records)
    return t("buttons.ofView", { view: records.viewName });
  return "filter" in records
    ? t("buttons.ofFilter")
    : t("buttons.ofRecordsWithoutFile");
}

interface RecordsFieldProps {
  id?: string;
  hint?: string;
  isRequired?: boolean;
  table: OpenedTable;
  /** The field that receives the files, if there is one. */
  field: FieldInfo | undefined;
  /** Label of the option that chooses nothing. */
  none: string;
  choice: RecordsChoice;
  onChange: (choice: RecordsChoice) => void;
}

/** Which records are taken, and their filter; nothing where there is no choice. */
export function RecordsField(props: RecordsFieldProps) {
  const { table, field, choice, onChange, ...select } = props;
  const fields = table.fields.filter(canBeFiltered);
  const options: [string, string][] = table.views.map(({ id, name }) => [
    `view:${id}`,
    t("wizard.allInView", { view: name }),
  ]);
  if (field && table.listsRows)
    options.unshift([
      "empty",
      t("wizard.allWithoutFile", { field: field.name }),
    ]);
  if (table.listsRows && fields.length > 0)
    options.push(["filter", t("wizard.allMatchingFilter")]);
  if (options.length === 0 && !select.isRequired) return null;
  return (
    <>
      <LabeledSelect
        {...select}
        label={t("common.records")}
        value={choice.value}
        options={options}
        onChange={(value = "") =>
          onChange({ value, filter: choice.filter ?? createFilter(fields) })
        }
      />
      {choice.value === "filter" && choice.filter && (
        <FilterField
          table={table.name}
          fields={fields}
          value={choice.filter}
          onChange={(filter) => onChange({ ...choice, filter })}
        />
      )}
    </>
  );
}

/** What is entered: one condition on one field. */
interface Filter {
  field: FieldInfo | undefined;
  condition: ConditionName;
  value: string;
}

type ConditionName =
  | "is"
  | "isNot"
  | "isAtLeast"
  | "isAtMost"
  | "isOn"
  | "isOnOrAfter"
  | "isOnOrBefore"
  | "isEmpty"
  | "isNotEmpty"
  | "isChecked"
  | "isNotChecked";

const textConditions: readonly ConditionName[] = [
  "is",
  "isNot",
  "isEmpty",
  "isNotEmpty",
];
/** The kinds whose values all platforms compare in the same way. */
const conditionsByKind: Partial<
  Record<FieldInfo["kind"], readonly ConditionName[]>
> = {
  text: textConditions,
  select: textConditions,
  number: ["is", "isNot", "isAtLeast", "isAtMost", "isEmpty", "isNotEmpty"],
  date: ["isOn", "isOnOrAfter", "isOnOrBefore", "isEmpty", "isNotEmpty"],
  boolean: ["isChecked", "isNotChecked"],
};
const withoutValue = new Set<ConditionName>([
  "isEmpty",
  "isNotEmpty",
  "isChecked",
  "isNotChecked",
]);

function listConditions(field: FieldInfo | undefined) {
  return (field && conditionsByKind[field.kind]) ?? textConditions;
}

function canBeFiltered({ kind }: FieldInfo): boolean {
  return conditionsByKind[kind] !== undefined;
}

/** Begins with a status, or else with the first field. */
function createFilter(fields: readonly FieldInfo[]): Filter {
  const field = fields.find(({ kind }) => kind === "select") ?? fields[0];
  const [condition = "is"] = listConditions(field);
  return { field, condition, value: "" };
}

/** The filter as the API takes it: an object of conditions by field. */
function toConditions({ field, condition, value }: Filter): object {
  if (!field) return {};
  const { id, kind } = field;
  const given = kind === "number" ? Number(value) : value;
  // Some databases tell an empty text from none.
  const empty = kind === "text" || kind === "select" ? [null, ""] : null;
  const conditions: Record<ConditionName, unknown> = {
    is: given,
    isNot: { not: given },
    isAtLeast: { min: given },
    isAtMost: { max: given },
    isOn: { min: given, max: given },
    isOnOrAfter: { min: given },
    isOnOrBefore: { max: given },
    isEmpty: empty,
    isNotEmpty: { not: null },
    isChecked: true,
    isNotChecked: { not: true },
  };
  return { [id]: conditions[condition] };
}

function describeCondition(condition: ConditionName): string {
  const words: Record<ConditionName, string> = {
    is: t("rules.is"),
    isNot: t("rules.isNot"),
    isAtLeast: t("rules.isAtLeast"),
    isAtMost: t("rules.isAtMost"),
    isOn: t("wizard.isOn"),
    isOnOrAfter: t("rules.isOnOrAfter"),
    isOnOrBefore: t("rules.isOnOrBefore"),
    isEmpty: t("rules.isEmpty"),
    isNotEmpty: t("rules.isNotEmpty"),
    isChecked: t("wizard.isChecked"),
    isNotChecked: t("wizard.isNotChecked"),
  };
  return words[condition];
}

interface FilterFieldProps {
  table: string;
  fields: readonly FieldInfo[];
  value: Filter;
  onChange: (value: Filter) => void;
}

/** A condition on one line: a field, how it is compared, and with what. */
function FilterField(props: FilterFieldProps) {
  const { table, fields, value, onChange } = props;
  const { field, condition } = value;
  const id = useId();
  const chooseField = (chosenId: string | undefined) => {
    const chosen = fields.find((candidate) => candidate.id === chosenId);
    const [first = "is"] = listConditions(chosen);
    const isKept = listConditions(chosen).includes(condition);
    onChange({
      field: chosen,
      condition: isKept ? condition : first,
      value: chosen?.kind === field?.kind ? value.value : "",
    });
  };
  const needsHint = field?.kind === "text" || field?.kind === "select";
  const hasValue = !withoutValue.has(condition);
  // The types of Preact ask for a literal type of each input.
  const input = {
    class: "input",
    "aria-label": t("common.value"),
    "aria-describedby": needsHint ? `${id}-hint` : undefined,
    placeholder: t("common.value"),
    required: true,
    value: value.value,
    onInput: (event: { currentTarget: HTMLInputElement }) =>
      onChange({ ...value, value: event.currentTarget.value }),
  };
  return (
    <div class="field" role="group" aria-labelledby={`${id}-label`}>
      <span class="label" id={`${id}-label`}>
        {t("rules.filter")}
      </span>
      <div class="filter-line">
        <Select
          label={t("common.field")}
          isLarge
          value={field?.id}
          options={fields.map((option) => [option.id, option.name] as const)}
          onChange={chooseField}
        />
        <Select
          label={t("common.condition")}
          isLarge
          value={condition}
          options={listConditions(field).map(
            (conditionName) =>
              [conditionName, describeCondition(conditionName)] as const,
          )}
          onChange={(chosen) =>
            onChange({ ...value, condition: chosen ?? condition })
          }
        />
        {hasValue && field?.kind === "number" && (
          <input {...input} type="number" step="any" />
        )}
        {hasValue && field?.kind === "date" && <input {...input} type="date" />}
        {hasValue && needsHint && (
          <input {...input} type="text" maxLength={500} />
        )}
      </div>
      {hasValue && needsHint && (
        <span class="hint" id={`${id}-hint`}>
          {t("wizard.filterHelp", { table })}
        </span>
      )}
    </div>
  );
}
