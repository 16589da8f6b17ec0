import type {
  Component,
  ProjectData,
} from "../../../../../../core/plugin-api/definition.js";
import { withIds } from "../model/ids.js";
import { at, type Tree, treeOf } from "../model/tree.js";

/** The typed definition with ids: what was typed without one and stands where a component of its type stood keeps that one's. */
export function withKeptIds(
  typed: ProjectData,
  before: ProjectData,
): ProjectData {
  const named = withIds(typed);
  const fresh = freshPaths(treeOf(named), typed);
  if (fresh.length === 0) return named;
  const taken = new Set(treeOf(named).entries.keys());
  const copy = structuredClone(named);
  for (const path of fresh) {
    const [now, old] = [at(copy, path), at(before, path)];
    if (!isComponent(now) || !isComponent(old)) continue;
    if (old.id === undefined || taken.has(old.id) || old.type !== now.type)
      continue;
    taken.add(old.id);
    now.id = old.id;
  }
  return copy;
}

/** Where ids were given. */
function freshPaths(tree: Tree, typed: ProjectData) {
  return [...tree.entries.values()].flatMap(({ id, path }) => {
    const was = at(typed, path);
    return isComponent(was) && was.id === id ? [] : [path];
  });
}

function isComponent(value: unknown): value is Component {
  return typeof value === "object" && value !== null && "type" in value;
}
