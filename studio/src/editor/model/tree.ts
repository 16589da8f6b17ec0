import type {
  Band,
  Component,
  ProjectData,
} from "../../../../core/plugin-api/definition.js";

/** The regions of a page besides the body. */
export const BANDS = [
  "header",
  "footer",
  "firstHeader",
  "firstFooter",
] as const;
export type BandName = (typeof BANDS)[number];
export type Region = "body" | BandName;

/** A list of a component: its children, its alternative, or what is shown for an empty collection. */
export type Slot = "components" | "else" | "empty";

/** Identifies a list of components: `body`, a band, or `<component id>/<slot>`. */
export type ListKey = string;

/** Keys and indexes from the root of the definition. */
export type Path = readonly (string | number)[];

/** A position between components. */
export interface Spot {
  list: ListKey;
  /** From 0; the length of the list is its end. */
  index: number;
}

export interface Entry {
  component: Component;
  id: string;
  spot: Spot;
  path: Path;
  /** Null at the top of a region. */
  parentId: string | null;
  slot: Slot | null;
  region: Region;
  /** 0 at the top of a region. */
  depth: number;
}

export interface List {
  key: ListKey;
  components: readonly Component[];
  path: Path;
  /** Null for a region. */
  ownerId: string | null;
  slot: Slot | null;
  region: Region;
}

/** All components by id and all lists by key, in document order. */
export interface Tree {
  entries: ReadonlyMap<string, Entry>;
  lists: ReadonlyMap<ListKey, List>;
}

/** @param definition a definition whose components all have unique ids */
export function buildTree(definition: ProjectData): Tree {
  const entries = new Map<string, Entry>();
  const lists = new Map<ListKey, List>();
  const walk = (list: List, depth: number): void => {
    lists.set(list.key, list);
    for (const [index, component] of list.components.entries()) {
      const id = component.id ?? "";
      const path = [...list.path, index];
      const { key, ownerId: parentId, slot, region } = list;
      const spot = { list: key, index };
      entries.set(id, {
        component,
        id,
        spot,
        path,
        parentId,
        slot,
        region,
        depth,
      });
      for (const inner of getSlots(component)) {
        const under = { ownerId: id, slot: inner.slot, region };
        const listPath = [...path, ...inner.path];
        const { components } = inner;
        const innerKey = listKey(id, inner.slot);
        walk(
          { key: innerKey, components, path: listPath, ...under },
          depth + 1,
        );
      }
    }
  };
  for (const list of regionsOf(definition)) walk(list, 0);
  return { entries, lists };
}

export function listKey(id: string, slot: Slot): ListKey {
  return `${id}/${slot}`;
}

/** The lists of a component, in the order in which they are drawn. */
export function getSlots(
  component: Component,
): { slot: Slot; components: readonly Component[]; path: Path }[] {
  const { condition, collection } = component;
  const slots: ReturnType<typeof getSlots> = [];
  if (canHaveChildren(component)) {
    const { components = noComponents } = component;
    slots.push({ slot: "components", components, path: ["components"] });
  }
  if (condition?.else)
    slots.push({
      slot: "else",
      components: condition.else,
      path: ["condition", "else"],
    });
  if (collection?.empty)
    slots.push({
      slot: "empty",
      components: collection.empty,
      path: ["collection", "empty"],
    });
  return slots;
}

const noComponents: readonly Component[] = [];

/** Whether it has or may have children. */
function canHaveChildren(
  component: Component,
): component is Extract<Component, { components?: Component[] | undefined }> {
  const { type } = component;
  return (
    "components" in component || type === "table-cell" || type === "list-item"
  );
}

function regionsOf(definition: ProjectData): List[] {
  const { components, page } = definition;
  const top = { ownerId: null, slot: null };
  const bands = BANDS.flatMap((name) => {
    const band = page?.[name];
    if (band === undefined) return [];
    const path = [
      "page",
      name,
      ...(isComponentList(band) ? [] : ["components"]),
    ];
    return [
      { key: name, components: componentsOf(band), path, region: name, ...top },
    ];
  });
  const body = { key: "body", components, path: ["components"], ...top };
  return [{ ...body, region: "body" }, ...bands];
}

function isComponentList(band: Band): band is Component[] {
  return Array.isArray(band);
}

export function componentsOf(band: Band): readonly Component[] {
  return isComponentList(band) ? band : band.components;
}

export function at(definition: object, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null
        ? Reflect.get(value, key)
        : undefined,
    definition,
  );
}

/** A component and its ancestors, the outermost first. */
export function lineage(tree: Tree, id: string): Entry[] {
  const entries: Entry[] = [];
  for (let next: string | null = id; next !== null;) {
    const entry: Entry | undefined = tree.entries.get(next);
    if (!entry) break;
    entries.unshift(entry);
    next = entry.parentId;
  }
  return entries;
}

/** Finds the innermost component that contains a problem's JSON path (`$.components[2].text`); null for none. */
export function createComponentFinder(
  tree: Tree,
): (jsonPath: string) => string | null {
  const ids = new Map(
    Array.from(
      tree.entries.values(),
      ({ id, path }) => [toJsonPath(path), id] as const,
    ),
  );
  return (jsonPath) => {
    for (let path = jsonPath; path !== "";) {
      const id = ids.get(path);
      if (id !== undefined) return id;
      const end = Math.max(path.lastIndexOf("."), path.lastIndexOf("["), 0);
      path = path.slice(0, end);
    }
    return null;
  };
}

/** A path in the format of problems: `$.components[2].text`. */
export function toJsonPath(path: Path): string {
  return path.reduce<string>(
    (text, key) => text + (typeof key === "number" ? `[${key}]` : `.${key}`),
    "$",
  );
}

/** Assigns an id to each component that has none or a duplicate. */
export function assignMissingIds(definition: ProjectData): ProjectData {
  const taken = new Set<string>();
  const give = (list: readonly Component[]) =>
    list.map((component) => assignIds(component, taken));
  const components = give(definition.components);
  const { page } = definition;
  if (!page) return { ...definition, components };
  const bands = BANDS.flatMap((name) => {
    const band = page[name];
    if (band === undefined) return [];
    const given = give(componentsOf(band));
    const whole = Array.isArray(band) ? given : { ...band, components: given };
    return [[name, whole]];
  });
  const dressed = { ...page, ...Object.fromEntries(bands) };
  return { ...definition, components, page: dressed };
}

export function withNewIds(component: Component): Component {
  return assignIds(component, new Set(), true);
}

function assignIds(
  component: Component,
  taken: Set<string>,
  isNew = false,
): Component {
  const { id } = component;
  const keeps = !isNew && id !== undefined && !taken.has(id);
  const ownId = keeps ? id : crypto.randomUUID();
  taken.add(ownId);
  // A component with an id keeps the order of its properties: opening a template must not change it.
  return {
    ...(id === undefined && { id: ownId }),
    ...mapChildren(component, (child) => assignIds(child, taken, isNew)),
    ...(!keeps && { id: ownId }),
  };
}

/** The component with each of its children replaced, also those of its alternative and of its empty collection. */
export function mapChildren(
  component: Component,
  map: (child: Component) => Component,
): Component {
  const { condition, collection } = component;
  return {
    ...component,
    ...("components" in component &&
      component.components && { components: component.components.map(map) }),
    ...(condition?.else && {
      condition: { ...condition, else: condition.else.map(map) },
    }),
    ...(collection?.empty && {
      collection: { ...collection, empty: collection.empty.map(map) },
    }),
  };
}
