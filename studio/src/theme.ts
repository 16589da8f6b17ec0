import { signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const key = "platen-theme";

function stored(): Theme {
  const word = localStorage.getItem(key);
  return word === "light" || word === "dark" ? word : "system";
}

/** Light or dark; by default as the system has it. */
export const theme = signal<Theme>(stored());

export function chooseTheme(choice: Theme): void {
  theme.value = choice;
  localStorage.setItem(key, choice);
  applyTheme();
}

export function applyTheme(): void {
  const { dataset } = document.documentElement;
  if (theme.value === "system") delete dataset["theme"];
  else dataset["theme"] = theme.value;
}
