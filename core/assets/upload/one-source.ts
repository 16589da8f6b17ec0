import { PlatenError } from "../../plugin-api/index.js";

/** Where an upload's bytes come from. */
export interface SourceNames {
  /** Base64, or a data URL of it. */
  base64Data?: string | undefined;
  /** An https address. */
  fileUrl?: string | undefined;
  /** A file of the machine on which the caller runs. */
  filePath?: string | undefined;
}

const NAMES = ["base64Data", "fileUrl", "filePath"] as const;

export type OneSource = { kind: (typeof NAMES)[number]; value: string };

/** @throws PlatenError `invalid_request` unless exactly one source is given. */
export function oneSource(upload: SourceNames): OneSource {
  const given = NAMES.flatMap((kind) => {
    const value = upload[kind];
    return value === undefined ? [] : [{ kind, value }];
  });
  const [first] = given;
  if (first && given.length === 1) return first;
  throw new PlatenError(
    "invalid_request",
    "An asset has exactly one source: base64Data, fileUrl or filePath.",
    {
      problems: (given.length === 0
        ? NAMES
        : given.map(({ kind }) => kind)
      ).map((kind) => ({
        path: `$.${kind}`,
        code: "one_source",
        message:
          given.length === 0 ? "is one that could be given" : "is given too",
      })),
    },
  );
}
