import { PlatenError } from "../plugin-api/index.js";

/** @returns the name without blanks around it. @throws PlatenError `invalid_request`. */
export function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length > 0 && trimmed.length <= 255) return trimmed;
  throw new PlatenError("invalid_request", "The asset cannot be called that.", {
    problems: [
      {
        path: "$.name",
        code: "name",
        message: "must have 1 to 255 characters.",
      },
    ],
  });
}
