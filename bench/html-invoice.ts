import type { ProjectData } from "../core/definition/index.js";
import { readDocFile } from "../test/support/doc-blocks.js";

const PAGE = "docs/how-to/write-templates-in-html.md";

/** The invoice in HTML that the documentation shows, as a request to create its template. */
export function readHtmlInvoice(): {
  name: string;
  templateType: "document";
  definition: ProjectData;
} {
  const template = JSON.parse(readDocFile(PAGE, "template.json"));
  const html = readDocFile(PAGE, "invoice.html");
  const css = readDocFile(PAGE, "invoice.css");
  template.definition.components = [{ type: "markup", html, css }];
  return template;
}
