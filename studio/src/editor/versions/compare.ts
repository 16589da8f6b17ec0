import type { ProjectData } from "../../../../core/plugin-api/definition.js";
import {
  getListOwner,
  type DefinitionParts,
  splitDefinition,
} from "../model/merge-definitions.js";
import { isObject, type Props, sameJson } from "../model/same-json.js";
import {
  describeComponent,
  describeSchemaProperty,
  describeValue,
} from "../session/descriptions.js";
import { t } from "../../messages/index.js";

interface Detail {
  /** The label of the property. */
  label: string;
  before: string;
  after: string;
}

/** The change of one component, or of the template's own properties when the id is null. */
export interface Change {
  kind: "added" | "removed" | "moved" | "changed";
  id: string | null;
  name: string;
  details: readonly Detail[];
  /** The number of components that were added or removed inside it. */
  within: number;
}

/** The changes from one definition to another, in document order; all components must have ids. */
export function compareDefinitions(
  before: ProjectData,
  after: ProjectData,
): Change[] {
  const old = splitDefinition(before);
  const now = splitDefinition(after);
  const moved = new Set(
    [...now.lists].flatMap(([key, ids]) =>
      findMoved(old.lists.get(key) ?? [], ids),
    ),
  );
  return [
    ...compareTemplateProperties(compareProperties(old.rest, now.rest)),
    ...[...now.whole.keys()].flatMap((id) =>
      compareComponent(id, old, now, moved),
    ),
    ...listRemoved(now, old),
  ];
}

function compareTemplateProperties(details: Detail[]): Change[] {
  if (details.length === 0) return [];
  const name = t("draft.template");
  return [{ kind: "changed", id: null, name, details, within: 0 }];
}

function compareComponent(
  id: string,
  old: DefinitionParts,
  now: DefinitionParts,
  moved: ReadonlySet<string>,
): Change[] {
  const component = now.whole.get(id);
  if (!component) return [];
  if (!old.whole.has(id)) return describeOneSided("added", id, old, now);
  const details = compareProperties(
    old.components.get(id) ?? {},
    now.components.get(id) ?? {},
  );
  const isMoved = moved.has(id) || old.places.get(id) !== now.places.get(id);
  if (!isMoved && details.length === 0) return [];
  const kind = isMoved ? "moved" : "changed";
  return [{ kind, id, name: describeComponent(component), details, within: 0 }];
}

function listRemoved(from: DefinitionParts, to: DefinitionParts): Change[] {
  return [...to.whole.keys()]
    .filter((id) => !from.whole.has(id))
    .flatMap((id) => describeOneSided("removed", id, from, to));
}

/** A component that only `there` contains; those inside it are counted, not listed. */
function describeOneSided(
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
    (key) => key !== id && isInside(there, key, id) && !other.whole.has(key),
  ).length;
  return [
    { kind, id, name: describeComponent(component), details: [], within },
  ];
}

function isInside(
  parts: DefinitionParts,
  id: string,
  ancestor: string,
): boolean {
  const owner = getListOwner(parts.places.get(id) ?? "body");
  if (owner === null) return false;
  return owner === ancestor || isInside(parts, owner, ancestor);
}

const isSample = (name: string) => name === "sample" || name === "samples";

function compareProperties(
  before: Props,
  after: Props,
  path: readonly string[] = [],
): Detail[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [old, now] = [before[name], after[name]];
    if (sameJson(old, now)) return [];
    const inner = [...path, name];
    const isNested = isObject(old) && isObject(now) && !isSample(name);
    if (isNested && !("rules" in now))
      return compareProperties(old, now, inner);
    const isHidden = isSample(name) || name === "schema";
    return [
      {
        label: describeSchemaProperty(inner),
        before: isHidden ? "" : describeValue(old),
        after: isHidden ? "" : describeValue(now),
      },
    ];
  });
}

/** The smallest set of names in both lists whose moves explain the new order. */
function findMoved(
  before: readonly string[],
  after: readonly string[],
): string[] {
  const places = new Map(before.map((name, index) => [name, index]));
  const shared = after.filter((name) => places.has(name));
  const placeOf = (name: string) => places.get(name) ?? -1;
  const unmoved = new Set(findLongestIncrease(shared, placeOf));
  return shared.filter((name) => !unmoved.has(name));
}

/** The longest subsequence with increasing positions. */
function findLongestIncrease(
  names: readonly string[],
  placeOf: (name: string) => number,
): string[] {
  /** The last name of the best subsequence of each length, and the predecessor of each name. */
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
