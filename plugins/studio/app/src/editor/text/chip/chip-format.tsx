import { useId } from "preact/hooks";
import { knownLocale } from "../../scope/samples.js";
import type { TextSurface } from "../surface/text-surface.js";
import { argumentOf, filterOf, withFilter } from "./chip-filters.js";
import { chipKind } from "./chip-kind.js";
import type { ChipFilter, ChipValue } from "./chip-value.js";
import { CurrencyField, PatternField } from "./format-details.js";
import {
  formatChoices,
  type FormatChoice,
  keyOf,
  LETTER_CHOICES,
} from "./format-choices.js";

interface ChipFormatProps {
  surface: TextSurface;
  value: ChipValue;
  mayMarkdown: boolean;
  onChange: (value: ChipValue) => void;
}

/** The settings that suit a variable's kind of value. */
export function ChipFormat({
  surface,
  value,
  mayMarkdown,
  onChange,
}: ChipFormatProps) {
  const { editor, owner } = surface.options;
  const kind = chipKind(editor, owner, value.base);
  const { locale = "en-US", currency = "USD" } = editor.definition.value;
  const format = filterOf(value, "format");
  const isText = kind === "String";
  const set = (filter: ChipFilter | null) =>
    onChange(withFilter(value, "format", filter));
  return (
    <>
      {!isText && (
        <FilterChoice
          label="Format"
          choices={formatChoices(kind, knownLocale(locale), currency)}
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
      {isText && <Letters value={value} onChange={onChange} />}
      <Fallback value={value} onChange={onChange} />
      {isText && mayMarkdown && <Markdown value={value} onChange={onChange} />}
    </>
  );
}

interface FilterChoiceProps {
  label: string;
  choices: readonly FormatChoice[];
  filter: ChipFilter | null;
  onChange: (filter: ChipFilter | null) => void;
}

function FilterChoice({ label, choices, filter, onChange }: FilterChoiceProps) {
  const id = useId();
  const here = choices.find((one) => keyOf(one.filter) === keyOf(filter));
  // Money in another currency is the same choice, with its code set beside it.
  const alike =
    here ??
    choices.find(
      (one) => one.filter?.name === "currency" && filter?.name === "currency",
    );
  const chosen = alike ? keyOf(alike.filter) : keyOf(filter);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={chosen}
        onChange={({ currentTarget }) =>
          onChange(
            choices.find((one) => keyOf(one.filter) === currentTarget.value)
              ?.filter ?? null,
          )
        }
      >
        <option value="">As it is</option>
        {!alike && filter && <option value={chosen}>Its own pattern</option>}
        {choices.map((one) => (
          <option value={keyOf(one.filter)} key={keyOf(one.filter)}>
            {one.words}
          </option>
        ))}
      </select>
    </div>
  );
}

interface PartProps {
  value: ChipValue;
  onChange: (value: ChipValue) => void;
}

function Letters({ value, onChange }: PartProps) {
  return (
    <FilterChoice
      label="Letters"
      choices={LETTER_CHOICES}
      filter={filterOf(value, "letters")}
      onChange={(filter) => onChange(withFilter(value, "letters", filter))}
    />
  );
}

function Fallback({ value, onChange }: PartProps) {
  const id = useId();
  const filter = filterOf(value, "fallback");
  const take = (text: string) => {
    const next = text === "" ? null : { name: "default", args: [text] };
    onChange(withFilter(value, "fallback", next));
  };
  return (
    <div class="field">
      <label for={id}>Show if empty</label>
      <input
        id={id}
        class="input"
        data-fallback
        value={argumentOf(filter)}
        placeholder="Nothing"
        onInput={({ currentTarget }) => take(currentTarget.value)}
      />
    </div>
  );
}

function Markdown({ value, onChange }: PartProps) {
  const isOn = filterOf(value, "markup")?.name === "markdown";
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
      <span>Has Markdown in it, such as **bold**</span>
    </label>
  );
}
