import type { ListKey } from "../../model/tree.js";
import type { Three } from "./join-order.js";
import { decide, type Joint, mapThree } from "./join-value.js";
import type { Parts } from "./parts.js";
import { sameJson } from "./same-json.js";

/** The id of the component that a list belongs to; null for the page's own. */
export function ownerOf(list: ListKey): string | null {
  const end = list.lastIndexOf("/");
  return end < 0 ? null : list.slice(0, end);
}

/**
 * Where each component stands in the end; one that is not there is deleted. What one has deleted and the other has
 * changed stays, with all that was in it.
 */
export function joinPlaces(
  three: Three<Parts>,
  joint: Joint,
): { places: Map<string, ListKey>; kept: string[] } {
  const { base, mine, theirs } = three;
  const kept = [...revived(base, mine, theirs), ...revived(base, theirs, mine)];
  const stays = new Set(kept);
  const places = new Map<string, ListKey>();
  for (const id of new Set([...mine.places.keys(), ...theirs.places.keys()])) {
    const lists = mapThree(three, (parts) => parts.places.get(id));
    const isOnOneSide = lists.mine === undefined || lists.theirs === undefined;
    if (isOnOneSide && lists.base !== undefined && !stays.has(id)) continue;
    places.set(id, placeOf(id, lists, joint));
  }
  untangle(places, base);
  return { places, kept };
}

function placeOf(
  id: string,
  { base, mine, theirs }: Three<ListKey | undefined>,
  joint: Joint,
): ListKey {
  if (mine === undefined || theirs === undefined)
    return mine ?? theirs ?? "body";
  if (mine === theirs || theirs === base) return mine;
  if (mine === base) return theirs;
  const place = { owner: id, path: ["place"] };
  return String(decide({ base, mine, theirs }, place, joint));
}

/** What one side has deleted, but must stay for what the other did in it. */
function revived(base: Parts, deleter: Parts, other: Parts): Set<string> {
  const isGone = (id: string | null): id is string =>
    id !== null &&
    base.components.has(id) &&
    other.components.has(id) &&
    !deleter.components.has(id);
  const ownerIn = (id: string) => ownerOf(other.places.get(id) ?? "body");
  const top = (id: string): string => {
    const owner = ownerIn(id);
    return isGone(owner) ? top(owner) : id;
  };
  const touched = new Set<string>();
  for (const [id, props] of other.components) {
    const isMoved = base.places.get(id) !== other.places.get(id);
    const owner = ownerIn(id);
    if (isGone(id)) {
      if (isMoved || !sameJson(props, base.components.get(id)))
        touched.add(top(id));
    } else if (isMoved && isGone(owner)) touched.add(top(owner));
  }
  const gone = [...other.components.keys()].filter(isGone);
  return new Set(gone.filter((id) => touched.has(top(id))));
}

/** Two moves into one another would tie a knot: one of them is taken back. What has lost its list goes to the page. */
function untangle(places: Map<string, ListKey>, base: Parts): void {
  for (const [id, list] of places) {
    const owner = ownerOf(list);
    if (owner !== null && !places.has(owner))
      places.set(id, base.places.get(id) ?? "body");
  }
  for (const id of [...places.keys()].toSorted()) {
    const before = base.places.get(id) ?? "body";
    const isMoved = places.get(id) !== before;
    if (isMoved && isInItself(places, id)) places.set(id, before);
  }
  for (const id of places.keys())
    if (isInItself(places, id)) places.set(id, "body");
}

function isInItself(places: Map<string, ListKey>, id: string): boolean {
  const seen = new Set<string>();
  for (let next = ownerOf(places.get(id) ?? "body"); next !== null;) {
    if (next === id) return true;
    if (seen.has(next)) return false;
    seen.add(next);
    next = ownerOf(places.get(next) ?? "body");
  }
  return false;
}
