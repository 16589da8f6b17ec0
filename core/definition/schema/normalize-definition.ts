import { randomUUID } from "node:crypto";
import type { Component } from "./component-schema.js";
import type { Band } from "./output-schema.js";
import type { ProjectData } from "./definition-schema.js";

/**
 * Returns the definition as it is saved: every component has an `id`. Nothing else changes, and keys keep their order.
 * @param definition one that `checkDefinition` accepted
 */
export function normalizeDefinition(definition: ProjectData): ProjectData {
  const { components, page } = definition;
  return {
    ...definition,
    components: components.map(withIds),
    ...(page && { page: withHeaderIds(page) }),
  };
}

const BANDS = ["header", "footer", "firstHeader", "firstFooter"] as const;

function withHeaderIds(page: NonNullable<ProjectData["page"]>) {
  const bands = BANDS.flatMap((name) => {
    const band = page[name];
    return band === undefined ? [] : [[name, headerWithIds(band)]];
  });
  return { ...page, ...Object.fromEntries(bands) };
}

function headerWithIds(band: Band): Band {
  if (Array.isArray(band)) return band.map(withIds);
  return { ...band, components: band.components.map(withIds) };
}

/** A new id becomes the first key, where readers look for it. */
function withIds(component: Component): Component {
  const { condition, collection } = component;
  return {
    ...(component.id === undefined && { id: randomUUID() }),
    ...component,
    ...("components" in component &&
      component.components && {
        components: component.components.map(withIds),
      }),
    ...(condition?.else && {
      condition: { ...condition, else: condition.else.map(withIds) },
    }),
    ...(collection?.empty && {
      collection: { ...collection, empty: collection.empty.map(withIds) },
    }),
  };
}
