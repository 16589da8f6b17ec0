import {
  getDesignFacts,
  type EditorDesign,
} from "../../core/compiler/index.js";
import * as placement from "../../core/definition/schema/placement.js";
import type {
  Component,
  ProjectData,
  Text,
} from "../../core/plugin-api/definition.js";
import { Editor } from "../../studio/src/editor/model/editor.js";
import { assignMissingIds } from "../../studio/src/editor/model/tree.js";

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

function withoutIds(components: readonly Component[]): unknown {
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
};

/** Components in short, by their texts, those without one by their types: "columns(column[50%](Hello) column(image))". */
export function summarize(components: readonly Component[]): string {
  return components
    .map((one) => {
      const width = "width" in one && one.type === "column" && one.width;
      const name = `${one.type}${width ? `[${width}]` : ""}`;
      if ("components" in one && one.components?.length !== 0)
        return `${name}(${summarize(one.components ?? [])})`;
      const text = getText(one);
      return typeof text === "string" ? text || "_" : name;
    })
    .join(" ");
}

export function getText(component: Component | undefined): Text | undefined {
  return component && "text" in component ? component.text : undefined;
}
