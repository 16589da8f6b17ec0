import type { Problem } from "../plugin-api/index.js";

/** With `--json`: nothing but this value, on one line. Otherwise the readable text. */
export function print(
  { json }: { json?: boolean },
  value: unknown,
  text: string,
): void {
  process.stdout.write(`${json ? JSON.stringify(value) : text}\n`);
}

export function complain(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Rows under headings, in columns as wide as their longest cell. */
export function table(headings: string[], rows: string[][]): string {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((cells) => cells[column]?.length ?? 0)),
  );
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A thing and its properties, a line each. */
export function properties(value: Record<string, string | null>): string {
  return table(
    ["", ""],
    Object.entries(value).map(([name, text]) => [name, text ?? "-"]),
  ).trimStart();
}

/** One problem, with its place and how to mend it. */
export function problemLine({ path, message, hint }: Problem): string {
  return `  ${path}: ${message}${hint ? ` (${hint})` : ""}`;
}
