import { Icon } from "../ui/icon.js";

interface SearchFieldProps {
  label: string;
  value: string;
  onInput: (text: string) => void;
}

export function SearchField({ label, value, onInput }: SearchFieldProps) {
  return (
    <label class="search">
      <span class="hidden-text">{label}</span>
      <Icon name="search" />
      <input
        class="input"
        type="search"
        placeholder={label}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}
