import { ListLines } from "./list-lines.js";

interface ChoiceLinesProps {
  options: readonly string[];
  onChange: (options: string[] | undefined) => void;
}

/** What a signer may choose from. */
export function ChoiceLines({ options, onChange }: ChoiceLinesProps) {
  return (
    <ListLines
      label="Choices"
      noun="choice"
      list={options}
      make={() => `Choice ${options.length + 1}`}
      onChange={(next) => onChange(next.length === 0 ? undefined : next)}
      draw={(option, index) => (
        <input
          class="input small"
          aria-label={`Choice ${index + 1}`}
          value={option}
          onInput={({ currentTarget: { value } }) =>
            onChange(options.map((one, at) => (at === index ? value : one)))
          }
        />
      )}
    />
  );
}
