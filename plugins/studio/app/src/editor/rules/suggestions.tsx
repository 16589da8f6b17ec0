interface SuggestionsProps {
  id: string;
  values: readonly (string | number)[];
}

/** What a field offers while something is typed in it. */
export function Suggestions({ id, values }: SuggestionsProps) {
  return (
    <datalist id={id}>
      {values.map((one) => (
        <option value={String(one)} key={one} />
      ))}
    </datalist>
  );
}
