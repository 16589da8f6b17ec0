import { PlatenError } from "../../../core/plugin-api/index.js";
import { overlayHtml, type Program } from "../../../core/compiler/index.js";
import { OPTIONS } from "../support.js";
import { readDocument, readMarkup, type Element } from "./audit.js";

/** Read by no template here, so it must never be in a document. */
const SECRET = "kept-out-of-every-document";

/** A record that templates read `x` of, and repeat columns over its `parts`. */
export function createRecord(x: unknown): object {
  return { x, parts: [1, 2], secret: SECRET };
}

/** The elements of a merged document; none when our own error refuses the data, which is no fault. */
export function mergeDocument(program: Program, data: object): Element[] {
  return emptyIfRejected(() => {
    const options = { ...OPTIONS, invalidCodes: "placeholder" } as const;
    const { html, overlay } = program.merge(data, options);
    const strips = overlay === null ? [] : [overlayHtml(overlay, 2)];
    return [html, ...strips].flatMap((one) => readDocument(withoutSecret(one)));
  });
}

/** The same of its MJML. */
export function mergeMjml(program: Program, data: object): Element[] {
  return emptyIfRejected(() =>
    readMarkup(withoutSecret(program.mjml(data, OPTIONS).mjml)),
  );
}

function emptyIfRejected(read: () => Element[]): Element[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof PlatenError) return [];
    throw error;
  }
}

function withoutSecret(html: string): string {
  if (html.includes(SECRET)) throw new Error("It shows what nobody asked for.");
  return html;
}

/** What templates draw for these is their own; more elements than for any of them come from the data. */
const HARMLESS = ["x", "", "12", "a:b", "data:image/png;base64,iVBORw0KGgo="];

/** What an email makes of a line end in data: as an outline, and by its name. */
const LINE_ENDS: readonly string[] = ["<br > . {}", "br"];

/** Tells what a document has beyond those that `entries` gives for harmless values. */
export class Outlines {
  readonly #most = new Map<string, number>();

  constructor(entries: (harmless: string) => string[]) {
    for (const value of HARMLESS)
      for (const [entry, count] of counted(entries(value)))
        this.#most.set(entry, Math.max(count, this.#most.get(entry) ?? 0));
  }

  additions(entries: readonly string[]): string[] {
    return [...counted(entries)]
      .filter(
        ([entry, count]) =>
          !LINE_ENDS.includes(entry) && count > (this.#most.get(entry) ?? 0),
      )
      .map(([entry]) => `added: ${entry}`);
  }
}

function counted(entries: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entry of entries) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  return counts;
}
