import type { Page } from "puppeteer-core";
import { z } from "zod";

const components = z.array(z.looseObject({ type: z.string() }));
const definition = z.looseObject({ components });
const template = z.object({
  version: z.number(),
  name: z.string(),
  templateType: z.string(),
  definition,
});
const draft = z.object({
  revision: z.number(),
  base: z.object({ hash: z.string() }),
  definition,
});

/** A template as the public API shows it to whoever uses the page. */
export async function templateOf(
  page: Page,
  templateId: string,
): Promise<z.infer<typeof template>> {
  return template.parse(await read(page, `/api/templates/${templateId}`));
}

/** What the service has of a template's draft. */
export async function draftOf(
  page: Page,
  templateId: string,
): Promise<z.infer<typeof draft>> {
  const at = `/studio/api/drafts/${templateId}`;
  return draft.parse(await read(page, at));
}

/** Saves another draft, as somebody else would; problems are no hindrance. */
export async function saveDraft(
  page: Page,
  templateId: string,
  next: object,
): Promise<void> {
  const { revision, base } = await draftOf(page, templateId);
  const change = { definition: next, expectedRevision: revision };
  await page.evaluate(
    (url, body) =>
      fetch(url, {
        method: "PUT",
        headers: {
          "x-platen-app": "studio",
          "content-type": "application/json",
        },
        body,
      }).then(({ status }) => status),
    `/studio/api/drafts/${templateId}`,
    JSON.stringify({ ...change, base: base.hash }),
  );
}

async function read(page: Page, at: string): Promise<unknown> {
  const text = await page.evaluate(
    async (url) => (await fetch(url)).text(),
    at,
  );
  return JSON.parse(text);
}
