import type { EinvoiceTermProblem } from "../../../../core/compiler/views.js";
import "./einvoice.css";
import { useId } from "preact/hooks";
import {
  EINVOICE_LEVELS,
  EINVOICE_MODEL,
  EINVOICE_PROFILES,
  type EinvoiceProfile,
  type EinvoiceTerm,
} from "../../../../core/plugin-api/definition.js";
import { t } from "../../messages/index.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Icon } from "../../ui/icon.js";
import { IconButton } from "../../ui/icon-button.js";
import { useInputText } from "../../ui/form.js";
import { Suggestions } from "../inspector/fields.js";
import type { Editor } from "../model/editor.js";
import { useEditor } from "../model/editor-context.js";
import { isObject } from "../model/same-json.js";
import { listFields, listPathOptions } from "../scope/path-options.js";
import { ProfileField } from "./profile-field.js";
import { guessMap } from "./guess-map.js";
import { listRequiredTerms } from "./required-terms.js";
import { TERM_NAMES } from "./term-names.js";

type Terms = Readonly<Record<string, EinvoiceTerm>>;

const { terms, groups, lines } = EINVOICE_MODEL;

/** Beginnings of the names of a section's terms; the first section that has one takes it. */
const SECTIONS: readonly [title: string, names: RegExp, groups?: string[]][] = [
  [
    t("einvoice.sectionInvoice"),
    /^(?:invoiceNumber|issueDate|invoiceType|currency|paymentDueDate|buyerReference|paymentTerms)/,
    ["notes"],
  ],
  [t("einvoice.sectionSeller"), /^seller(?!TaxRepresentative)/],
  [t("einvoice.sectionBuyer"), /^buyer(?!Accounting)/],
  [
    t("einvoice.sectionPayment"),
    /^(?:payment|remittance|mandate|bankAssigned|debited|paidAmount|vatExemption)/,
    ["documentAllowances", "documentCharges"],
  ],
  [
    t("einvoice.sectionDelivery"),
    /^(?:deliverTo|actualDelivery|invoicingPeriod)/,
  ],
  [
    t("einvoice.sectionTotals"),
    /^(?:sumOf|invoiceTotal|amountDue|rounding)/,
    ["vatBreakdown"],
  ],
  [
    t("einvoice.sectionOthers"),
    /^(?:payee|sellerTaxRepresentative|taxRepresentative)/,
  ],
  [
    t("einvoice.sectionReferences"),
    /./,
    ["precedingInvoices", "supportingDocuments"],
  ],
];

/** The buyer's section. */
const LINES_AFTER = 2;

/** Assigns a field or a text to each term of the e-invoice, and shows in place what the sample breaks. */
export function EinvoiceDialog({ onClose }: { onClose: () => void }) {
  const editor = useEditor();
  const { einvoice } = editor.definition.value;
  if (!einvoice) return null;
  return (
    <Dialog title={t("einvoice.title")} onClose={onClose}>
      <div class="einvoice">
        <p class="data-hint">{t("einvoice.lead")}</p>
        <div class="einvoice-bar">
          <ProfileField />
          <GuessButton />
        </div>
        <State />
        <div class="einvoice-body">
          {SECTIONS.flatMap(([title, names, groupNames = []], index) => [
            <Section
              key={title}
              title={title}
              terms={pickTerms(names, index)}
              groups={groupNames}
            />,
            ...(index === LINES_AFTER ? [<Lines key="lines" />] : []),
          ])}
        </div>
      </div>
      <div class="form-actions">
        <Button kind="primary" onPress={onClose}>
          {t("common.done")}
        </Button>
      </div>
    </Dialog>
  );
}

function pickTerms(names: RegExp, index: number): Terms {
  const earlier = SECTIONS.slice(0, index).map(([, pattern]) => pattern);
  return Object.fromEntries(
    Object.entries(terms).filter(
      ([name]) =>
        names.test(name) && !earlier.some((pattern) => pattern.test(name)),
    ),
  );
}

