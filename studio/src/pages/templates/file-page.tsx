import "./file-page.css";
import { useEffect, useRef, useState } from "preact/hooks";
import {
  askPublic,
  local,
  Refusal,
  sendForm,
  wordsOf,
  type Schemas,
} from "../../api.js";
import { numberOf } from "../../format.js";
import { t } from "../../messages/index.js";
import { useResource } from "../../resource.js";
import { go, whereNow } from "../../router.js";
import { Button } from "../../ui/button.js";
import { FileDrop } from "../../ui/file-drop.js";
import { LoadStatus } from "../../ui/loading.js";
import { Notice } from "../../ui/notice.js";
import { Crumb, PageTitle } from "../../ui/page-title.js";
import {
  ReadingProblems,
  ReadingQuestions,
  type TextReading,
} from "../../ui/reading-questions.js";
import { Select } from "../../ui/select.js";
import { describeFileFault } from "../../ui/table-problems.js";
import type { Template } from "./templates.js";

/** Response of `POST /api/export/batch/file/inspect`, as far as it is shown. */
type Inspection = Schemas["FileInspection"];

/** How the file is read; what is left out is detected. */
interface Reading extends TextReading {
  sheet?: string;
  headerRow?: number;
  hiddenRows?: "skip";
  encoding?: string;
  mapping?: Mapping;
  group?: Grouping;
  join?: Join[];
}

type Join = Inspection["joins"][number] & { mapping?: Mapping };

/** The field of each column; null for a column that is not used. */
type Mapping = Record<string, string | null>;

/** The rows of a document: those with the same value of a column, which become a list in it. */
interface Grouping {
  by: string;
  as: string;
}

/** Rows that look like several to a document. */
interface Proposal {
  /** They fit each of them equally well. */
  lists: readonly string[];
}

/** Makes documents of the rows of a file: choose it, say which column is which field, see the first, make all. */
export function FilePage({ id }: { id: string }) {
  const template = useResource(id, () =>
    askPublic<Template>(`templates/${id}`),
  );
  const { data } = template;
  return (
    <>
      <Crumb to={`templates/${id}`}>{data?.name ?? t("shell.templates")}</Crumb>
      <PageTitle title={t("fromFile.title")} lead={t("fromFile.lead")} />
      <LoadStatus
        resource={template}
        what={t("templates.couldntLoadTemplate")}
        count={1}
      />
      {data && <FileSteps template={data} />}
    </>
  );
}

