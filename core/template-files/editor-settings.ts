import { mkdir, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { applyEdits, modify, parse, type ParseError } from "jsonc-parser";
import {
  definitionJsonSchema,
  type Directive,
  DIRECTIVES,
  FLAG_DIRECTIVES,
  TEMPLATE_TYPES,
} from "../definition/index.js";
import { PlatenError } from "../plugin-api/index.js";
import { readTextFile } from "./sync-files.js";

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

/** What VS Code completes and explains in HTML templates. */
function createHtmlData(): object {
  const globalAttributes = DIRECTIVES.map((name) => {
    const description = directives[name];
    // The value set `v` is that of attributes without a value.
    const isFlag = FLAG_DIRECTIVES.includes(name);
    return { name, description, ...(isFlag && { valueSet: "v" }) };
  });
  return { version: 1.1, globalAttributes };
}

const directives: Readonly<Record<Directive, string>> = {
  "data-each":
    "Repeats the element for each element of a list, such as `line in root.lines`.",
  "data-entries":
    "With data-each: repeats for each key of an object; the element has `key` and `value`.",
  "data-filter":
    "With data-each: leaves elements out. An expression over their fields, such as `amount > 0`.",
  "data-sort":
    "With data-each: sorts by fields, such as `amount desc, name as natural`.",
  "data-group-by":
    "With data-each: repeats for each group, which has `key` and `items`. A field, such as `category`.",
  "data-offset": "With data-each: skips this number of elements.",
  "data-limit": "With data-each: repeats for at most this number of elements.",
  "data-empty":
    "After an element with data-each: is shown when nothing is repeated.",
  "data-if":
    "Shows the element if the expression is true, such as `root.total > 100`. Empty values, zero and false hide it.",
  "data-else-if":
    "After an element with data-if: shows this one if that is hidden and the expression is true.",
  "data-else":
    "After an element with data-if: shows this one if that is hidden.",
  "data-keep-together": "Avoids splitting the element across pages.",
  "data-page":
    "On a header or footer at the top level: prints it on each page, or with the value `first` on the first page.",
  "data-page-number": "Shows the number of the page.",
  "data-page-count": "Shows the number of pages.",
  "data-partial":
    "On an empty <template>: prints the reusable block of this name in its place.",
};

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
  const before =
    (await readTextFile(folder, posix.join(FOLDER, "settings.json"))) ?? "{}\n";
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
    const current: unknown = Reflect.get(settings, name);
    const list: unknown[] = Array.isArray(current) ? current : [];
    const isThere = list.some(
      (item) => JSON.stringify(item) === JSON.stringify(entry),
    );
    if (isThere) continue;
    const formattingOptions = { insertSpaces: true, tabSize: 2 };
    const edits = modify(text, [name], [...list, entry], { formattingOptions });
    text = applyEdits(text, edits);
  }
  const files: [string, string][] = [
    ["settings.json", text],
    [SCHEMA_FILE, toJson(createTemplateSchema())],
    [HTML_DATA_FILE, toJson(createHtmlData())],
  ];
  for (const [name, content] of files)
    await writeFile(join(target, name), content);
  return files.map(([name]) => posix.join(FOLDER, name));
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
