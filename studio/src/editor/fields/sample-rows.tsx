import { useId, useState } from "preact/hooks";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { Choices, InputField } from "../../ui/form.js";
import { SwitchField } from "../inspector/fields.js";
import { useEditor } from "../model/editor-context.js";
import { formatSample } from "../scope/samples.js";
import type { IconName } from "../../ui/icon-paths.js";
import {
  type Column,
  fillWithRows,
  hasHeader,
  listTargets,
  readCells,
  readColumns,
  readJsonRows,
  type RowsTarget,
} from "./read-rows.js";
import { t } from "../../messages/index.js";

const shownRows = 3;

const kindIcons: Readonly<Record<Column["kind"], IconName>> = {
  text: "text",
  number: "number",
  money: "money",
  percent: "percent",
  date: "calendar",
  boolean: "check",
};

interface SampleRowsProps {
  text: string;
  onType: (text: string) => void;
  /** Replaces the fields and the sample. */
  onImport: (filled: ReturnType<typeof fillWithRows>) => void;
}

/** Fields and sample values from pasted rows: CSV, a spreadsheet's cells or a JSON array. */
export function SampleRows({ text, onType, onImport }: SampleRowsProps) {
  const id = useId();
  const { definition, mayEdit } = useEditor();
  const { schema, sample, locale = "en-US", currency } = definition.value;
  const [named, setNamed] = useState<boolean | null>(null);
  const json = readJsonRows(text);
  const cells = json ? null : readCells(text);
  const isNamed = named ?? hasHeader(cells ?? []);
  const columns = json ?? (cells && readColumns(cells, isNamed, locale));
  const count = columns?.[0]?.values.length ?? 0;
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
            setNamed(null);
            onType(currentTarget.value);
          }}
        />
      </div>
      {cells && (
        <SwitchField
          label={t("fields.firstRowIsHeader")}
          value={isNamed}
          onChange={setNamed}
        />
      )}
      {columns && count > 0 && (
        <>
          <RowsPreview columns={columns} count={count} locale={locale} />
          <TargetChoice
            columns={columns}
            count={count}
            onImport={(target) =>
              onImport(fillWithRows(schema, sample, columns, target, currency))
            }
          />
        </>
      )}
    </div>
  );
}

interface RowsPreviewProps {
  columns: readonly Column[];
  count: number;
  locale: string;
}

function RowsPreview({ columns, count, locale }: RowsPreviewProps) {
  const rows = Array.from(
    { length: Math.min(count, shownRows) },
    (_, at) => at,
  );
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
            {columns.map(({ label, kind }, at) => (
              <th scope="col" key={at}>
                <Icon name={kindIcons[kind]} size={14} />
                {label === ""
                  ? t("fields.columnNumber", { number: at + 1 })
                  : label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              {columns.map(({ values }, at) => (
                <td key={at}>{formatSample(values[row], locale)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface TargetChoiceProps {
  columns: readonly Column[];
  count: number;
  onImport: (target: RowsTarget) => void;
}

/** Whether the rows are entries of a list or the first of them is the record. */
function TargetChoice({ columns, count, onImport }: TargetChoiceProps) {
  const { schema } = useEditor().definition.value;
  const lists = listTargets(schema, columns);
  const [chosen, setChosen] = useState<string | null>(null);
  const [label, setLabel] = useState(t("fields.items"));
  const options: [string, string][] = [
    ...lists.map(({ name, label: list }): [string, string] => [
      `list:${name}`,
      t("fields.rowsIntoList", { list }),
    ]),
    ["record", t("fields.rowsAsRecord")],
    ["new", t("fields.rowsAsNewList")],
  ];
  const value = chosen ?? options[0]?.[0] ?? "record";
  const target: RowsTarget =
    value === "record"
      ? { kind: "record" }
      : value === "new"
        ? { kind: "newList", label: label.trim() }
        : { kind: "list", name: value.slice("list:".length) };
  return (
    <div class="rows-target">
      <Choices
        legend={t("fields.whereRowsGo")}
        options={options}
        value={value}
        onChoose={setChosen}
      />
      {target.kind === "newList" && (
        <InputField
          label={t("fields.nameOfList")}
          value={label}
          onChange={setLabel}
        />
      )}
      <div class="rows-end">
        <p class="data-hint">
          {target.kind === "record"
            ? t("fields.rowsAsRecordHelp", { count })
            : t("fields.rowsIntoListHelp", { count })}
        </p>
        <Button kind="primary" onPress={() => onImport(target)}>
          {t("fields.useTheseRows")}
        </Button>
      </div>
    </div>
  );
}