function FileSteps({ template }: { template: Template }) {
  const [file, setFile] = useState<File | null>(null);
  const [reading, setReading] = useState<Reading>({});
  const [inspection, setInspection] = useState<Inspection | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [isReading, setBusy] = useState(false);
  /** What the rows looked like before anybody said what they are. */
  const [proposal, setProposal] = useState<Proposal | null>(null);
  /** The sheets that looked like lists before anybody said what they are. */
  const [joins, setJoins] = useState<Join[]>([]);
  /** The questions about the fields of columns. */
  const [unclear, setUnclear] = useState<ReadonlySet<string>>(new Set());
  /** The questions that were answered: a mapping alone is no answer, since it leaves other columns out. */
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  /** The fields of columns that were chosen, which are kept when the rows become something else. */
  const [choices, setChoices] = useState<Mapping>({});
  const latest = useRef(0);

  const inspect = async (chosen: File, options: Reading, fields: Mapping) => {
    const turn = (latest.current += 1);
    setBusy(true);
    setFault(null);
    try {
      const ask = (mapping?: Mapping) =>
        sendForm<Inspection>(
          "export/batch/file/inspect",
          { file: chosen },
          { templateId: template.id, ...options, ...(mapping && { mapping }) },
        );
      const detected = await ask();
      let result = detected;
      const isDetected = !options.mapping && Object.keys(fields).length > 0;
      if (isDetected && turn === latest.current) {
        const mapping = applyChoices(detected, fields);
        setReading({ ...options, mapping });
        result = await ask(mapping);
      }
      if (turn !== latest.current) return;
      setInspection(result);
      if (result.proposal) setProposal({ lists: findLists(result) });
      if (!options.mapping && !options.join) setJoins(detected.joins);
      const questionsNow = listUnclear(detected, fields);
      setUnclear((before) => new Set([...before, ...questionsNow]));
    } catch (error) {
      if (turn === latest.current) setFault(error);
    } finally {
      if (turn === latest.current) setBusy(false);
    }
  };
  const forget = (options: Reading) => {
    setReading(options);
    setProposal(null);
    setJoins([]);
    setUnclear(new Set());
    setAnswered(new Set());
    setChoices({});
  };
  const choose = (chosen: File) => {
    setFile(chosen);
    setInspection(null);
    forget({});
    void inspect(chosen, {}, {});
  };
  const change = (options: Reading) => {
    setReading(options);
    if (file) void inspect(file, options, choices);
  };
  /** Another table: nothing that was said of the columns is true of it. */
  const restart = (options: Reading) => {
    forget(options);
    if (file) void inspect(file, options, {});
  };
  const answer = (question: string, options: Reading) => {
    // Lists are asked for anew when the rows become other documents, and columns unless their fields stay.
    const isAboutRows = question === t("fromFile.oneDocumentFor");
    const isDetected = isAboutRows && !options.mapping;
    const old = [...answered].filter(
      (other) => !isAboutRows || (!isDetected && unclear.has(other)),
    );
    setAnswered(new Set([...old, question]));
    if (isDetected) setUnclear(new Set());
    change(options);
  };
  const chooseField = (options: Reading, name: string, path: string | null) => {
    setChoices({ ...choices, [name]: path });
    answer(askField(name), options);
  };
  const fieldQuestions = inspection ? listFieldQuestions(inspection) : [];
  const questions = [
    ...(proposal ? [t("fromFile.oneDocumentFor")] : []),
    ...listLists(joins).map((list) => t("fromFile.listFrom", { list })),
    ...fieldQuestions.filter((question) => unclear.has(question)),
  ].filter((question) => !answered.has(question));
  const code = fault instanceof Refusal ? fault.problem?.code : undefined;
  const isAboutLetters = code?.endsWith("encoding") ?? true;
  const isAboutHeader = ["no_rows", "empty_header"].includes(code ?? "no_rows");
  return (
    <div class="stack">
      <FileDrop
        label={t("fromFile.choose")}
        accept=".csv,.tsv,.txt,.xlsx,.xlsm,.ods,.json,.jsonl,.ndjson"
        onFile={choose}
      >
        <p>{file ? <strong>{file.name}</strong> : t("fromFile.drop")}</p>
        <p class="muted small">{t("fromFile.formats")}</p>
      </FileDrop>
      <div class="stack" aria-live="polite" aria-busy={isReading}>
        {isReading && !inspection && (
          <p class="muted">{t("fromFile.reading")}</p>
        )}
        {file && fault !== null && (
          <Notice tone="bad" title={t("fromFile.couldntRead")}>
            <p>
              {fault instanceof Refusal
                ? describeFileFault(fault)
                : wordsOf(fault)}
            </p>
            {(isAboutLetters || reading.encoding !== undefined) &&
              !/\.(?:xls[xm]|ods)$/i.test(file.name) && (
                <EncodingChoice
                  encoding={reading.encoding}
                  reading={reading}
                  onChange={change}
                />
              )}
            {inspection && (
              <SheetChoice
                inspection={inspection}
                sheet={reading.sheet ?? inspection.sheet}
                onRestart={restart}
              />
            )}
            {(isAboutHeader || reading.headerRow !== undefined) &&
              !/\.(?:jsonl?|ndjson)$/i.test(file.name) && (
                <HeaderRow
                  headerRow={reading.headerRow ?? null}
                  reading={reading}
                  onRestart={restart}
                />
              )}
          </Notice>
        )}
        {file && inspection && fault === null && (
          <FoundTable
            template={template}
            file={file}
            inspection={inspection}
            reading={reading}
            isReading={isReading}
            proposal={proposal}
            joins={joins}
            questions={questions}
            onChange={change}
            onRestart={restart}
            onAnswer={answer}
            onField={chooseField}
          />
        )}
      </div>
    </div>
  );
}

/** The question for the field of a column. @param sheet of one that is not in the first table */
function askField(name: string, sheet?: string): string {
  return t("fromFile.fieldOfColumn", {
    name: sheet === undefined ? name : `${sheet}: ${name}`,
  });
}

function listFieldQuestions({ columns, joined }: Inspection): string[] {
  return [
    ...columns.map(({ name }) => askField(name)),
    ...joined.flatMap(({ sheet, columns: others }) =>
      others.map(({ name }) => askField(name, sheet ?? undefined)),
    ),
  ];
}

