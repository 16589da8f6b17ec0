import type {
  Component,
  ProjectData,
} from "../../../../../../core/plugin-api/definition.js";
import { BANDS, componentsOf } from "./tree.js";

/** The definition with an id for each component that has none, or one that another has. The rest keeps its identity. */
export function withIds(definition: ProjectData): ProjectData {
  const taken = new Set<string>();
  const give = (list: readonly Component[]) =>
    list.map((component) => identified(component, taken));
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

/** A component as a new one: all ids in it are new. */
export function withNewIds(component: Component): Component {
  return identified(component, new Set(), true);
}

function identified(
  component: Component,
  taken: Set<string>,
  isNew = false,
): Component {
  const { id, condition, collection } = component;
  const keeps = !isNew && id !== undefined && !taken.has(id);
  const own = keeps ? id : crypto.randomUUID();
  taken.add(own);
  const inner = (list: readonly Component[]) =>
    list.map((one) => identified(one, taken, isNew));
  // What has its id keeps the order of its properties too: to open a template changes no letter of it.
  return {
    ...(id === undefined && { id: own }),
    ...component,
    ...(!keeps && { id: own }),
    ...("components" in component &&
      component.components && { components: inner(component.components) }),
    ...(condition?.else && {
      condition: { ...condition, else: inner(condition.else) },
    }),
    ...(collection?.empty && {
      collection: { ...collection, empty: inner(collection.empty) },
    }),
  };
}
