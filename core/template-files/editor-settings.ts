import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { applyEdits, modify, parse, type ParseError } from "jsonc-parser";
import { definitionJsonSchema, TEMPLATE_TYPES } from "../definition/index.js";
import { PlatenError } from "../plugin-api/index.js";

const FOLDER = ".vscode";
const SCHEMA_FILE = "platen-template.schema.json";
const HTML_DATA_FILE = "platen-html-data.json";

/** The JSON Schema (2020-12) of a template file. */
export function createTemplateSchema(): object {
  const { $schema, $defs, ...definition } = definitionJsonSchema();
  return {
    $schema,
    // The definition's references begin at the root.
    $defs,
    title: "Platen template",
    type: "object",
    additionalProperties: false,
    properties: {
      $schema: { type: "string" },
      name: {
        type: "string",
        minLength: 1,
        maxLength: 255,
        description: "How people see it. Default: from the folder's name.",
      },
      templateType: {
        enum: TEMPLATE_TYPES,
        description: "Default: `document`, and `email` beside template.mjml.",
      },
      description: { type: ["string", "null"], maxLength: 10_000 },
      definition: inDefinitionFile(definition),
    },
  };
}

/** Beside template.html, a definition has no components, and may have no schema. */
function inDefinitionFile(definition: Record<string, unknown>): object {
  const { required: _required, ...schema } = definition;
  return schema;
}

/** Adds to VS Code's settings of the folder what completes and checks templates. @returns the files, below the folder */
export async function writeEditorSettings(folder: string): Promise<string[]> {
  const target = join(folder, FOLDER);
  await mkdir(target, { recursive: true });
  const settingsFile = join(target, "settings.json");
  const before = await readFile(settingsFile, "utf8").catch(() => "{}\n");
  const errors: ParseError[] = [];
  const settings: unknown = parse(before, errors, { allowTrailingComma: true });
  if (errors.length > 0 || typeof settings !== "object" || settings === null)
    throw new PlatenError(
      "invalid_request",
      `${settingsFile} is not valid JSON, so nothing was added to it. Fix it, or delete it.`,
    );
  const schema = {
    fileMatch: ["*/template.json"],
    url: `./${posix.join(FOLDER, SCHEMA_FILE)}`,
  };
  const htmlData = `./${posix.join(FOLDER, HTML_DATA_FILE)}`;
  const lists: [string, unknown][] = [
    ["json.schemas", schema],
    ["html.customData", htmlData],
  ];
  let text = before;
  for (const [name, entry] of lists) {
    const known: unknown = Reflect.get(settings, name);
    const list: unknown[] = Array.isArray(known) ? known : [];
    const isThere = list.some(
      (one) => JSON.stringify(one) === JSON.stringify(entry),
    );
    if (isThere) continue;
    const formattingOptions = { insertSpaces: true, tabSize: 2 };
    const edits = modify(text, [name], [...list, entry], { formattingOptions });
    text = applyEdits(text, edits);
  }
  const files: [string, string][] = [
    ["settings.json", text],
    [SCHEMA_FILE, toJson(createTemplateSchema())],
  ];
  for (const [name, content] of files)
    await writeFile(join(target, name), content);
  return files.map(([name]) => posix.join(FOLDER, name));
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
