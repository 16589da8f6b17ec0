import * as fc from "fast-check";
import { type Draft, produce } from "immer";
import { getDesignFacts } from "../../core/compiler/index.js";
import * as placement from "../../core/definition/schema/placement.js";
import type { EditorDesign } from "../../core/plugin-api/app-drafts.js";
import type {
  Component,
  ProjectData,
  Inline,
  Mark,
} from "../../core/plugin-api/definition.js";
import { Editor } from "../../plugins/studio/app/src/editor/model/editor.js";
import {
  assignMissingIds,
  at,
  type List,
  type Path,
  buildTree,
} from "../../plugins/studio/app/src/editor/model/tree.js";

/** The editor's model without a browser, on these components or a whole definition. */
export function newEditor(
  content: readonly Component[] | ProjectData,
  templateType: "document" | "email" = "document",
): Editor {
  const definition = isList(content)
    ? { schema: [], components: [...content] }
    : content;
  return new Editor(assignMissingIds(definition), templateType, design, true);
}

/** What the body holds now, without ids. */
export function getBody(editor: Editor): unknown {
  return withoutIds(editor.definition.value.components);
}

export function withoutIds(components: readonly Component[]): unknown {
  const text = JSON.stringify(components, (key, value: unknown) =>
    key === "id" ? undefined : value,
  );
  return JSON.parse(text) as unknown;
}

function isList(
  content: readonly Component[] | ProjectData,
): content is readonly Component[] {
  return Array.isArray(content);
}

/** The service's own rules of placement; nothing else of a design concerns the model. */
const design: EditorDesign = {
  pageStyle: "",
  emailStyle: "",
  defaults: getDesignFacts().defaults,
  jsonSchema: {},
  allowedChildren: Object.fromEntries(placement.ALLOWED_CHILDREN),
  requiredParents: Object.fromEntries(placement.REQUIRED_PARENTS),
  topLevel: [...placement.TOP_LEVEL],
  bandOnly: [...placement.BAND_ONLY],
  bodyOnly: [...placement.BODY_ONLY],
  documentOnly: [...placement.DOCUMENT_ONLY],
  emailOnly: [...placement.EMAIL_ONLY],
  styleProperties: [],
  operators: [],
  filters: [],
  functions: [],
  fontFamilies: [],
  fonts: [],
  fontAliases: {},
  paper: {},
};

const text = (id: string): Component => ({ type: "text", id, text: id });
const box = (id: string, ...components: Component[]): Component => ({
  type: "container",
  id,
  components,
});

/** A definition with what joins have to mind: nesting, bands, stand-ins. */
export const startedAt: ProjectData = {
  schema: [
    { id: "root", fields: [{ name: "name", type: "String" }] },
    { id: "line", fields: [{ name: "price", type: "Number" }] },
  ],
  components: [
    text("a"),
    box("b", text("b1"), box("b2", text("b21"), text("b22")), text("b3")),
    {
      ...text("c"),
      condition: { combinator: "and", rules: [], else: [text("c1")] },
    },
    box("d", text("d1"), text("d2")),
  ],
  page: { header: [text("h1"), text("h2")], size: "A4" },
};

/** Something that a person does; numbers choose among what is there. */
export type Edit =
  | { does: "type" | "style"; which: number; value: string }
  | { does: "add"; where: number; index: number; id: string; value: string }
  | { does: "move"; which: number; where: number; index: number }
  | { does: "delete"; which: number }
  | { does: "field"; value: string };

/** A few edits; what is typed and made bears the name of the one who did. */
export function edits(who: string): fc.Arbitrary<Edit[]> {
  const number = fc.nat(40);
  const index = fc.nat(4);
  const word = fc.nat(9).map((one) => `${who} ${one}`);
  const id = fc.nat(9999).map((one) => `${who}-${one}`);
  return fc.array(
    fc.oneof(
      fc.record({ does: fc.constant("type"), which: number, value: word }),
      fc.record({ does: fc.constant("style"), which: number, value: word }),
      fc.record({
        does: fc.constant("add"),
        where: number,
        index,
        id,
        value: word,
      }),
      fc.record({
        does: fc.constant("move"),
        which: number,
        where: number,
        index,
      }),
      fc.record({ does: fc.constant("delete"), which: number }),
      fc.record({ does: fc.constant("field"), value: word }),
    ),
    { maxLength: 6 },
  );
}

