import { useSignal } from "@preact/signals";
import {
  useLayoutEffect,
  useRef,
  useState,
  useEffect,
  useId,
} from "preact/hooks";
import type { DraftAnalysis } from "../../../../core/compiler/views.js";
import { clock } from "../../../../core/lib/clock.js";
import type {
  Component,
  ProjectData,
} from "../../../../core/plugin-api/definition.js";
import { ask, wordsOf } from "../../api.js";
import { t, locale as userLocale } from "../../messages/index.js";
import { rich } from "../../messages/rich.js";
import { LabeledSelect } from "../../ui/select.js";
import { Button } from "../../ui/button.js";
import { useInputText, InputField } from "../../ui/form.js";
import { Icon } from "../../ui/icon.js";
import type { Editor } from "../model/editor.js";
import type { PathKind } from "../scope/path-options.js";
import { knownLocale } from "../scope/samples.js";
import { outward } from "../scope/symbol-table.js";
import {
  createDateBase,
  DATE_UNITS,
  type DateUnit,
  formatTime,
  getDateOffset,
  parseChip,
  serializeChip,
  getChipLabel,
  findScope,
  getFirstArgument,
  findFilter,
  withFilter,
  getChipKind,
  type ChipFilter,
  type ChipValue,
} from "./chip.js";
import { type Anchor, Overlay } from "./overlay.js";
import { getExpression, isChip } from "./template.js";
import { getSource } from "./text-document.js";
import type { TextSurface } from "./text-surface.js";

interface ChipPopoverProps {
  surface: TextSurface;
  /** Of the chip in the document. */
  position: number;
}

export function ChipPopover({ surface, position }: ChipPopoverProps) {
  const box = useRef<HTMLDivElement>(null);
  const { editor, owner } = surface.options;
  void surface.moves.value;
  const node = surface.view.state.doc.nodeAt(position);
  const source = node?.type.name === "chip" ? getSource(node.attrs) : "";
  const close = () => {
    surface.openChip.value = null;
    surface.view.focus();
  };
  useFocusInside(box);
  useOwnStep(editor);
  useOutsidePress(box, surface);
  if (source === "") return null;
  const { label, isFormula } = getChipLabel(editor, owner, source);
  return (
    <Overlay
      anchor={getChipAnchor(surface, position)}
      placement="bottom-start"
      class="chip-popover"
      role="dialog"
      label={isFormula ? t("rules.formula") : label}
      onLeave={() => {
        surface.openChip.value = null;
        surface.options.onLeave("blur");
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        close();
      }}
    >
      <div class="chip-settings" ref={box}>
        <ChipSettings {...{ surface, position, source }} />
        <footer class="chip-end">
          <Button kind="quiet" onPress={() => surface.removeChip(position)}>
            <Icon name="trash" size={16} />
            {t("common.remove")}
          </Button>
          <Button kind="primary" onPress={close}>
            {t("common.done")}
          </Button>
        </footer>
      </div>
    </Overlay>
  );
}

function getChipAnchor({ view }: TextSurface, position: number): Anchor {
  return {
    element: view.dom,
    rect: () => {
      const node = view.nodeDOM(position);
      const element = node instanceof Element ? node : view.dom;
      return element.getBoundingClientRect();
    },
  };
}

function ChipSettings({
  surface,
  position,
  source,
}: ChipPopoverProps & { source: string }) {
  const { editor, owner, isPlain } = surface.options;
  const preview = useChipPreview(editor, owner, source);
  const value = parseChip(source);
  const { label, isFormula } = getChipLabel(editor, owner, source);
  // Computed once, so that the section stays open while a formula is edited.
  const [isAdvanced] = useState(isFormula);
  const set = (next: string) => surface.setChip(position, next);
  return (
    <>
      <header class="chip-head">
        <strong>{isFormula ? t("rules.formula") : label}</strong>
        {value?.base.kind === "path" && <code>{value.base.path}</code>}
      </header>
      <p
        class={`chip-printed ${preview?.error ? "bad" : ""}`}
        aria-live="polite"
      >
        <PreviewText preview={preview} />
      </p>
      {value && (
        <ChipFormat
          surface={surface}
          value={value}
          mayMarkdown={!isPlain}
          onChange={(next) => set(serializeChip(next))}
        />
      )}
      <details class="chip-advanced" open={isAdvanced}>
        <summary>{t("text.advanced")}</summary>
        <FormulaField source={getExpression(source)} onChange={set} />
      </details>
    </>
  );
}

