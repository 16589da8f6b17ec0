import { definitionGuide } from "../../definition/index.js";
import type { Resource } from "../resource.js";

export function guideResource(): Resource {
  return {
    uri: "platen://guide/ast",
    name: "guide-ast",
    title: "Guide to definitions",
    description:
      "How to write a template's definition: pages, components, data binding, styles, with examples.",
    mimeType: "text/markdown",
    scope: "templates:read",
    read: async () => definitionGuide(),
  };
}