export function afterEdits(before: ProjectData, made: Edit[]): ProjectData {
  return made.reduce(afterEdit, before);
}

function afterEdit(before: ProjectData, edit: Edit): ProjectData {
  return produce(before, (draft) => {
    if (edit.does === "field")
      draft.schema[0]?.fields.push({ name: edit.value, type: "String" });
    else if (edit.does === "add") add(before, draft, edit);
    else change(before, draft, edit);
  });
}

/** The lists that take any component. */
function placesIn(definition: ProjectData): List[] {
  const { entries, lists } = buildTree(definition);
  return [...lists.values()].filter(
    ({ ownerId, slot }) =>
      slot !== "components" ||
      entries.get(ownerId ?? "")?.component.type === "container",
  );
}

function add(
  before: ProjectData,
  draft: Draft<ProjectData>,
  edit: Extract<Edit, { does: "add" }>,
): void {
  if (buildTree(before).entries.has(edit.id)) return;
  const path = some(placesIn(before), edit.where)?.path ?? [];
  const made = { ...text(edit.id), text: edit.value };
  listAt(draft, path).splice(edit.index, 0, made);
}

function change(
  before: ProjectData,
  draft: Draft<ProjectData>,
  edit: Extract<Edit, { which: number }>,
): void {
  const entry = some([...buildTree(before).entries.values()], edit.which);
  if (!entry) return;
  const home = listAt(draft, entry.path.slice(0, -1));
  const component = home[entry.spot.index];
  if (edit.does === "type" && component && "text" in component)
    component.text = edit.value;
  if (edit.does === "style" && component)
    component.style = { color: edit.value };
  if (edit.does === "delete") home.splice(entry.spot.index, 1);
  if (edit.does !== "move") return;
  const target = some(placesIn(before), edit.where);
  const isInside = `${target?.path.join()},`.startsWith(
    `${entry.path.join()},`,
  );
  if (!target || isInside) return;
  const destination = listAt(draft, target.path);
  const [moved] = home.splice(entry.spot.index, 1);
  if (moved) destination.splice(edit.index, 0, moved);
}

function some<T>(list: T[], which: number): T | undefined {
  return list[which % list.length];
}

function listAt(draft: Draft<ProjectData>, path: Path): Component[] {
  // The tree was read off this very definition.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return at(draft, path) as Component[];
}

export function idsIn(definition: ProjectData): string[] {
  const ids: string[] = [];
  JSON.stringify(definition, (_, value: unknown) => {
    if (typeof value === "object" && value !== null && "type" in value)
      if ("id" in value) ids.push(String(value.id));
    return value;
  });
  return ids;
}

export function textsIn(definition: ProjectData): unknown[] {
  return [...buildTree(definition).entries.values()].flatMap(({ component }) =>
    "text" in component ? [component.text] : [],
  );
}

// Texts as somebody might write them who wants to confuse an editor.

const pieces = [
  "{",
  "}",
  "{{",
  "}}",
  "\\",
  "\\{{",
  '"',
  "'",
  "\n",
  "\r\n",
  "\r",
  " ",
  "a",
  "{{ root.x }}",
  '{{ "}}" }}',
  '{{ root[\'a"b\'] | default("{{") }}',

  "{{}}",
  "{{ 'it\\'s' }}",
  "שלום",
  "\u202e",
  "😀",
  "👩‍👧",
  "\ud83d",
  "e\u0301",
  "日本",
];

export const anyTemplate: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary" })), {
    maxLength: 12,
  })
  .map((parts) => parts.join(""));

const anyMark: fc.Arbitrary<Mark> = fc.oneof(
  fc.constantFrom("bold", "italic", "underline", "strike"),
  fc.record({ link: anyTemplate }),
  fc.constantFrom(
    { style: { color: "#ff0000" } },
    { style: { "font-size": "8pt", color: "{{ root.color }}" } },
  ),
);

const marked = fc.record(
  { text: anyTemplate, marks: fc.array(anyMark, { maxLength: 3 }) },
  { requiredKeys: ["text"] },
);

const anyInline: fc.Arbitrary<Inline> = fc.oneof(
  anyTemplate,
  marked,
  fc.constant({ br: true as const }),
  fc.constantFrom(
    { pageNumber: "page" as const },
    { pageNumber: "pages" as const },
  ),
);

export const anyInlines: fc.Arbitrary<Inline[]> = fc.array(anyInline, {
  maxLength: 6,
});
