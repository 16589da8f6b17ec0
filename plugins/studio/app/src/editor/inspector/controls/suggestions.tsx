interface SuggestionsProps {
  /** What the field names in its `list`. */
  id: string;
  options: readonly (readonly [value: string, words: string])[];
}

/** What a browser offers below a field while one types. */
export function Suggestions({ id, options }: SuggestionsProps) {
  return (
    <datalist id={id}>
      {options.map(([value, words]) => (
        <option value={value} key={value}>
          {words}
        </option>
      ))}
    </datalist>
  );
}
