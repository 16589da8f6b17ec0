import type {
  Component,
  ProjectData,
} from "../../../../../../../core/plugin-api/definition.js";
import { at, treeOf } from "../../model/tree.js";
import { partsOf } from "./parts.js";
import { isObject, type Props } from "./same-json.js";

/**
 * A definition in which what is the same as before but for its id has the id of before. Programs write theirs without
 * ids, and get new ones: without this, what was changed here would stand beside what it was made of.
 */
export function withKnownIds(
  definition: ProjectData,
  before: ProjectData,
): ProjectData {
  const known = knownIds(
    partsOf(definition).components,
    partsOf(before).components,
  );
  if (known.size === 0) return definition;
  const copy = structuredClone(definition);
  for (const { id, path } of treeOf(definition).entries.values()) {
    const old = known.get(id);
    const component = at(copy, path);
    if (old !== undefined && isComponent(component)) component.id = old;
  }
  return copy;
}

type Components = ReadonlyMap<string, Props>;

/** By the new id: that of the first part of before which is the same, and was not found again otherwise. */
function knownIds(now: Components, before: Components): Map<string, string> {
  const free = new Map<string, string[]>();
  for (const [id, props] of before) {
    if (now.has(id)) continue;
    const content = contentOf(props);
    free.set(content, [...(free.get(content) ?? []), id]);
  }
  const known = new Map<string, string>();
  for (const [id, props] of now) {
    const old = before.has(id)
      ? undefined
      : free.get(contentOf(props))?.shift();
    if (old !== undefined) known.set(id, old);
  }
  return known;
}

function contentOf(props: Props): string {
  const own = Object.entries(props).filter(([name]) => name !== "id");
  return JSON.stringify(own.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isComponent(value: unknown): value is Component {
  return isObject(value) && "type" in value;
}