/** All changes made while the popover is open are one undo step, separate from typing. */
function useOwnStep(editor: Editor): void {
  useLayoutEffect(() => {
    editor.endThread();
    return () => editor.endThread();
  }, []);
}

function PreviewText({ preview }: { preview: ChipPreview | null }) {
  if (!preview) return <>…</>;
  if (preview.error !== null) return <>{preview.error}</>;
  if (preview.text === "") return <>{t("text.emptyWithSampleData")}</>;
  return <>{rich("text.printsText", {}, { text: preview.text })}</>;
}

/** Focuses the first setting, as in any dialog; of a due date, its days. */
function useFocusInside(box: { current: HTMLDivElement | null }): void {
  useLayoutEffect(() => {
    const fields = "select, input, textarea, button";
    const firstField =
      box.current?.querySelector<HTMLElement>("[data-first]") ??
      box.current?.querySelector<HTMLElement>(fields);
    firstField?.focus();
  }, []);
}

/** Closes the popover when the pointer is pressed outside of it. */
function useOutsidePress(
  box: { current: HTMLDivElement | null },
  surface: TextSurface,
): void {
  useLayoutEffect(() => {
    const press = ({ target }: PointerEvent) => {
      const isInside = target instanceof Node && box.current?.contains(target);
      if (isInside) return;
      surface.openChip.value = null;
      const isInText =
        target instanceof Node && surface.view.dom.contains(target);
      if (!isInText) surface.options.onLeave("blur");
    };
    document.addEventListener("pointerdown", press, { capture: true });
    return () =>
      document.removeEventListener("pointerdown", press, { capture: true });
  }, []);
}

/** A chip as the service prints it with the sample, or the error. */
interface ChipPreview {
  text: string;
  error: string | null;
}

const DEBOUNCE_MS = 200;

/** Requests a preview shortly after the last change; null until the first response. */
function useChipPreview(
  editor: Editor,
  owner: string | null,
  source: string,
): ChipPreview | null {
  const preview = useSignal<ChipPreview | null>(null);
  useEffect(() => {
    let isCanceled = false;
    const show = async () => {
      const nextPreview = await requestPreview(editor, owner, source);
      if (!isCanceled) preview.value = nextPreview;
    };
    const timer = clock.after(DEBOUNCE_MS, () => void show());
    return () => {
      timer.cancel();
      isCanceled = true;
    };
  }, [editor, owner, source]);
  return preview.value;
}

async function requestPreview(
  editor: Editor,
  owner: string | null,
  source: string,
): Promise<ChipPreview> {
  const definition = createPreviewDefinition(editor, owner, source);
  try {
    const facts = await ask<DraftAnalysis>("drafts/check", "POST", {
      templateType: "document",
      definition,
    });
    const [problem] = facts.problems;
    const text = facts.values[CHIP_ID]?.[getExpression(source)] ?? "";
    return { text, error: problem?.message ?? null };
  } catch (error) {
    return { text: "", error: wordsOf(error) };
  }
}

const CHIP_ID = "chip";