/** The questions for columns that fit several fields, but for those that were chosen. */
function listUnclear({ problems }: Inspection, choices: Mapping): string[] {
  return problems.flatMap(({ code, values: { sheet, column } }) =>
    code === "unclear_column" &&
    column !== undefined &&
    !(sheet === undefined && Object.hasOwn(choices, column))
      ? askField(column, sheet)
      : [],
  );
}

function findLists({ proposal, problems }: Inspection): string[] {
  const problem = problems.find(
    ({ code }) => code === "list_in_rows" || code === "documents_in_sheet",
  );
  return problem?.values.fields ?? (proposal ? [proposal.as] : []);
}

/** What was detected, with the fields that were chosen. */
function applyChoices({ mapping, fields }: Inspection, choices: Mapping) {
  let next: Mapping = mapping;
  for (const [name, path] of Object.entries(choices))
    if (path === null || fields.some((field) => field.path === path))
      next = assignField(next, name, path);
  return next;
}

/** A field has the values of one column. */
function assignField(
  mapping: Mapping,
  name: string,
  path: string | null,
): Mapping {
  const next: Mapping = {};
  for (const [other, used] of Object.entries(mapping))
    next[other] = path !== null && used === path ? null : used;
  next[name] = path;
  return next;
}

interface FoundProps {
  template: Template;
  file: File;
  inspection: Inspection;
  reading: Reading;
  isReading: boolean;
  proposal: Proposal | null;
  joins: readonly Join[];
  /** What must be answered. */
  questions: readonly string[];
  onChange: (reading: Reading) => void;
  /** For another table. */
  onRestart: (reading: Reading) => void;
  /** To a question. */
  onAnswer: (question: string, reading: Reading) => void;
  onField: (reading: Reading, name: string, path: string | null) => void;
}

function FoundTable(props: FoundProps) {
  const { template, file, inspection, reading, isReading } = props;
  const [question] = props.questions;
  const { rowCount, documentCount, problems, first, mapping } = inspection;
  const isReady =
    !isReading &&
    question === undefined &&
    problems.length === 0 &&
    first !== null;
  const refusal =
    question === undefined
      ? t("fromFile.fixFirst")
      : t("fromFile.answerFirst", { question });
  const reason = isReading ? t("fromFile.reading") : refusal;
  // The same request again is the same batch.
  const key = useRef(crypto.randomUUID());
  useEffect(() => {
    key.current = crypto.randomUUID();
  }, [file, inspection]);
  const make = async () => {
    const isHere = whereNow();
    const { batchId } = await sendForm<{ batchId: string }>(
      "export/batch/file",
      { file },
      {
        templateId: template.id,
        formats: [template.templateType === "email" ? "html" : "pdf"],
        ...reading,
        mapping,
      },
      { "idempotency-key": key.current },
    );
    if (isHere()) go(`batches/${batchId}`);
  };
  return (
    <>
      <section class="card padded stack" aria-labelledby="columns">
        <h2 id="columns">{t("fromFile.columns", { count: rowCount })}</h2>
        <ReadingOptions {...props} />
        <FileColumns {...props} />
      </section>
      {problems.length > 0 && <ReadingProblems problems={problems} />}
      {first && (
        <FirstDocument template={template} data={first} isReady={isReady} />
      )}
      <div class="row">
        <Button kind="primary" reason={isReady ? null : reason} onPress={make}>
          {isReady
            ? t("fromFile.make", { count: documentCount })
            : t("fromFile.makeUncounted")}
        </Button>
      </div>
    </>
  );
}

/** With languages that are written in them. */
const encodings: [string, string][] = [
  ["utf-8", "UTF-8"],
  ["utf-16le", "UTF-16"],
  ["windows-1252", "Windows-1252 · Deutsch, English, español, français"],
  ["windows-1250", "Windows-1250 · čeština, magyar, polski, română"],
  ["windows-1251", "Windows-1251 · български, русский, українська"],
  ["windows-1253", "Windows-1253 · Ελληνικά"],
  ["windows-1254", "Windows-1254 · Türkçe"],
  ["windows-1255", "Windows-1255 · עברית"],
  ["windows-1256", "Windows-1256 · العربية"],
  ["windows-1257", "Windows-1257 · eesti, latviešu, lietuvių"],
  ["windows-1258", "Windows-1258 · Tiếng Việt"],
  ["windows-874", "Windows-874 · ไทย"],
  ["gb18030", "GB18030 · 简体中文"],
  ["big5", "Big5 · 繁體中文"],
  ["shift_jis", "Shift_JIS · 日本語"],
  ["euc-kr", "EUC-KR · 한국어"],
  ["iso-8859-2", "ISO-8859-2 · čeština, magyar, polski"],
  ["iso-8859-15", "ISO-8859-15 · Deutsch, español, français"],
  ["koi8-u", "KOI8 · русский, українська"],
  ["macintosh", "Mac OS Roman"],
  ["ibm850", "MS-DOS 850 · Deutsch, español, français"],
  ["ibm852", "MS-DOS 852 · čeština, magyar, polski"],
  ["ibm866", "MS-DOS 866 · русский"],
];

