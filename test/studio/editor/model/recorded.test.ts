import { checkSample } from "../../../../core/definition/index.js";
import type { ProjectData } from "../../../../core/plugin-api/definition.js";
import * as commands from "../../../../studio/src/editor/commands/commands.js";
import { guessMap } from "../../../../studio/src/editor/einvoice/guess-map.js";
import { fillWithRows } from "../../../../studio/src/editor/fields/fill-with-rows.js";
import {
  inferSchema,
  mergeTable,
} from "../../../../studio/src/editor/fields/infer-schema.js";
import { createFieldPart } from "../../../../studio/src/editor/fields/insert-field.js";
import {
  fillSample,
  withSample,
} from "../../../../studio/src/editor/fields/make-sample.js";
import { findLabelFault } from "../../../../studio/src/editor/fields/schema-edits.js";
import {
  getBorder,
  getSides,
  withBorder,
  withSides,
} from "../../../../studio/src/editor/inspector/style-properties.js";
import {
  findSpan,
  keepIds,
  readJson,
} from "../../../../studio/src/editor/json/read-json.js";
import type { Editor } from "../../../../studio/src/editor/model/editor.js";
import { pasteText } from "../../../../studio/src/editor/model/clipboard.js";
import {
  matchIds,
  mergeDefinitions,
} from "../../../../studio/src/editor/model/merge-definitions.js";
import { navigate } from "../../../../studio/src/editor/model/navigate.js";
import {
  expandTo,
  getOutlineRows,
  getRowLabel,
  toggleKey,
} from "../../../../studio/src/editor/outline/outline-rows.js";
import { addNewComponent } from "../../../../studio/src/editor/model/placement.js";
import { editTable } from "../../../../studio/src/editor/model/table-edits.js";
import { proposeCollectionName } from "../../../../studio/src/editor/rules/collection-edits.js";
import * as logic from "../../../../studio/src/editor/rules/logic.js";
import { listPathOptions } from "../../../../studio/src/editor/scope/path-options.js";
import { getChipLabel } from "../../../../studio/src/editor/text/chip.js";
import {
  addFieldInScope,
  createNewFieldItems,
  filterItems,
  getMenuItems,
  type MenuItem,
} from "../../../../studio/src/editor/text/menu-items.js";
import { compareDefinitions } from "../../../../studio/src/editor/versions/compare.js";
import {
  getBody,
  newEditor,
  summarize,
} from "../../../support/editor-model.js";
import { testRecorded } from "../../../support/recorded.js";

interface Setting {
  in: string;
  /** The template. */
  with: ProjectData;
  type?: "document" | "email";
  /** Its editor, for all inputs of a section. */
  editor?: Editor;
}

const begin = (kind: string): Setting => ({
  in: kind,
  with: { schema: [], components: [] },
});

// An input of calls*.txt is the name of a function with its arguments as JSON. One of the others is the ids of the components
// that it selects first, if any, and a command with its arguments.
testRecorded(
  new URL("recorded/", import.meta.url),
  begin,
  (line, _, setting) => {
    const editor = (setting.editor ??= newEditor(setting.with, setting.type));
    if (setting.in === "calls") return call(line, setting.with, editor);
    const [, ids = "", command = ""] = /^(.*?) ?> (.*)/.exec(line) ?? [];
    if (ids !== "") editor.selected.replace(ids.split(" "));
    const said = command.startsWith("pasteText ")
      ? json(pasteText(editor, JSON.parse(command.slice(10))))
      : [];
    if (said.length === 0) run(editor, command);
    const { components } = editor.definition.value;
    if (setting.in === "bodies")
      return [...said, JSON.stringify(getBody(editor))];
    return setting.in === "arrows"
      ? [editor.selected.ids.value.join(" ")]
      : [
          `“${editor.announced.value}”`,
          summarize(components),
          ...refusalOf(editor),
        ];
  },
);

function refusalOf({ refusal }: Editor): string[] {
  return refusal.value ? [`refused: ${refusal.value}`] : [];
}

function json(value: unknown): string[] {
  return [JSON.stringify(value)];
}