/** A definition that prints only the chip, for the first item of each collection around it. */
function createPreviewDefinition(
  editor: Editor,
  owner: string | null,
  source: string,
): ProjectData {
  const { schema, sample, locale, translations, currency, timeZone } =
    editor.sampled.peek();
  const chip: Component = { id: CHIP_ID, type: "text", text: source };
  const content = outward(findScope(editor, owner)).reduce<Component>(
    (inner, { collection: { empty: _empty, ...collection } }) => ({
      type: "container",
      collection: { ...collection, limit: 1 },
      components: [inner],
    }),
    chip,
  );
  return {
    schema,
    components: [content],
    ...(sample !== undefined && { sample }),
    ...(locale !== undefined && { locale }),
    ...(translations && { translations }),
    ...(currency !== undefined && { currency }),
    ...(timeZone !== undefined && { timeZone }),
  };
}

interface FormulaFieldProps {
  /** The expression, without its braces. */
  source: string;
  /** Called with the source of a chip. */
  onChange: (source: string) => void;
}

/** Text that is not one expression is kept in the field and not passed on. */
export function FormulaField({ source, onChange }: FormulaFieldProps) {
  const id = useId();
  const [typed, setTyped] = useInputText(source);
  const handleInput = (text: string) => {
    const next = text.trim();
    const chip = `{{ ${next} }}`;
    const isValid = next !== "" && isChip(chip);
    setTyped(text, isValid ? next : source);
    if (isValid) onChange(chip);
  };
  return (
    <div class="field">
      <label for={id}>{t("rules.formula")}</label>
      <textarea
        id={id}
        class="input formula-field"
        rows={2}
        spellcheck={false}
        value={typed ?? source}
        onInput={({ currentTarget }) => handleInput(currentTarget.value)}
      />
    </div>
  );
}

interface ChipFormatProps {
  surface: TextSurface;
  value: ChipValue;
  mayMarkdown: boolean;
  onChange: (value: ChipValue) => void;
}

function ChipFormat({
  surface,
  value,
  mayMarkdown,
  onChange,
}: ChipFormatProps) {
  const { editor, owner } = surface.options;
  const kind = getChipKind(editor, owner, value.base);
  const { locale = "en-US", currency = "USD" } = editor.definition.value;
  const format = findFilter(value, "format");
  const isText = kind === "String";
  const set = (filter: ChipFilter | null) =>
    onChange(withFilter(value, "format", filter));
  return (
    <>
      {!isText && (
        <FilterChoice
          label={t("common.format")}
          choices={getFormatOptions(kind, knownLocale(locale), currency)}
          filter={format}
          onChange={set}
        />
      )}
      {format?.name === "currency" && (
        <CurrencyField filter={format} currency={currency} onChange={set} />
      )}
      {format?.name === "date" && (
        <PatternField filter={format} onChange={set} />
      )}
      {kind === "Date" && <DateOffset value={value} onChange={onChange} />}
      {isText && <LetterCase value={value} onChange={onChange} />}
      <Fallback value={value} onChange={onChange} />
      {isText && mayMarkdown && <Markdown value={value} onChange={onChange} />}
    </>
  );
}

/** What is added to a date, such as the days until it is due. */
function DateOffset({ value, onChange }: FilterProps) {
  const id = useId();
  const [shownUnit, setShownUnit] = useState<DateUnit>("days");
  const offset = getDateOffset(value.base);
  const amount = offset?.amount ?? 0;
  const [typed, setTyped] = useInputText(amount);
  if (!offset) return null;
  const unit = amount === 0 ? shownUnit : offset.unit;
  const set = (next: number, nextUnit: DateUnit) => {
    setShownUnit(nextUnit);
    onChange({ ...value, base: createDateBase(offset.date, next, nextUnit) });
  };
  return (
    <div class="field">
      <label for={id}>{t("text.addToDate")}</label>
      <span class="date-offset">
        <input
          id={id}
          class="input"
          type="number"
          step={1}
          data-first={amount === 0 ? undefined : true}
          value={typed ?? (amount === 0 ? "" : amount)}
          placeholder="0"
          onInput={({ currentTarget }) => {
            const next = Math.trunc(Number(currentTarget.value));
            setTyped(currentTarget.value, next);
            set(next, unit);
          }}
        />
        <select
          class="input"
          aria-label={t("text.unitOfTime")}
          value={unit}
          onChange={({ currentTarget }) =>
            set(
              amount,
              DATE_UNITS.find((option) => option === currentTarget.value) ??
                unit,
            )
          }
        >
          {DATE_UNITS.map((option) => (
            <option value={option} key={option}>
              {getUnitLabel(amount, option)}
            </option>
          ))}
        </select>
      </span>
    </div>
  );
}

