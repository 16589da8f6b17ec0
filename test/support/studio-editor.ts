import type { Component, ProjectData } from "../../core/contract/definition.js";
import type { TestService } from "./service.js";
import { publish } from "./store-templates.js";
import type { Guest } from "./studio.js";

/** A template that someone has opened to change it. */
export interface OpenEditor extends Guest {
  templateId: string;
  /** What the service has of it: the draft, once the page has saved it. */
  draft(): Promise<ProjectData>;
}

type Content = readonly Component[] | ProjectData;

/** Publishes a template for a guest, and opens its editor where the page is drawn. */
export async function openEditor(
  service: TestService,
  guest: Guest,
  content: Content,
  templateType: "document" | "email" = "document",
): Promise<OpenEditor> {
  const definition = isList(content)
    ? { schema: [{ id: "root", fields: [] }], components: content }
    : content;
  const input = { definition, templateType };
  const templateId = await publish(service.store, guest, input);
  await guest.page.goto(`${service.url}/studio/templates/${templateId}/edit`);
  await guest.page.waitForSelector(".sheet");
  const draft = async () => {
    const view: unknown = await guest.page.evaluate(
      async (at) => (await fetch(at)).json(),
      `/studio/api/drafts/${templateId}`,
    );
    // A draft is kept as a definition, whatever problems it has.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (view as { definition: ProjectData }).definition;
  };
  return { ...guest, templateId, draft };
}

function isList(content: Content): content is readonly Component[] {
  return Array.isArray(content);
}
