import { useId, useRef, useState } from "preact/hooks";
import type { RowsTarget } from "../../../../core/integrations/platforms/views.js";
import type { Json } from "../../../../core/plugin-api/definition.js";
import { ask, Refusal } from "../../api.js";
import { language, t } from "../../messages/index.js";
import { useDebounced, useResource } from "../../resource.js";
import { Button } from "../../ui/button.js";
import { Choices, InputField } from "../../ui/form.js";
import { Icon } from "../../ui/icon.js";
import { Notice } from "../../ui/notice.js";
import {
  ReadingProblems,
  ReadingQuestions,
  type TextReading,
} from "../../ui/reading-questions.js";
import { Select } from "../../ui/select.js";
import { describeFileFault } from "../../ui/table-problems.js";
import { useEditor } from "../model/editor-context.js";
import { formatSample } from "../scope/samples.js";
import { fillWithRows, type PastedRows } from "./fill-with-rows.js";
import { toRecord } from "./make-sample.js";
import {
  fieldIcons,
  findLabelFault,
  getFieldKind,
  getFieldLabel,
  getRoot,
} from "./schema-edits.js";

const shownRows = 3;
const names = new Intl.ListFormat(language);

/** What the person has decided about the rows. */
interface RowsChoice extends TextReading {
  headerRow?: number;
  target?: RowsTarget;
}

interface SampleRowsProps {
  text: string;
  onType: (text: string) => void;
  /** Replaces the fields and the sample. */
  onImport: (filled: ReturnType<typeof fillWithRows>) => void;
}

/** Fields and sample values from pasted rows: CSV, a spreadsheet's cells or a JSON array, read as files are. */
export function SampleRows({ text, onType, onImport }: SampleRowsProps) {
  const id = useId();
  const { sampled, mayEdit } = useEditor();
  const { schema, sample, locale = "en-US", currency } = sampled.value;
  const [choice, setChoice] = useState<RowsChoice>({});
  const pasted = useDebounced(text);
  const request = { text: pasted, schema, currency, ...choice };
  const { data, isCurrent, fault } = useResource<PastedRows | null>(
    JSON.stringify(request),
    () => (pasted.trim() === "" ? Promise.resolve(null) : readRows(request)),
  );
  const latest = useRef<PastedRows | null>(null);
  latest.current = data ?? latest.current;
  const { headerRow } = choice;
  const change = (next: RowsChoice) => setChoice({ ...choice, ...next });
  const isReading =
    text.trim() !== "" && (pasted !== text || (!isCurrent && fault === null));
  return (
    <div class="sample-rows">
      <div class="field">
        <label for={id}>{t("fields.rows")}</label>
        <textarea
          id={id}
          class="input sample-source"
          placeholder={t("fields.rowsPlaceholder")}
          spellcheck={false}
          wrap="off"
          readOnly={!mayEdit}
          value={text}
          onInput={({ currentTarget }) => {
            setChoice({});
            onType(currentTarget.value);
          }}
        />
      </div>
      {fault !== null && !isReading && (
        <Notice tone="bad" title={t("fields.couldntReadRows")}>
          <p>{fault}</p>
          {headerRow !== undefined && latest.current && (
            <HeaderRow
              rows={{ ...latest.current, headerRow, isHeaderUnclear: false }}
              onChange={change}
            />
          )}
        </Notice>
      )}
      {isReading && (
        <p class="data-hint" role="status">
          {t("fields.readingRows")}
        </p>
      )}
      {data && (
        <>
          <div class="row">
            <HeaderRow rows={data} onChange={change} />
            <ReadingQuestions
              table={{ ...data, columns: data.columns.map(toQuestions) }}
              reading={choice}
              onChange={change}
            />
          </div>
          {data.problems.length > 0 && !isReading && (
            <ReadingProblems problems={data.problems} />
          )}
          {!isReading && <RowsPreview rows={data} locale={locale} />}
          {!isReading && data.calculated.length > 0 && (
            <p class="data-hint">
              {t("fields.columnsLeftOut", {
                columns: names.format(data.calculated),
              })}
            </p>
          )}
          <TargetChoice
            target={choice.target ?? data.target}
            count={data.records.length}
            reason={
              isReading
                ? t("fields.readingRows")
                : data.problems.length > 0
                  ? t("fromFile.fixFirst")
                  : null
            }
            onChange={change}
            onImport={(label) =>
              onImport(fillWithRows(schema, sample, data, label))
            }
          />
        </>
      )}
    </div>
  );
}