interface EncodingProps {
  encoding: string | undefined;
  reading: Reading;
  onChange: (reading: Reading) => void;
}

function EncodingChoice({ encoding, reading, onChange }: EncodingProps) {
  return (
    <label class="field">
      {t("fromFile.encoding")}
      <Select
        value={encoding}
        options={
          encoding === undefined ||
          encodings.some(([label]) => label === encoding)
            ? encodings
            : [...encodings, [encoding, encoding]]
        }
        none={encoding === undefined ? t("fromFile.chooseOne") : undefined}
        onChange={(label) =>
          onChange({ ...reading, ...(label && { encoding: label }) })
        }
      />
    </label>
  );
}

interface SheetChoiceProps {
  inspection: Inspection;
  sheet: string | null;
  onRestart: (reading: Reading) => void;
}

function SheetChoice({ inspection, sheet, onRestart }: SheetChoiceProps) {
  const sheets = new Set([...inspection.sheets, ...inspection.hiddenSheets]);
  if (sheets.size < 2) return null;
  return (
    <label class="field">
      {t("fromFile.sheet")}
      <Select
        value={sheet ?? undefined}
        options={[...sheets].map(
          (name) => [name, showSheet(inspection, name)] as const,
        )}
        onChange={(name) =>
          onRestart(name === undefined ? {} : { sheet: name })
        }
      />
    </label>
  );
}

interface HeaderRowProps {
  /** Null without one, and while none is detected. */
  headerRow: number | null;
  reading: Reading;
  onRestart: (reading: Reading) => void;
}

