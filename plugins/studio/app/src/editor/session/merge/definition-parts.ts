import type {
  Component,
  ProjectData,
} from "../../../../../../../core/plugin-api/definition.js";
import {
  BANDS,
  listKey,
  type ListKey,
  getSlots,
  type Slot,
  buildTree,
} from "../../model/tree.js";
import { isObject, type Props } from "./same-json.js";

/** A definition split into components without their children, and lists of component ids. */
export interface DefinitionParts {
  /** `true` takes the place of a component's child lists. */
  components: ReadonlyMap<string, Props>;
  lists: ReadonlyMap<ListKey, readonly string[]>;
  /** The list that contains each component. */
  places: ReadonlyMap<string, ListKey>;
  /** Everything except components. */
  rest: Props;
  /** The original components. */
  whole: ReadonlyMap<string, Component>;
}

export function splitDefinition(definition: ProjectData): DefinitionParts {
  const { entries, lists } = buildTree(definition);
  const all = [...entries.values()];
  return {
    components: new Map(all.map((one) => [one.id, toProps(one.component)])),
    places: new Map(all.map((one) => [one.id, one.spot.list])),
    whole: new Map(all.map((one) => [one.id, one.component])),
    lists: new Map(
      [...lists.values()].map(({ key, components }) => [
        key,
        components.map(({ id = "" }) => id),
      ]),
    ),
    rest: getRest(definition),
  };
}

function toProps(component: Component): Props {
  const { condition, collection, ...own } = component;
  const { else: otherwise, ...logic } = condition ?? {};
  const { empty, ...repeat } = collection ?? {};
  return {
    ...own,
    ...("components" in own && own.components && { components: true }),
    ...(condition && { condition: logic }),
    ...(otherwise && { else: true }),
    ...(collection && { collection: repeat }),
    ...(empty && { empty: true }),
  };
}

function getRest(definition: ProjectData): Props {
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

export interface AssemblyInput {
  components: ReadonlyMap<string, Props>;
  rest: Props;
  order(list: ListKey): readonly string[];
  /** Unchanged components keep their identity, so that they are not drawn again. */
  before: DefinitionParts;
}

export function assembleDefinition(input: AssemblyInput): ProjectData {
  const { rest } = input;
  const page = isObject(rest["page"]) ? rest["page"] : {};
  const bands = BANDS.flatMap((name) => {
    const components = buildList(input, name);
    const frame = page[name];
    if (frame === undefined && components.length === 0) return [];
    return [
      [name, isObject(frame) ? { ...frame, components } : components] as const,
    ];
  });
  const otherProperties = Object.entries(page).filter(
    ([name]) => !BANDS.some((band) => band === name),
  );
  const newPage = Object.fromEntries([...otherProperties, ...bands]);
  const hasPage = rest["page"] !== undefined || bands.length > 0;
  const components = buildList(input, "body");
  // The parts come from definitions.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return {
    ...rest,
    components,
    ...(hasPage && { page: newPage }),
  } as unknown as ProjectData;
}

function buildList(input: AssemblyInput, key: ListKey): Component[] {
  return input.order(key).map((id) => build(input, id));
}

function build(input: AssemblyInput, id: string): Component {
  const props = input.components.get(id) ?? {};
  const lists = {
    components: buildList(input, listKey(id, "components")),
    else: buildList(input, listKey(id, "else")),
    empty: buildList(input, listKey(id, "empty")),
  };
  const before = input.before.whole.get(id);
  const isKept = input.before.components.get(id) === props;
  if (before && isKept && hasLists(before, lists)) return before;
  // The properties and lists come from a component.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return withLists(props, lists) as unknown as Component;
}

type Lists = Readonly<Record<Slot, readonly Component[]>>;

function hasLists(component: Component, lists: Lists): boolean {
  const own = new Map(
    getSlots(component).map(({ slot, components }) => [slot, components]),
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
    else: otherwise,
    empty,
    condition,
    collection,
    ...own
  } = props;
  return {
    ...own,
    ...(hasList(components, lists.components) && {
      components: lists.components,
    }),
    ...(isObject(condition) && {
      condition: {
        ...condition,
        ...(hasList(otherwise, lists.else) && { else: lists.else }),
      },
    }),
    ...(isObject(collection) && {
      collection: {
        ...collection,
        ...(hasList(empty, lists.empty) && { empty: lists.empty }),
      },
    }),
  };
}

function hasList(flag: unknown, list: readonly Component[]): boolean {
  return flag === true || list.length > 0;
}
