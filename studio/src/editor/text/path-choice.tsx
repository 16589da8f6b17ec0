import type { PathOption } from "../scope/path-options.js";
import { asWords, keysOf } from "../scope/path-text.js";
import { t } from "../../messages/index.js";

interface PathChoiceProps {
  /** Of the field, for its `<label>`. */
  id?: string;
  /** For a field without a visible label. */
  label?: string;
  describedBy?: string | undefined;
  /** Empty if nothing is chosen. */
  value: string;
  options: readonly PathOption[];
  /** The label of an option that chooses nothing. */
  none?: string;
  /** Options that are not paths, shown last. */
  others?: readonly (readonly [value: string, words: string])[];
  onChange: (path: string) => void;
}

/** Chooses a path, by label and sample, grouped by the record it belongs to. */
export function PathSelect({
  id,
  label,
  describedBy,
  value,
  onChange,
  ...rest
}: PathChoiceProps) {
  return (
    <select
      id={id}
      class="input small"
      value={value}
      aria-label={label}
      aria-describedby={describedBy}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      <UnlistedOptions {...rest} value={value} />
      {groupOptions(rest.options).map(([from, members]) => (
        <optgroup label={from} key={from}>
          {members.map(({ path, label: words, sample }) => (
            <option value={path} key={path}>
              {sample === "" ? words : `${words} (${sample})`}
            </option>
          ))}
        </optgroup>
      ))}
      {rest.others?.map(([option, words]) => (
        <option value={option} key={option}>
          {words}
        </option>
      ))}
    </select>
  );
}

type UnlistedProps = Pick<
  PathChoiceProps,
  "value" | "options" | "none" | "others"
>;

/** The option for no choice, or for a chosen path that is not in the list. */
function UnlistedOptions({ value, options, none, others = [] }: UnlistedProps) {
  const isListed =
    options.some(({ path }) => path === value) ||
    others.some(([option]) => option === value);
  const word = keysOf(value)?.at(-1) ?? value;
  return (
    <>
      {none !== undefined && <option value="">{none}</option>}
      {none === undefined && value === "" && (
        <option value="">{t("common.choose")}</option>
      )}
      {value !== "" && !isListed && (
        <option value={value}>{asWords(word)}</option>
      )}
    </>
  );
}

function groupOptions(
  options: readonly PathOption[],
): [string, PathOption[]][] {
  const groups = new Map<string, PathOption[]>();
  for (const option of options)
    groups.set(option.from, [...(groups.get(option.from) ?? []), option]);
  return [...groups];
}