/** Which row names the columns, or that none does. */
function HeaderRow({ headerRow, reading, onRestart }: HeaderRowProps) {
  const hasNone = reading.headerRow === 0;
  const {
    mapping: _,
    group: _group,
    join: _join,
    headerRow: _row,
    ...rest
  } = reading;
  return (
    <>
      {!hasNone && (
        <label class="field">
          {t("fromFile.headerRow")}
          <input
            class="input small"
            type="number"
            min={1}
            value={headerRow ?? ""}
            onChange={({ currentTarget }) => {
              const row = Math.floor(currentTarget.valueAsNumber);
              if (row >= 1) onRestart({ ...rest, headerRow: row });
            }}
          />
        </label>
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={hasNone}
          onChange={({ currentTarget }) =>
            onRestart(currentTarget.checked ? { ...rest, headerRow: 0 } : rest)
          }
        />
        {t("fromFile.noHeaderRow")}
      </label>
    </>
  );
}

/** What was detected and may be wrong. */
function ReadingOptions(props: FoundProps) {
  const { inspection, reading, proposal, onChange, onRestart } = props;
  const { sheet, headerRow, encoding, joined } = inspection;
  const hiddenRowCount = [inspection, ...joined].reduce(
    (sum, table) => sum + table.hiddenRowCount,
    0,
  );
  return (
    <div class="row reading">
      {proposal && <RowsOfDocument {...props} proposal={proposal} />}
      {listLists(props.joins).map((list) => (
        <RowsOfList key={list} {...props} list={list} />
      ))}
      {encoding !== null && encoding !== "utf-8" && (
        <EncodingChoice
          encoding={encoding}
          reading={reading}
          onChange={onChange}
        />
      )}
      <SheetChoice
        inspection={inspection}
        sheet={sheet}
        onRestart={onRestart}
      />
      {(headerRow !== null || reading.headerRow === 0) && (
        <HeaderRow
          headerRow={headerRow}
          reading={reading}
          onRestart={onRestart}
        />
      )}
      {hiddenRowCount > 0 && (
        <label class="check">
          <input
            type="checkbox"
            checked={reading.hiddenRows === "skip"}
            onChange={({ currentTarget }) => {
              const { hiddenRows: _, ...rest } = reading;
              onChange(
                currentTarget.checked ? { ...rest, hiddenRows: "skip" } : rest,
              );
            }}
          />
          {t("fromFile.hiddenRows", { count: hiddenRowCount })}
        </label>
      )}
      <ReadingQuestions
        table={{
          ...inspection,
          columns: [
            ...inspection.columns,
            ...joined.flatMap(({ columns }) => columns),
          ],
        }}
        reading={reading}
        onChange={(change) => onChange({ ...reading, ...change })}
      />
    </div>
  );
}

/** No column is called so: names are trimmed. */
const eachRow = " ";

function toOption({ by, as }: Grouping): string {
  return `${as} ${by}`;
}

/** Whether each row is a document, or all rows with the same value of a column. */
function RowsOfDocument({
  inspection,
  reading,
  proposal,
  questions,
  onAnswer,
}: FoundProps & { proposal: Proposal }) {
  const { columns, mapping } = inspection;
  const { lists } = proposal;
  const question = t("fromFile.oneDocumentFor");
  const isUndecided = questions.includes(question);
  const options = columns.flatMap(({ name }) =>
    lists.map((as) => ({ by: name, as })),
  );
  const choose = (chosen: string | undefined) => {
    if (chosen === undefined) return;
    const { group: _, mapping: _mapping, join: _join, ...rest } = reading;
    // Without the group, the list's fields are those of no column.
    const ofDocument = Object.entries(mapping).map(([name, path]) => [
      name,
      lists.some((list) => path?.startsWith(`${list}.`)) ? null : path,
    ]);
    const group = options.find((option) => toOption(option) === chosen);
    onAnswer(
      question,
      group
        ? { ...rest, group }
        : { ...rest, mapping: Object.fromEntries(ofDocument) },
    );
  };
  return (
    <label class="field">
      {question}
      <Select
        value={
          isUndecided
            ? undefined
            : reading.group
              ? toOption(reading.group)
              : eachRow
        }
        options={[
          [eachRow, t("fromFile.eachRow")],
          ...options.map((option) => {
            const label = t("fromFile.eachValue", { name: option.by });
            return [
              toOption(option),
              lists.length > 1 ? `${label} → ${option.as}` : label,
            ] as const;
          }),
        ]}
        none={isUndecided ? t("fromFile.chooseOne") : undefined}
        onChange={choose}
      />
    </label>
  );
}

function listLists(joins: readonly Join[]): string[] {
  return [...new Set(joins.map(({ as }) => as))];
}

function showSheet({ hiddenSheets }: Inspection, name: string): string {
  return hiddenSheets.includes(name)
    ? t("fromFile.hiddenSheet", { name })
    : name;
}

/** The sheet whose rows are a list of the documents. */
function RowsOfList(props: FoundProps & { list: string }) {
  const { inspection, reading, joins, questions, onAnswer, list } = props;
  const question = t("fromFile.listFrom", { list });
  const isUndecided = questions.includes(question);
  const options = joins
    .filter(({ as }) => as === list)
    .map((join) => [JSON.stringify(join), join] as const);
  const choose = (chosen: string | undefined) => {
    if (chosen === undefined) return;
    const { join: joined = [], ...rest } = reading;
    const others = joined.filter(({ as }) => as !== list);
    const added = options.find(([text]) => text === chosen)?.[1];
    const join = added ? [...others, added] : others;
    onAnswer(question, {
      mapping: inspection.mapping,
      ...rest,
      ...(join.length > 0 && { join }),
    });
  };
  const { mapping: _, ...chosenJoin } =
    reading.join?.find(({ as }) => as === list) ?? {};
  const value = "as" in chosenJoin ? JSON.stringify(chosenJoin) : eachRow;
  return (
    <label class="field">
      {question}
      <Select
        value={isUndecided ? undefined : value}
        options={[
          ...options.map(
            ([text, { sheet, key, foreignKey }]) =>
              [
                text,
                `${showSheet(inspection, sheet)} (${key} = ${foreignKey})`,
              ] as const,
          ),
          [eachRow, t("fromFile.noSheet")],
        ]}
        none={isUndecided ? t("fromFile.chooseOne") : undefined}
        onChange={choose}
      />
    </label>
  );
}

/** The columns of the table, and of the sheets whose rows are lists of the documents. */
function FileColumns(props: FoundProps) {
  const { inspection, reading, questions, onAnswer, onField } = props;
  const { mapping, problems } = inspection;
  const { join: joins = [] } = reading;
  const listWithoutField = (sheet?: string) =>
    problems
      .filter(({ values }) => values.sheet === sheet)
      .flatMap(({ code, values: { column, columns = [] } }) => {
        if (code === "linked_field") return column ?? [];
        return code === "list_in_rows" && column === undefined ? columns : [];
      });
  return (
    <>
      <Columns
        table={inspection}
        questions={questions}
        withoutField={listWithoutField()}
        onField={(name, path) => {
          const next = assignField(mapping, name, path);
          onField({ ...reading, mapping: next }, name, path);
        }}
      />
      {joins.map((join, index) => {
        const table = inspection.joined[index];
        // The inspection may be that of other sheets, until the next is there.
        if (table?.sheet !== join.sheet) return null;
        return (
          <section key={join.as}>
            <h3>
              {showSheet(inspection, join.sheet)} → {join.as}
            </h3>
            <Columns
              table={table}
              sheet={join.sheet}
              questions={questions}
              withoutField={listWithoutField(join.sheet)}
              onField={(name, path) => {
                const next = assignField(table.mapping, name, path);
                onAnswer(askField(name, join.sheet), {
                  ...reading,
                  join: joins.with(index, { ...join, mapping: next }),
                });
              }}
            />
          </section>
        );
      })}
    </>
  );
}

interface ColumnsProps {
  table: Pick<Inspection, "columns" | "mapping" | "fields">;
  /** Tells the columns from those of the first table. */
  sheet?: string;
  questions: readonly string[];
  /** Names of columns that cannot have the field that they are called by. */
  withoutField: readonly string[];
  onField: (name: string, path: string | null) => void;
}

/** No path of a field. */
const leaveOut = " ";

function Columns(props: ColumnsProps) {
  const { table, sheet, questions, withoutField, onField } = props;
  const { columns, mapping, fields } = table;
  const options = fields.map(({ path, label }) => [path, label] as const);
  return (
    <table class="columns">
      <thead>
        <tr>
          <th>{t("components.column")}</th>
          <th>{t("fromFile.values")}</th>
          <th>{t("common.field")}</th>
        </tr>
      </thead>
      <tbody>
        {columns.map(({ name, values }) => {
          const label = askField(name, sheet);
          const isUnclear =
            questions.includes(label) || withoutField.includes(name);
          return (
            <tr key={name} class={mapping[name] === null ? "unused" : ""}>
              <th scope="row">{name}</th>
              <td class="muted small">{describeValues(values)}</td>
              <td>
                <Select
                  label={label}
                  value={isUnclear ? undefined : (mapping[name] ?? undefined)}
                  options={
                    isUnclear
                      ? [[leaveOut, t("fromFile.leaveOut")], ...options]
                      : options
                  }
                  none={
                    isUnclear ? t("fromFile.chooseOne") : t("fromFile.leaveOut")
                  }
                  onChange={(path = leaveOut) =>
                    onField(name, path === leaveOut ? null : path)
                  }
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function describeValues(values: readonly unknown[]): string {
  return values
    .slice(0, 3)
    .map((value) =>
      typeof value === "number"
        ? numberOf(value)
        : typeof value === "string"
          ? value.slice(0, 40)
          : JSON.stringify(value),
    )
    .join(" · ");
}

interface FirstProps {
  template: Template;
  data: object;
  isReady: boolean;
}

/** A picture of the first document's first page, as a test. */
function FirstDocument({ template, data, isReady }: FirstProps) {
  const key = isReady ? JSON.stringify(data) : "";
  const preview = useResource(`first ${template.id} ${key}`, () =>
    askPublic<{ image?: { url: string } }>("export", "POST", {
      templateId: template.id,
      data,
      formats: ["image"],
      isTest: true,
    }),
  );
  const url = preview.data?.image?.url;
  return (
    <section class="card padded stack" aria-labelledby="first">
      <h2 id="first">{t("fromFile.firstDocument")}</h2>
      <LoadStatus
        resource={preview}
        what={t("render.couldntCreateDocument")}
        count={1}
      />
      {url !== undefined && (
        <img
          class="first-document"
          src={local(url)}
          alt={t("fromFile.firstDocument")}
        />
      )}
    </section>
  );
}