function getUnitLabel(amount: number, unit: DateUnit): string {
  const parts = formatTime(Math.abs(amount), unit);
  return parts.find(({ type }) => type === "unit")?.value ?? unit;
}

interface FilterChoiceProps {
  label: string;
  choices: readonly FormatOption[];
  filter: ChipFilter | null;
  onChange: (filter: ChipFilter | null) => void;
}

function FilterChoice({ label, choices, filter, onChange }: FilterChoiceProps) {
  const exact = choices.find(
    (choice) => toOptionValue(choice.filter) === toOptionValue(filter),
  );
  // All currencies are one option; the currency has a field of its own.
  const option =
    exact ??
    choices.find(
      (choice) =>
        choice.filter?.name === "currency" && filter?.name === "currency",
    );
  const chosen = toOptionValue((option ?? { filter }).filter);
  return (
    <LabeledSelect
      label={label}
      value={chosen}
      options={[
        ...(!option && filter
          ? [[chosen, t("text.customPattern")] as const]
          : []),
        ...choices.map(
          (choice) => [toOptionValue(choice.filter), choice.label] as const,
        ),
      ]}
      none={t("common.none")}
      onChange={(value) =>
        onChange(
          choices.find((choice) => toOptionValue(choice.filter) === value)
            ?.filter ?? null,
        )
      }
    />
  );
}

interface FilterProps {
  value: ChipValue;
  onChange: (value: ChipValue) => void;
}

function LetterCase({ value, onChange }: FilterProps) {
  return (
    <FilterChoice
      label={t("text.letterCase")}
      choices={CASE_OPTIONS}
      filter={findFilter(value, "letters")}
      onChange={(filter) => onChange(withFilter(value, "letters", filter))}
    />
  );
}

function Fallback({ value, onChange }: FilterProps) {
  const id = useId();
  const filter = findFilter(value, "fallback");
  const setFallback = (text: string) => {
    const next = text === "" ? null : { name: "default", args: [text] };
    onChange(withFilter(value, "fallback", next));
  };
  return (
    <div class="field">
      <label for={id}>{t("text.showIfEmpty")}</label>
      <input
        id={id}
        class="input"
        data-fallback
        value={getFirstArgument(filter)}
        placeholder={t("common.nothing")}
        onInput={({ currentTarget }) => setFallback(currentTarget.value)}
      />
    </div>
  );
}

function Markdown({ value, onChange }: FilterProps) {
  const isOn = findFilter(value, "markup")?.name === "markdown";
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => {
          const filter = { name: "markdown", args: [] };
          const next = currentTarget.checked ? filter : null;
          onChange(withFilter(value, "markup", next));
        }}
      />
      <span>{t("text.containsMarkdownSuchAsBold")}</span>
    </label>
  );
}

interface DetailProps {
  filter: ChipFilter;
  onChange: (filter: ChipFilter) => void;
}

const STYLES = ["short", "medium", "long", "full"];

/** A custom pattern for dates. */
function PatternField({ filter, onChange }: DetailProps) {
  const pattern = getFirstArgument(filter);
  const customPattern = STYLES.includes(pattern) ? "" : pattern;
  return (
    <InputField
      label={t("text.customPattern")}
      value={customPattern}
      placeholder="dd.MM.yyyy"
      spellcheck={false}
      onChange={(text) => {
        const [, ...rest] = filter.args;
        onChange({ name: "date", args: [text || "medium", ...rest] });
      }}
    />
  );
}

interface CurrencyFieldProps extends DetailProps {
  /** The template's currency, which is the default. */
  currency: string;
}

