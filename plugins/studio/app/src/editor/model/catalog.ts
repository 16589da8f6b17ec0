import type { ComponentType } from "../../../../../../core/plugin-api/definition.js";
import { basicEntries } from "./catalog/basic-entries.js";
import type { CatalogEntries, CatalogEntry } from "./catalog/catalog-entry.js";
import { specialEntries } from "./catalog/special-entries.js";

export type { CatalogEntry, CatalogGroup } from "./catalog/catalog-entry.js";

/** What people can put into a template: one entry for each type of component. */
const catalog: CatalogEntries<ComponentType> = {
  ...basicEntries,
  ...specialEntries,
};

export function catalogEntry(type: ComponentType): CatalogEntry {
  return catalog[type];
}

/** Types in the order of the palette. */
// A record's keys are its type's.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const COMPONENT_TYPES = Object.keys(catalog) as ComponentType[];
