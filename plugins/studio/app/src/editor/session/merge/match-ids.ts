import type {
  Component,
  ProjectData,
} from "../../../../../../../core/plugin-api/definition.js";
import { at, buildTree } from "../../model/tree.js";
import { splitDefinition } from "./definition-parts.js";
import { isObject, type Props } from "./same-json.js";

/**
 * Gives components that equal one in `before`, except for their id, that component's id. Programs write definitions
 * without ids, and new ids are assigned: without this, a merge would keep both the changed and the original component.
 */
export function matchIds(
  definition: ProjectData,
  before: ProjectData,
): ProjectData {
  const known = findMatches(
    splitDefinition(definition).components,
    splitDefinition(before).components,
  );
  if (known.size === 0) return definition;
  const copy = structuredClone(definition);
  for (const { id, path } of buildTree(definition).entries.values()) {
    const old = known.get(id);
    const component = at(copy, path);
    if (old !== undefined && isComponent(component)) component.id = old;
  }
  return copy;
}

type Components = ReadonlyMap<string, Props>;

/** For each new id, the id of the first unmatched component of `before` with the same content. */
function findMatches(now: Components, before: Components): Map<string, string> {
  const free = new Map<string, string[]>();
  for (const [id, props] of before) {
    if (now.has(id)) continue;
    const content = toContentKey(props);
    free.set(content, [...(free.get(content) ?? []), id]);
  }
  const known = new Map<string, string>();
  for (const [id, props] of now) {
    const old = before.has(id)
      ? undefined
      : free.get(toContentKey(props))?.shift();
    if (old !== undefined) known.set(id, old);
  }
  return known;
}

function toContentKey(props: Props): string {
  const own = Object.entries(props).filter(([name]) => name !== "id");
  return JSON.stringify(own.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isComponent(value: unknown): value is Component {
  return isObject(value) && "type" in value;
}
