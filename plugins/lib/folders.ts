import { PlatformError } from "../../core/plugin-api/index.js";

/**
 * The names of a path's folders, from the outermost. Empty ones are left out, and control characters become spaces.
 * @throws PlatformError `invalid_field` for `.` and `..`, which would lead to another place.
 */
export function splitFolder(path: unknown, field = "folder"): string[] {
  if (typeof path !== "string") return [];
  const names = path
    .split("/")
    .map((name) => name.replaceAll(/[\p{Cc}\s]+/gu, " ").trim())
    .filter((name) => name !== "");
  if (names.some((name) => name === "." || name === ".."))
    throw new PlatformError(
      "invalid_field",
      `\`${field}\` must not contain "." or ".." as a folder, and it is ${JSON.stringify(path.slice(0, 200))}. Correct it, and retry the delivery.`,
      { fieldId: field },
    );
  return names;
}
