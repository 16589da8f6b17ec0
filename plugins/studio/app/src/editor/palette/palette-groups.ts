import type { ComponentType } from "../../../../../../core/plugin-api/definition.js";
import { catalogEntry, COMPONENT_TYPES } from "../model/catalog.js";
import type { Editor } from "../model/editor.js";
import { addable } from "../model/placement.js";

export interface PaletteGroup {
  name: string;
  types: ComponentType[];
}

/** What this template can have, by group: first what only the place of the selection takes. */
export function paletteGroups(editor: Editor, wanted: string): PaletteGroup[] {
  const selected = editor.selectedEntry.value;
  const here = addable(editor, selected?.id ?? null).filter(
    (type) => catalogEntry(type).group === null,
  );
  const groups = new Map<string, ComponentType[]>([["Here", here]]);
  for (const type of typesFor(editor)) {
    const { group } = catalogEntry(type);
    if (group === null) continue;
    groups.set(group, [...(groups.get(group) ?? []), type]);
  }
  return [...groups].flatMap(([name, all]) => {
    const types = all.filter((type) => isWanted(type, wanted));
    return types.length === 0 ? [] : [{ name, types }];
  });
}

/** Whether all words that are looked for stand in what it is called, or for. */
export function isWanted(type: ComponentType, wanted: string): boolean {
  const { words, purpose, group } = catalogEntry(type);
  const told = `${words} ${purpose} ${group ?? ""} ${type}`.toLowerCase();
  const parts = wanted.toLowerCase().split(/\s+/);
  return parts.every((part) => told.includes(part));
}

function typesFor({ design, templateType }: Editor): ComponentType[] {
  const others =
    templateType === "email" ? design.documentOnly : design.emailOnly;
  return COMPONENT_TYPES.filter((type) => !others.includes(type));
}
