import type { Documents } from "../../documents/index.js";
import type { Templates } from "../../templates/index.js";
import type { Resource } from "../resource.js";
import { documentResource } from "./document.js";
import { guideResource } from "./guide.js";
import { templateResource } from "./template.js";

export interface ResourceServices {
  templates: Templates;
  documents: Documents;
}

/** Every resource, in the order in which they are listed. */
export function createResources(services: ResourceServices): Resource[] {
  return [
    guideResource(),
    templateResource(services),
    documentResource(services),
  ];
}
