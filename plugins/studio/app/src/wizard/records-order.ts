import { type Choice, NOWHERE } from "./choice.js";

/** What was chosen, as the public API is told of it: for a link, and for a record that is tried. */
export function recordsOrder({
  connection,
  base,
  table,
  template,
  field,
  formats,
  mode,
}: Choice) {
  return {
    templateId: template,
    connectionId: connection,
    ...(base !== "" && { baseId: base }),
    tableId: table,
    formats: formats === "" ? ["pdf"] : formats.split(","),
    ...(field !== NOWHERE && {
      attachmentField: field,
      overwriteExisting: mode === "replace",
    }),
  };
}
