import type { ProjectData } from "../../../../../../../core/plugin-api/definition.js";
import type { ListKey } from "../../model/tree.js";
import { joinOrder, type Three } from "./join-order.js";
import { joinPlaces, ownerOf } from "./join-places.js";
import {
  type Conflict,
  joinProps,
  type Joint,
  mapThree,
  type Side,
} from "./join-value.js";
import { assemble, type Parts, partsOf } from "./parts.js";
import { type Props, sameJson } from "./same-json.js";

export type { Three } from "./join-order.js";
export type { Conflict, Side } from "./join-value.js";

export interface Joined {
  definition: ProjectData;
  /** What both have changed, each in another way; the chosen side is in the definition. */
  conflicts: readonly Conflict[];
  /** Ids of components that one has deleted, and that are there since the other has changed them. */
  kept: readonly string[];
}

/**
 * Joins what two people made of one definition: components by their ids wherever they stand, lists by order,
 * properties one by one, texts as a whole. Nothing that one of them did is lost but what is asked about. What did not
 * change here keeps its identity.
 * @param three all of whose components have ids
 * @param choose says for each conflict whose value is taken
 */
export function join(
  three: Three<ProjectData>,
  choose: (conflict: Conflict) => Side = () => "mine",
): Joined {
  const parts = mapThree(three, partsOf);
  const joint: Joint = { choose, conflicts: [] };
  const { places, kept } = joinPlaces(parts, joint);
  const components = joinComponents(parts, places.keys(), joint);
  const rests = mapThree(parts, ({ rest }) => rest);
  const rest = joinProps(rests, { owner: null, path: [] }, joint);
  host(components, places, parts);
  const members = membersOf(places);
  const definition = assemble({
    components,
    rest: sameJson(rest, rests.mine) ? rests.mine : rest,
    before: parts.mine,
    order: (list) => {
      const held = members.get(list);
      if (!held) return [];
      const orders = mapThree(parts, ({ lists }) => lists.get(list) ?? []);
      return joinOrder(orders, held);
    },
  });
  return { definition, conflicts: joint.conflicts, kept };
}

function joinComponents(
  { base, mine, theirs }: Three<Parts>,
  ids: Iterable<string>,
  joint: Joint,
): Map<string, Props> {
  const joined = new Map<string, Props>();
  for (const id of ids) {
    const own = mine.components.get(id);
    const other = theirs.components.get(id);
    const before = base.components.get(id);
    // Nearly all of them: others' work is only looked into where there is any.
    const single = !own || !other || sameJson(other, before) ? own : null;
    if (single !== null) joined.set(id, single ?? other ?? {});
    else if (own && other) {
      const three = { base: before, mine: own, theirs: other };
      const props = joinProps(three, { owner: id, path: [] }, joint);
      joined.set(id, sameJson(props, own) ? own : props);
    }
  }
  return joined;
}

/** A stand-in that somebody changed needs the condition or the collection that it stands in for. */
function host(
  components: Map<string, Props>,
  places: ReadonlyMap<string, ListKey>,
  { base, mine, theirs }: Three<Parts>,
): void {
  const needs = { else: "condition", empty: "collection" };
  for (const list of new Set(places.values()))
    for (const [slot, name] of Object.entries(needs)) {
      const id = ownerOf(list);
      if (id === null || list !== `${id}/${slot}`) continue;
      const props = components.get(id);
      if (!props || props[name] !== undefined) continue;
      const found = [mine, theirs, base]
        .map((parts) => parts.components.get(id)?.[name])
        .find((value) => value !== undefined);
      components.set(id, { ...props, [name]: found });
    }
}

function membersOf(
  places: ReadonlyMap<string, ListKey>,
): Map<ListKey, Set<string>> {
  const members = new Map<ListKey, Set<string>>();
  for (const [id, list] of places) {
    const known = members.get(list);
    if (known) known.add(id);
    else members.set(list, new Set([id]));
  }
  return members;
}
