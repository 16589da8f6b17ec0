import { Icon } from "./icon.js";

interface SearchFieldProps {
  /** Label, such as "Search by name". */
  words: string;
  value: string;
  onSearch: (q: string) => void;
}

/** Calls `onSearch` for each keystroke. */
export function SearchField({ words, value, onSearch }: SearchFieldProps) {
  return (
    <label class="search">
      <span class="hidden-text">{words}</span>
      <Icon name="search" />
      <input
        class="input"
        type="search"
        placeholder={words}
        value={value}
        onInput={(event) => onSearch(event.currentTarget.value)}
      />
    </label>
  );
}
