import type { ProjectData } from "../../../../../../core/plugin-api/definition.js";

/** Downloads a definition as a JSON file, which "From a file" and the command line accept. */
export function downloadDefinition(
  name: string,
  definition: ProjectData,
): void {
  const text = JSON.stringify(definition, null, 2);
  const url = URL.createObjectURL(
    new Blob([text], { type: "application/json" }),
  );
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name.replaceAll(/[\\/:*?"<>|]+/g, " ").trim() || "template"}.json`;
  link.click();
  URL.revokeObjectURL(url);
}
