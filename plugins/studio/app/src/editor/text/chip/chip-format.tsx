import { useId } from "preact/hooks";
import type { PathKind } from "../../scope/path-options.js";
import { knownLocale } from "../../scope/samples.js";
import type { TextSurface } from "../text-surface.js";
import {
  getFirstArgument,
  findFilter,
  withFilter,
  getChipKind,
  type ChipFilter,
  type ChipValue,
} from "./chip.js";
import { locale as userLocale, t } from "../../../messages/index.js";

interface ChipFormatProps {
  surface: TextSurface;
  value: ChipValue;
  mayMarkdown: boolean;
  onChange: (value: ChipValue) => void;
}

/** The format settings for a chip's kind of value. */
export function ChipFormat({
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
      {isText && <LetterCase value={value} onChange={onChange} />}
      <Fallback value={value} onChange={onChange} />
      {isText && mayMarkdown && <Markdown value={value} onChange={onChange} />}
    </>
  );
}

interface FilterChoiceProps {
  label: string;
  choices: readonly FormatOption[];
  filter: ChipFilter | null;
  onChange: (filter: ChipFilter | null) => void;
}

function FilterChoice({ label, choices, filter, onChange }: FilterChoiceProps) {
  const id = useId();
  const exact = choices.find(
    (one) => toOptionValue(one.filter) === toOptionValue(filter),
  );
  // All currencies are one option; the currency has a field of its own.
  const option =
    exact ??
    choices.find(
      (one) => one.filter?.name === "currency" && filter?.name === "currency",
    );
  const chosen = toOptionValue((option ?? { filter }).filter);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={chosen}
        onChange={({ currentTarget }) =>
          onChange(
            choices.find(
              (one) => toOptionValue(one.filter) === currentTarget.value,
            )?.filter ?? null,
          )
        }
      >
        <option value="">{t("common.none")}</option>
        {!option && filter && (
          <option value={chosen}>{t("text.customPattern")}</option>
        )}
        {choices.map((one) => (
          <option
            value={toOptionValue(one.filter)}
            key={toOptionValue(one.filter)}
          >
            {one.label}
          </option>
        ))}
      </select>
    </div>
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
  const id = useId();
  const pattern = getFirstArgument(filter);
  const shown = STYLES.includes(pattern) ? "" : pattern;
  return (
    <div class="field">
      <label for={id}>{t("text.customPattern")}</label>
      <input
        id={id}
        class="input"
        value={shown}
        placeholder="dd.MM.yyyy"
        spellcheck={false}
        onInput={({ currentTarget }) => {
          const [, ...rest] = filter.args;
          const typed = currentTarget.value || "medium";
          onChange({ name: "date", args: [typed, ...rest] });
        }}
      />
    </div>
  );
}

interface CurrencyFieldProps extends DetailProps {
  /** The template's currency, which is the default. */
  currency: string;
}

function CurrencyField({ filter, currency, onChange }: CurrencyFieldProps) {
  const id = useId();
  const code = getFirstArgument(filter);
  const [, ...rest] = filter.args;
  return (
    <div class="field">
      <label for={id}>{t("page.currency")}</label>
      <select
        id={id}
        class="input"
        value={code}
        onChange={({ currentTarget: { value } }) =>
          onChange({
            name: "currency",
            args: value === "" ? [] : [value, ...rest],
          })
        }
      >
        <option value="">
          {t("text.templateDefaultCurrency", { currency })}
        </option>
        {Intl.supportedValuesOf("currency").map((one) => (
          <option value={one} key={one}>
            {getCurrencyLabel(one)}
          </option>
        ))}
      </select>
    </div>
  );
}

function getCurrencyLabel(code: string): string {
  const names = new Intl.DisplayNames(userLocale, { type: "currency" });
  return `${code} – ${names.of(code) ?? code}`;
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
  kind: PathKind,
  locale: string,
  currency: string,
): FormatOption[] {
  if (kind === "Date") return getDateOptions(locale);
  const isNumber =
    kind === "Number" || kind === "Autogenerated" || kind === "special";
  return isNumber ? getNumberOptions(locale, currency) : [];
}

/** A filter as the value of an `<option>`. */
function toOptionValue(filter: ChipFilter | null): string {
  return filter ? JSON.stringify([filter.name, ...filter.args]) : "";
}
