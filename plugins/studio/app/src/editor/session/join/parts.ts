import type {
  Component,
  ProjectData,
} from "../../../../../../../core/plugin-api/definition.js";
import {
  BANDS,
  listKey,
  type ListKey,
  slotsOf,
  type Slot,
  treeOf,
} from "../../model/tree.js";
import { isObject, type Props } from "./same-json.js";

/** A definition taken apart: what each component is by itself, and which stand in which list. */
export interface Parts {
  /** What stands for a component's lists is `true`, where they are. */
  components: ReadonlyMap<string, Props>;
  lists: ReadonlyMap<ListKey, readonly string[]>;
  /** The list in which each component stands. */
  places: ReadonlyMap<string, ListKey>;
  /** All but components. */
  rest: Props;
  /** As they were before. */
  whole: ReadonlyMap<string, Component>;
}

export function partsOf(definition: ProjectData): Parts {
  const { entries, lists } = treeOf(definition);
  const all = [...entries.values()];
  return {
    components: new Map(all.map((one) => [one.id, propsOf(one.component)])),
    places: new Map(all.map((one) => [one.id, one.spot.list])),
    whole: new Map(all.map((one) => [one.id, one.component])),
    lists: new Map(
      [...lists.values()].map(({ key, components }) => [
        key,
        components.map(({ id = "" }) => id),
      ]),
    ),
    rest: restOf(definition),
  };
}

function propsOf(component: Component): Props {
  const { condition, collection, ...own } = component;
  const { else: stand, ...logic } = condition ?? {};
  const { empty, ...repeat } = collection ?? {};
  return {
    ...own,
    ...("components" in own && own.components && { components: true }),
    ...(condition && { condition: logic }),
    ...(stand && { else: true }),
    ...(collection && { collection: repeat }),
    ...(empty && { empty: true }),
  };
}

function restOf(definition: ProjectData): Props {
  const { page, ...rest } = without(definition, "components");
  if (!isObject(page)) return rest;
  const bands = BANDS.flatMap((name) => {
    const band = page[name];
    if (band === undefined) return [];
    return [[name, isObject(band) ? without(band, "components") : true]];
  });
  return { ...rest, page: { ...page, ...Object.fromEntries(bands) } };
}

function without(object: object, name: string): Props {
  return Object.fromEntries(
    Object.entries(object).filter(([one]) => one !== name),
  );
}

/** What parts become a definition again. */
export interface Assembly {
  components: ReadonlyMap<string, Props>;
  rest: Props;
  order(list: ListKey): readonly string[];
  /** What did not change keeps its identity, so that nobody draws it anew. */
  before: Parts;
}

export function assemble(assembly: Assembly): ProjectData {
  const { rest } = assembly;
  const page = isObject(rest["page"]) ? rest["page"] : {};
  const bands = BANDS.flatMap((name) => {
    const components = listOf(assembly, name);
    const frame = page[name];
    if (frame === undefined && components.length === 0) return [];
    return [
      [name, isObject(frame) ? { ...frame, components } : components] as const,
    ];
  });
  const bare = Object.entries(page).filter(
    ([name]) => !BANDS.some((band) => band === name),
  );
  const dressed = Object.fromEntries([...bare, ...bands]);
  const hasPage = rest["page"] !== undefined || bands.length > 0;
  const components = listOf(assembly, "body");
  // The parts are those of definitions.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return {
    ...rest,
    components,
    ...(hasPage && { page: dressed }),
  } as unknown as ProjectData;
}

function listOf(assembly: Assembly, key: ListKey): Component[] {
  return assembly.order(key).map((id) => build(assembly, id));
}

function build(assembly: Assembly, id: string): Component {
  const props = assembly.components.get(id) ?? {};
  const lists = {
    components: listOf(assembly, listKey(id, "components")),
    else: listOf(assembly, listKey(id, "else")),
    empty: listOf(assembly, listKey(id, "empty")),
  };
  const before = assembly.before.whole.get(id);
  const isKept = assembly.before.components.get(id) === props;
  if (before && isKept && hasLists(before, lists)) return before;
  // Props are those of a component, and so are its lists.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return withLists(props, lists) as unknown as Component;
}

type Lists = Readonly<Record<Slot, readonly Component[]>>;

function hasLists(component: Component, lists: Lists): boolean {
  const own = new Map(
    slotsOf(component).map(({ slot, components }) => [slot, components]),
  );
  return (["components", "else", "empty"] as const).every((slot) => {
    const before = own.get(slot) ?? [];
    const now = lists[slot];
    return (
      before.length === now.length &&
      before.every((one, index) => one === now[index])
    );
  });
}

function withLists(props: Props, lists: Lists): Props {
  const {
    components,
    else: stand,
    empty,
    condition,
    collection,
    ...own
  } = props;
  return {
    ...own,
    ...(isThere(components, lists.components) && {
      components: lists.components,
    }),
    ...(isObject(condition) && {
      condition: {
        ...condition,
        ...(isThere(stand, lists.else) && { else: lists.else }),
      },
    }),
    ...(isObject(collection) && {
      collection: {
        ...collection,
        ...(isThere(empty, lists.empty) && { empty: lists.empty }),
      },
    }),
  };
}

function isThere(flag: unknown, list: readonly Component[]): boolean {
  return flag === true || list.length > 0;
}