async function readRows(request: object): Promise<PastedRows> {
  try {
    return await ask("drafts/rows", "POST", request);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Error(describeFileFault(error), { cause: error });
  }
}

interface HeaderRowProps {
  rows: PastedRows;
  onChange: (change: RowsChoice) => void;
}

/** Only fields of dates and numbers have values that may be two. */
function toQuestions({
  field,
  decimal,
  dateOrder,
}: PastedRows["columns"][number]) {
  return {
    decimal: field?.type === "Number" ? decimal : null,
    dateOrder: field?.type === "Date" ? dateOrder : null,
  };
}

/** A single row has no header, unless it may be one. */
function HeaderRow({ rows, onChange }: HeaderRowProps) {
  const { headerRow, isHeaderUnclear, records } = rows;
  const isSingle = headerRow === 0 && records.length === 1;
  if (headerRow === null || (isSingle && !isHeaderUnclear)) return null;
  return (
    <label class="field">
      {t("fromFile.headerRow")}
      <Select
        value={isHeaderUnclear ? undefined : String(headerRow)}
        options={[
          [String(headerRow || 1), String(headerRow || 1)],
          ["0", t("common.none")],
        ]}
        none={isHeaderUnclear ? t("fromFile.chooseOne") : undefined}
        onChange={(row) => {
          if (row !== undefined) onChange({ headerRow: Number(row) });
        }}
      />
    </label>
  );
}

function RowsPreview({ rows, locale }: { rows: PastedRows; locale: string }) {
  const { columns, records } = rows;
  return (
    <div
      class="sample-table rows-preview"
      role="group"
      aria-label={t("fields.rowsPreview")}
      tabIndex={0}
    >
      <table>
        <thead>
          <tr>
            {columns.map(({ name, field }) => (
              <th scope="col" key={name}>
                <Icon
                  name={field ? fieldIcons[getFieldKind(field)] : "text"}
                  size={14}
                />
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.slice(0, shownRows).map((record, row) => (
            <tr key={row}>
              {columns.map(({ name, path }) => (
                <td key={name}>
                  {formatSample(
                    path.reduce<Json | undefined>(
                      (value, key) => toRecord(value)[key],
                      record,
                    ),
                    locale,
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface TargetChoiceProps {
  target: RowsTarget;
  count: number;
  /** Why the rows cannot be used yet. */
  reason: string | null;
  onChange: (change: RowsChoice) => void;
  /** @param label of a new list */
  onImport: (label: string) => void;
}

/** Whether the rows are entries of a list or the first of them is the record. */
function TargetChoice(props: TargetChoiceProps) {
  const { target, count, reason, onChange, onImport } = props;
  const { schema } = useEditor().definition.value;
  const [label, setLabel] = useState(t("fields.items"));
  const { fields } = getRoot(schema);
  const lists = fields.filter(({ type }) => type === "OneToManyLink");
  const labelFault = target === "new" ? findLabelFault(fields, label) : null;
  const options: [RowsTarget, string][] = [
    ...lists.map((list): [RowsTarget, string] => [
      `list:${list.name}`,
      t("fields.rowsIntoList", { list: getFieldLabel(list) }),
    ]),
    ["record", t("fields.rowsAsRecord")],
    ["new", t("fields.rowsAsNewList")],
  ];
  return (
    <div class="rows-target">
      <Choices
        legend={t("fields.whereRowsGo")}
        options={options}
        value={target}
        onChoose={(chosen) => onChange({ target: chosen })}
      />
      {target === "new" && (
        <InputField
          label={t("fields.nameOfList")}
          fault={labelFault}
          value={label}
          onChange={setLabel}
        />
      )}
      <div class="rows-end">
        <p class="data-hint">
          {target === "record"
            ? t("fields.rowsAsRecordHelp", { count })
            : t("fields.rowsIntoListHelp", { count })}
        </p>
        <Button
          kind="primary"
          reason={reason ?? labelFault}
          onPress={() => onImport(label.trim())}
        >
          {t("fields.useTheseRows")}
        </Button>
      </div>
    </div>
  );
}