/** Whether the sample keeps the rules. */
function State() {
  const problems = useEditor().facts.value?.einvoiceProblems ?? null;
  const tone =
    problems === null ? "plain" : problems.length === 0 ? "good" : "bad";
  const unplaced = problems?.filter(({ term }) => term === "lines") ?? [];
  return (
    <div class="einvoice-state" data-tone={tone} role="status">
      <p>
        {problems === null
          ? t("einvoice.unchecked")
          : problems.length === 0
            ? t("einvoice.valid")
            : t("einvoice.broken", { count: problems.length })}
      </p>
      {unplaced.map(({ message, hint }) => (
        <p key={message}>
          {message} {hint}
        </p>
      ))}
    </div>
  );
}

/** Assigns the fields that the schema's names suggest to terms without one. */
function GuessButton() {
  const editor = useEditor();
  const { einvoice, schema } = editor.definition.value;
  const map: Readonly<Record<string, unknown>> = { ...einvoice?.map };
  const missing = Object.entries(guessMap(schema)).filter(
    ([term]) => map[term] === undefined,
  );
  if (missing.length === 0) return null;
  return (
    <Button
      onPress={() =>
        editor.change(t("einvoice.change"), (draft) => {
          if (draft.einvoice)
            Object.assign(draft.einvoice.map, Object.fromEntries(missing));
        })
      }
    >
      <Icon name="data" size={14} />
      {t("einvoice.guess", { count: missing.length })}
    </Button>
  );
}

interface SectionProps {
  title: string;
  terms: Terms;
  groups: readonly string[];
}

function Section({ title, terms: sectionTerms, groups: names }: SectionProps) {
  const editor = useEditor();
  const options = listPathOptions(editor, null, "content").map(
    ({ path, label, from }) => [path, `${from}: ${label}`] as const,
  );
  return (
    <fieldset class="einvoice-section">
      <legend>{title}</legend>
      {title === t("einvoice.sectionTotals") && (
        <p class="prop-hint">{t("einvoice.totalsHint")}</p>
      )}
      <TermRows terms={sectionTerms} place={[]} options={options} />
      {names.map((name) => (
        <GroupRows key={name} name={name} options={options} />
      ))}
    </fieldset>
  );
}

function Lines() {
  const editor = useEditor();
  const options = listPathOptions(editor, null, "content").map(
    ({ path, label, from }) => [path, `${from}: ${label}`] as const,
  );
  return (
    <fieldset class="einvoice-section">
      <legend>{t("einvoice.sectionLines")}</legend>
      <EntryRows name="lines" terms={lines.terms} options={options} />
      <p class="prop-hint">{t("einvoice.nested")}</p>
    </fieldset>
  );
}

type Options = readonly (readonly [value: string, words: string])[];

function GroupRows({ name, options }: { name: string; options: Options }) {
  const group = Object.entries(groups).find(([key]) => key === name)?.[1];
  return group ? (
    <EntryRows name={name} terms={group.terms} options={options} />
  ) : null;
}

interface EntryRowsProps {
  name: string;
  terms: Terms;
  options: Options;
}

/** The entries of a group; none, one or several. */
function EntryRows({ name, terms: entryTerms, options }: EntryRowsProps) {
  const editor = useEditor();
  const { einvoice, schema } = editor.definition.value;
  const map: Readonly<Record<string, unknown>> = { ...einvoice?.map };
  const written = map[name];
  const entries = Array.isArray(written)
    ? written.filter(isObject)
    : isObject(written)
      ? [written]
      : [];
  const guesses: Readonly<Record<string, unknown>> = { ...guessMap(schema) };
  const suggested = guesses[name];
  return (
    <div class="einvoice-group">
      {name !== "lines" && (
        <p class="einvoice-group-name">
          {TERM_NAMES[name]}
          <IconButton
            icon="plus"
            label={t("common.add")}
            onPress={() =>
              setEntries(editor, name, [
                ...entries,
                entries.length === 0 && isObject(suggested) ? suggested : {},
              ])
            }
          />
        </p>
      )}
      {(name === "lines" && entries.length === 0 ? [{}] : entries).map(
        (entry, index) => {
          const place = Array.isArray(written) ? [name, index] : [name];
          const each = Reflect.get(entry, "each");
          return (
            <div class="einvoice-entry" key={index}>
              <TermInput
                name="each"
                place={place}
                value={typeof each === "string" ? each : undefined}
                options={listLists(editor)}
                hint={t("einvoice.listHint")}
              />
              <TermRows
                terms={entryTerms}
                place={place}
                options={[...listElementFields(editor, each), ...options]}
              />
              {name !== "lines" && (
                <Button
                  kind="quiet"
                  onPress={() =>
                    setEntries(editor, name, entries.toSpliced(index, 1))
                  }
                >
                  <Icon name="close" size={14} />
                  {t("common.remove")}
                </Button>
              )}
            </div>
          );
        },
      )}
    </div>
  );
}

