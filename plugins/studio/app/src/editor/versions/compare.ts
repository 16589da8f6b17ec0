import type { ProjectData } from "../../../../../../core/plugin-api/definition.js";
import { getListOwner } from "../session/merge/merge.js";
import {
  type DefinitionParts,
  splitDefinition,
} from "../session/merge/definition-parts.js";
import { isObject, type Props, sameJson } from "../session/merge/same-json.js";
import {
  partName,
  propertyWords,
  valueWords,
} from "../session/descriptions.js";

export interface Detail {
  /** The property, in words. */
  label: string;
  before: string;
  after: string;
}

/** What became of one component, or with a null id of what belongs to the template as a whole. */
export interface Change {
  kind: "added" | "removed" | "moved" | "changed";
  id: string | null;
  name: string;
  details: readonly Detail[];
  /** How many components it has in it, where it came or went with them. */
  within: number;
}

/** What was done to come from one definition to another, in the order of the document; all components have ids. */
export function changesBetween(
  before: ProjectData,
  after: ProjectData,
): Change[] {
  const old = splitDefinition(before);
  const now = splitDefinition(after);
  const moved = new Set(
    [...now.lists].flatMap(([key, ids]) =>
      reordered(old.lists.get(key) ?? [], ids),
    ),
  );
  return [
    ...restChange(detailsOf(old.rest, now.rest)),
    ...[...now.whole.keys()].flatMap((id) => changeOf(id, old, now, moved)),
    ...comings("removed", now, old),
  ];
}

function restChange(details: Detail[]): Change[] {
  if (details.length === 0) return [];
  const name = "The template";
  return [{ kind: "changed", id: null, name, details, within: 0 }];
}

function changeOf(
  id: string,
  old: DefinitionParts,
  now: DefinitionParts,
  moved: ReadonlySet<string>,
): Change[] {
  const component = now.whole.get(id);
  if (!component) return [];
  if (!old.whole.has(id)) return coming("added", id, old, now);
  const details = detailsOf(
    old.components.get(id) ?? {},
    now.components.get(id) ?? {},
  );
  const isMoved = moved.has(id) || old.places.get(id) !== now.places.get(id);
  if (!isMoved && details.length === 0) return [];
  const kind = isMoved ? "moved" : "changed";
  return [{ kind, id, name: partName(component), details, within: 0 }];
}

function comings(
  kind: "removed",
  from: DefinitionParts,
  to: DefinitionParts,
): Change[] {
  return [...to.whole.keys()]
    .filter((id) => !from.whole.has(id))
    .flatMap((id) => coming(kind, id, from, to));
}

/** One that only `there` has; those within such a one are told with it. */
function coming(
  kind: "added" | "removed",
  id: string,
  other: DefinitionParts,
  there: DefinitionParts,
): Change[] {
  const component = there.whole.get(id);
  const owner = getListOwner(there.places.get(id) ?? "body");
  const isWithin = owner !== null && !other.whole.has(owner);
  if (!component || isWithin) return [];
  const within = [...there.places.keys()].filter(
    (one) => one !== id && isIn(there, one, id) && !other.whole.has(one),
  ).length;
  return [{ kind, id, name: partName(component), details: [], within }];
}

function isIn(parts: DefinitionParts, id: string, ancestor: string): boolean {
  const owner = getListOwner(parts.places.get(id) ?? "body");
  if (owner === null) return false;
  return owner === ancestor || isIn(parts, owner, ancestor);
}

function detailsOf(
  before: Props,
  after: Props,
  path: readonly string[] = [],
): Detail[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [old, now] = [before[name], after[name]];
    if (sameJson(old, now)) return [];
    const inner = [...path, name];
    const isOpen = isObject(old) && isObject(now) && name !== "sample";
    if (isOpen && !("rules" in now)) return detailsOf(old, now, inner);
    const told = name === "sample" || name === "schema";
    return [
      {
        label: propertyWords(inner),
        before: told ? "" : valueWords(old),
        after: told ? "" : valueWords(now),
      },
    ];
  });
}

/** Which names changed their place among those that both lists have: as few as explain it. */
function reordered(
  before: readonly string[],
  after: readonly string[],
): string[] {
  const places = new Map(before.map((name, index) => [name, index]));
  const shared = after.filter((name) => places.has(name));
  const placeOf = (name: string) => places.get(name) ?? -1;
  const kept = new Set(longestRise(shared, placeOf));
  return shared.filter((name) => !kept.has(name));
}

/** The longest sequence whose places rise. */
function longestRise(
  names: readonly string[],
  placeOf: (name: string) => number,
): string[] {
  /** The last of the best sequence of each length, and what came before each name. */
  const ends: string[] = [];
  const before = new Map<string, string | undefined>();
  for (const name of names) {
    const at = ends.findIndex((end) => placeOf(end) > placeOf(name));
    const length = at < 0 ? ends.length : at;
    before.set(name, ends[length - 1]);
    ends[length] = name;
  }
  const rise: string[] = [];
  for (let name = ends.at(-1); name !== undefined; name = before.get(name))
    rise.push(name);
  return rise;
}
