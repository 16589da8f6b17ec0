import { useId } from "preact/hooks";
import { argumentOf } from "./chip-filters.js";
import type { ChipFilter } from "./chip-value.js";

interface DetailProps {
  filter: ChipFilter;
  onChange: (filter: ChipFilter) => void;
}

const STYLES = ["short", "medium", "long", "full"];

/** A pattern of one's own for dates. */
export function PatternField({ filter, onChange }: DetailProps) {
  const id = useId();
  const pattern = argumentOf(filter);
  const shown = STYLES.includes(pattern) ? "" : pattern;
  return (
    <div class="field">
      <label for={id}>Own pattern</label>
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
  /** The template's own. */
  currency: string;
}

/** Money in the template's currency, or in one of its own. */
export function CurrencyField({
  filter,
  currency,
  onChange,
}: CurrencyFieldProps) {
  const id = useId();
  const code = argumentOf(filter);
  const [, ...rest] = filter.args;
  return (
    <div class="field">
      <label for={id}>Currency</label>
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
        <option value="">{`As the template (${currency})`}</option>
        {Intl.supportedValuesOf("currency").map((one) => (
          <option value={one} key={one}>
            {currencyWords(one)}
          </option>
        ))}
      </select>
    </div>
  );
}

function currencyWords(code: string): string {
  const names = new Intl.DisplayNames("en", { type: "currency" });
  return `${code} – ${names.of(code) ?? code}`;
}