/** The lists of the record, each with a name for its elements. */
function listLists(editor: Editor): Options {
  const [root] = editor.definition.value.schema;
  return (root?.fields ?? [])
    .filter(({ type }) => type === "OneToManyLink")
    .map(({ name, label }) => [
      `${name.replace(/s$/, "") === name ? `${name}Item` : name.replace(/s$/, "")} in root.${name}`,
      label ?? name,
    ]);
}

function listElementFields(editor: Editor, each: unknown): Options {
  const [, variable, path] =
    /^\s*(\S+)\s+in\s+(\S+)\s*$/.exec(typeof each === "string" ? each : "") ??
    [];
  if (variable === undefined || path === undefined) return [];
  return listFields(editor, null, path).map(
    ({ path: name, label }) => [`${variable}.${name}`, label] as const,
  );
}

interface TermRowsProps {
  terms: Terms;
  /** The keys of the entry in the map. */
  place: readonly (string | number)[];
  options: Options;
}

/** Required and assigned terms, and the others on demand. */
function TermRows({ terms: entryTerms, place, options }: TermRowsProps) {
  const editor = useEditor();
  const { einvoice } = editor.definition.value;
  if (!einvoice) return null;
  const required = listRequiredTerms(einvoice.profile);
  const values = readEntry(einvoice.map, place);
  const problems = editor.facts.value?.einvoiceProblems ?? [];
  const rows = Object.entries(entryTerms).map(([name, { from }]) => {
    const value = values[name];
    return {
      name,
      value: typeof value === "string" ? value : undefined,
      isRequired: required.has(name),
      isIncluded: isIncluded(from, einvoice.profile),
      problems: problems.filter(
        ({ term }) => term === formatPlace([...place, name]),
      ),
    };
  });
  const isShown = (row: (typeof rows)[number]) =>
    row.isRequired || row.value !== undefined || row.problems.length > 0;
  const more = rows.filter((row) => !isShown(row) && row.isIncluded);
  const shownRows = rows.filter(isShown);
  const draw = (list: typeof rows) =>
    list.map((row) => (
      <TermInput key={row.name} {...row} place={place} options={options} />
    ));
  return (
    <>
      {draw(shownRows.filter(({ isRequired }) => isRequired))}
      {draw(shownRows.filter(({ isRequired }) => !isRequired))}
      {more.length > 0 && (
        <details class="einvoice-more">
          <summary>{t("einvoice.more", { count: more.length })}</summary>
          {draw(more)}
        </details>
      )}
    </>
  );
}

function isIncluded(from: EinvoiceTerm["from"], profile: EinvoiceProfile) {
  const { level } = EINVOICE_PROFILES[profile];
  return EINVOICE_LEVELS.indexOf(from) <= EINVOICE_LEVELS.indexOf(level);
}

function formatPlace(place: readonly (string | number)[]): string {
  return place
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
    .join("")
    .slice(1);
}

function readEntry(
  map: object,
  place: readonly (string | number)[],
): Readonly<Record<string, unknown>> {
  let value: unknown = map;
  for (const key of place)
    value =
      isObject(value) || Array.isArray(value) ? Reflect.get(value, key) : null;
  return isObject(value) ? { ...value } : {};
}

