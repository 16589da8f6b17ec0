/** What a look at one part of an installation came to. */
export interface Finding {
  /** The part, in one word or two. */
  check: string;
  /** `warn`: it works, but somebody should know. `fail`: something does not work. */
  state: "ok" | "warn" | "fail";
  /** What was seen. */
  message: string;
  /** How to mend it; null when there is nothing to mend. */
  mend: string | null;
}