function CurrencyField({ filter, currency, onChange }: CurrencyFieldProps) {
  const groupings = filter.args.filter(isGrouping);
  const [code, ...rest] = filter.args.filter(
    (argument) => !isGrouping(argument),
  );
  return (
    <LabeledSelect
      label={t("page.currency")}
      value={code === undefined ? "" : String(code)}
      options={listCurrencies()}
      none={t("text.templateDefaultCurrency", { currency })}
      onChange={(value) =>
        onChange({
          name: "currency",
          args:
            value === undefined ? groupings : [value, ...rest, ...groupings],
        })
      }
    />
  );
}

/** Whether an argument of `currency` says how four digits are grouped. */
function isGrouping(argument: string | number): boolean {
  return argument === "always" || argument === "min2";
}

export function listCurrencies() {
  const names = new Intl.DisplayNames(userLocale, { type: "currency" });
  return Intl.supportedValuesOf("currency").map(
    (code) => [code, `${code} – ${names.of(code) ?? code}`] as const,
  );
}

/** A format, labeled with an example. */
interface FormatOption {
  label: string;
  filter: ChipFilter | null;
}

const EXAMPLE_DATE = Date.UTC(2026, 10, 21);

function getDateOptions(locale: string): FormatOption[] {
  const styles = (["short", "medium", "long", "full"] as const).map((style) => {
    const options = { dateStyle: style, timeZone: "UTC" } as const;
    const label = new Intl.DateTimeFormat(locale, options).format(EXAMPLE_DATE);
    return { label, filter: { name: "date", args: [style] } };
  });
  const patterns = [
    ["21.11.2026", "dd.MM.yyyy"],
    ["2026-11-21", "yyyy-MM-dd"],
    ["21 Nov 2026", "d MMM yyyy"],
    ["21 November 2026", "d MMMM yyyy"],
    ["November 2026", "MMMM yyyy"],
    ["Saturday", "EEEE"],
    ["2026", "yyyy"],
  ] as const;
  const seen = new Set(styles.map(({ label }) => label));
  return [
    ...styles,
    ...patterns
      .filter(([label]) => !seen.has(label))
      .map(([label, pattern]) => ({
        label,
        filter: { name: "date", args: [pattern] },
      })),
  ];
}

function getNumberOptions(locale: string, currency: string): FormatOption[] {
  const decimals = [0, 1, 2, 3].map((digits) => ({
    label: new Intl.NumberFormat(locale, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }).format(1234.5678),
    filter: { name: "number", args: [digits] },
  }));
  const percents = [0, 1].map((digits) => ({
    label: new Intl.NumberFormat(locale, {
      style: "percent",
      minimumFractionDigits: digits,
    }).format(0.19),
    filter: { name: "percent", args: [digits] },
  }));
  return [
    ...decimals,
    {
      label: t("text.moneyCurrency", { currency }),
      filter: { name: "currency", args: [] },
    },
    ...percents,
    { label: t("text.inWords"), filter: { name: "words", args: [] } },
    { label: t("text.n1st2nd3rd"), filter: { name: "ordinal", args: [] } },
  ];
}

const CASE_OPTIONS: readonly FormatOption[] = [
  { label: t("text.uppercase"), filter: { name: "upper", args: [] } },
  { label: t("text.lowercase"), filter: { name: "lower", args: [] } },
  { label: t("text.titleCase"), filter: { name: "title", args: [] } },
];

function getFormatOptions(
  kind: PathKind | "any",
  locale: string,
  currency: string,
): FormatOption[] {
  if (kind === "Date") return getDateOptions(locale);
  if (kind === "any")
    return [...getNumberOptions(locale, currency), ...getDateOptions(locale)];
  const isNumber =
    kind === "Number" || kind === "Autogenerated" || kind === "special";
  return isNumber ? getNumberOptions(locale, currency) : [];
}

function toOptionValue(filter: ChipFilter | null): string {
  return filter ? JSON.stringify([filter.name, ...filter.args]) : "";
}