interface TermInputProps {
  name: string;
  place: readonly (string | number)[];
  value: string | undefined;
  options: Options;
  hint?: string;
  isRequired?: boolean;
  isIncluded?: boolean;
  problems?: readonly EinvoiceTermProblem[];
}

function TermInput({
  name,
  place,
  value,
  options,
  hint,
  isRequired = false,
  isIncluded: isWritten = true,
  problems = [],
}: TermInputProps) {
  const editor = useEditor();
  const id = useId();
  const listId = useId();
  const [typed, setTyped] = useInputText(value);
  const number = findNumber(name, place);
  return (
    <div class="einvoice-term" data-bad={problems.length > 0 || undefined}>
      <label for={id}>
        {TERM_NAMES[name]}
        {isRequired && (
          <span class="einvoice-required" title={t("einvoice.required")}>
            *
          </span>
        )}
        {number !== null && <small>{number}</small>}
      </label>
      <div class="einvoice-value">
        <input
          id={id}
          class="input small"
          list={listId}
          spellcheck={false}
          aria-required={isRequired}
          aria-invalid={problems.length > 0}
          value={typed ?? value ?? ""}
          onInput={({ currentTarget }) => {
            const text = currentTarget.value;
            const next = text.trim() === "" ? undefined : text.trim();
            setTyped(text, next);
            if (next !== value) setTerm(editor, [...place, name], next);
          }}
          onBlur={() => setTyped(null, value)}
        />
        <Suggestions id={listId} options={options} />
        {hint !== undefined && <small class="prop-hint">{hint}</small>}
        {!isWritten && (
          <small class="prop-hint">{t("einvoice.notInProfile")}</small>
        )}
        <TermProblems problems={problems} />
      </div>
    </div>
  );
}

const MAX_PROBLEMS = 3;

/** In a list, the same rule may be broken by every element: what is right is said once. */
function TermProblems({
  problems,
}: {
  problems: readonly EinvoiceTermProblem[];
}) {
  const [first] = problems;
  if (!first) return null;
  const messages = [...new Set(problems.map(({ message }) => message))];
  const more = messages.length - MAX_PROBLEMS;
  return (
    <small class="einvoice-problem">
      {messages.slice(0, MAX_PROBLEMS).join(" ")}
      {more > 0 && ` ${t("einvoice.moreProblems", { count: more })}`}{" "}
      {first.expected === undefined
        ? first.hint
        : t("einvoice.expected", { expected: first.expected })}
    </small>
  );
}

/** The number of a term in the standard. */
function findNumber(
  name: string,
  [group]: readonly (string | number)[],
): string | null {
  const model: Terms =
    group === undefined
      ? terms
      : group === "lines"
        ? lines.terms
        : {
            ...Object.entries(groups).find(([key]) => key === group)?.[1].terms,
          };
  return model[name]?.id ?? null;
}

function setTerm(
  editor: Editor,
  place: readonly (string | number)[],
  value: string | undefined,
): void {
  editor.change(
    t("einvoice.change"),
    (draft) => {
      if (!draft.einvoice) return;
      let entry: object = draft.einvoice.map;
      for (const key of place.slice(0, -1)) {
        const next: unknown = Reflect.get(entry, key);
        const made = typeof next === "object" && next !== null ? next : {};
        if (made !== next) Reflect.set(entry, key, made);
        entry = made;
      }
      const last = place.at(-1) ?? "";
      if (value === undefined) Reflect.deleteProperty(entry, last);
      else Reflect.set(entry, last, value);
    },
    `einvoice.${formatPlace(place)}`,
  );
}

function setEntries(
  editor: Editor,
  name: string,
  entries: readonly object[],
): void {
  editor.change(t("einvoice.change"), (draft) => {
    if (!draft.einvoice) return;
    const { map } = draft.einvoice;
    if (entries.length === 0) Reflect.deleteProperty(map, name);
    else Reflect.set(map, name, entries.length === 1 ? entries[0] : entries);
  });
}