function call(line: string, template: ProjectData, editor: Editor): string[] {
  const [name = ""] = line.split(" ", 1);
  const [a, b, c, d] = JSON.parse(line.slice(name.length));
  switch (name) {
    case "inferSchema":
      return json(inferSchema(a, b));
    case "mergeTable":
      return json(mergeTable(a, b, new Set(c), d));
    case "fillSample":
      return json(fillSample(a, b ?? undefined));
    case "withSample":
      return describeSample(withSample(template, a));
    case "fillWithRows":
      return json(fillWithRows(a, b ?? undefined, c, d));
    case "findLabelFault":
      return json(findLabelFault(a, b));
    case "newRule":
      return json(logic.newRule(a));
    case "withComparison":
      return json(logic.withComparison(a, b, c, d ?? undefined));
    case "getComparison":
      return json(logic.getComparison(a));
    case "withField":
      return json(logic.withField(a, b, c));
    case "withSource":
      return json(logic.withSource(a, b));
    case "addPart":
      return json(logic.addPart(a, b, c));
    case "changePart":
      return json(logic.changePart(a, b, c));
    case "movePart":
      return json(logic.movePart(a, b, c));
    case "getQuantity":
      return json(logic.getQuantity(a));
    case "withQuantity":
      return json(logic.withQuantity(a, b));
    case "writeOrder":
      return json(logic.writeOrder(a));
    case "readOrder":
      return json(logic.readOrder(a));
    case "getBorder":
      return json(getBorder(a, b));
    case "withBorder":
      return json(withBorder(a, b, c));
    case "getSides":
      return json(getSides(a, b) ?? null);
    case "withSides":
      return json(withSides(a, b, c ?? undefined));
    case "readJson": {
      const { fault, definition } = readJson(a);
      return json(fault ?? definition?.sample ?? null);
    }
    case "findSpan": {
      const { from, to } = findSpan(a, b);
      return [a.slice(from, to)];
    }
    case "keepIds":
      return keepIds(a, b).components.map(({ id }) =>
        id?.length === 1 ? id : "a new id",
      );
    case "outline":
      return describeOutline(editor, a, b);
    case "addFieldInScope":
      return [
        addFieldInScope(editor, a, b) ?? "nowhere",
        ...editor.definition.value.schema.map(
          ({ id, fields }) => `${id} ${JSON.stringify(fields.at(-1))}`,
        ),
      ];
    case "proposeCollectionName":
      return [proposeCollectionName(editor, a)];
    case "mergeDefinitions":
      return describeMerge(mergeDefinitions(a));
    case "mergeBoth":
      return describeMerge(mergeDefinitions(a, () => "both"));
    case "matchIds":
      return json(matchIds(a, b));
    case "guessMap":
      return json(guessMap(a));
    case "compareDefinitions":
      return compareDefinitions(a, b).map((one) => JSON.stringify(one));
    case "listPathOptions":
      return listPathOptions(editor, a, b).map((one) => JSON.stringify(one));
    case "choose":
      return json(choose(editor, a, b));
    case "createNewFieldItems":
      return json(createNewFieldItems(a).map(({ label }) => label));
    case "getChipLabel":
      return json(getChipLabel(editor, a, b));
    case "createFieldPart":
      return [describeFieldPart(editor, a, b, c)];
    default:
      throw new Error(`There is no function ${name}.`);
  }
}

function describeMerge(merge: ReturnType<typeof mergeDefinitions>): string[] {
  const { definition, conflicts, restored } = merge;
  return [
    JSON.stringify(definition),
    ...conflicts.map((one) => `conflict ${JSON.stringify(one)}`),
    ...[...restored].map((id) => `restored ${id}`),
  ];
}

/** Its values, each element of a list on a line, and what does not fit the fields. */
function describeSample(definition: ProjectData): string[] {
  const values = Object.entries(Object(definition.sample)).flatMap(
    ([name, value]) =>
      (Array.isArray(value) ? value : [value]).map(
        (one) => `${name} ${JSON.stringify(one)}`,
      ),
  );
  const problems = checkSample(definition, definition.sample)
    .filter(({ code }) => code !== "empty_value")
    .map(({ message }) => message);
  return [...values, ...problems];
}

/** Chooses the first item for each query in turn. @returns what the last one inserts; null if nothing is found */
function choose(editor: Editor, owner: string, queries: string[]) {
  let items: readonly MenuItem[] = getMenuItems(editor, owner, false);
  for (const query of queries) {
    const action = filterItems(items, query)[0]?.action;
    if (action?.kind !== "step")
      return action && "source" in action ? action.source : null;
    items = action.items();
  }
  return null;
}

/** The rows after others were opened or closed, and then those around a component opened. */
function describeOutline(editor: Editor, toggled: string[], shown?: string) {
  const keys = toggled.reduce<ReadonlySet<string>>(toggleKey, new Set());
  const open = shown ? expandTo(editor.tree.value, keys, shown) : keys;
  return getOutlineRows(editor, open).map(
    ({ component, words, level }) =>
      `${level} ${component ? getRowLabel(editor, component) : words}`,
  );
}

function describeFieldPart(
  editor: Editor,
  place: string,
  collectionId: string,
  name: string,
): string {
  const { schema } = editor.definition.value;
  const fields = schema.find(({ id }) => id === collectionId)?.fields ?? [];
  const field = fields.find((one) => one.name === name);
  if (!field) throw new Error(`There is no field ${name}.`);
  const part = createFieldPart(editor, place, { collectionId, field });
  return part ? summarize([part]) : "nothing";
}

function run(editor: Editor, words: string): void {
  const [command = ""] = words.split(" ", 1);
  const [one, other] = JSON.parse(`[${words.slice(command.length)}]`);
  switch (command) {
    case "move":
      return commands.moveSelected(editor, one);
    case "wrap":
      return commands.wrapSelected(editor, one);
    case "delete":
      return commands.deleteSelected(editor);
    case "duplicate":
      return commands.duplicateSelected(editor);
    case "undo":
      return commands.undo(editor);
    case "redo":
      return commands.redo(editor);
    case "add":
      return void addNewComponent(editor, one);
    case "paste": {
      const copied = commands.copySelected(editor) ?? "";
      editor.selected.replace([one]);
      return commands.pasteAtSelection(editor, copied);
    }
    case "cut": {
      const copied = commands.cutSelected(editor) ?? "";
      editor.selected.replace([one]);
      return commands.pasteAtSelection(editor, copied);
    }
    case "table":
      return editTable(editor, one, other);
    case "go":
      return navigate(editor, one);
    case "extend":
      return commands.extendSelection(editor, one);
    case "leave":
      return commands.leaveSelected(editor);
    case "allow":
      return editor.allow(one);
    default:
      throw new Error(`There is no command ${command}.`);
  }
}
