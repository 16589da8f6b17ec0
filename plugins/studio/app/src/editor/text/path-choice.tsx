import type { PathOption } from "../scope/path-options.js";
import { asWords, keysOf } from "../scope/path-text.js";

interface PathChoiceProps {
  /** Of the field, where a label stands beside it. */
  id?: string;
  /** Its name, where no label is shown. */
  label?: string;
  describedBy?: string | undefined;
  /** Empty while nothing is chosen. */
  value: string;
  options: readonly PathOption[];
  /** What stands there while nothing is chosen; makes "nothing" a choice for good. */
  none?: string;
  /** Choices that are no paths, below all others. */
  others?: readonly (readonly [value: string, words: string])[];
  onChange: (path: string) => void;
}

/** One of several paths, by their names and samples, below what they belong to. */
export function PathChoice({
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
      <Unlisted {...rest} value={value} />
      {grouped(rest.options).map(([from, members]) => (
        <optgroup label={from} key={from}>
          {members.map(({ path, label: words, sample }) => (
            <option value={path} key={path}>
              {sample === "" ? words : `${words} (${sample})`}
            </option>
          ))}
        </optgroup>
      ))}
      {rest.others?.map(([one, words]) => (
        <option value={one} key={one}>
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

/** What is chosen and stands in no list: nothing, or a path that means nothing here. */
function Unlisted({ value, options, none, others = [] }: UnlistedProps) {
  const isListed =
    options.some(({ path }) => path === value) ||
    others.some(([one]) => one === value);
  const word = keysOf(value)?.at(-1) ?? value;
  return (
    <>
      {none !== undefined && <option value="">{none}</option>}
      {none === undefined && value === "" && <option value="">Choose…</option>}
      {value !== "" && !isListed && (
        <option value={value}>{asWords(word)}</option>
      )}
    </>
  );
}

function grouped(options: readonly PathOption[]): [string, PathOption[]][] {
  const groups = new Map<string, PathOption[]>();
  for (const option of options)
    groups.set(option.from, [...(groups.get(option.from) ?? []), option]);
  return [...groups];
}
