import { linkWithUrlSchema } from "../../core/api/routes/links.js";
import { Batch } from "../../core/storage/database/index.js";
import type { RecordCaller } from "./records.js";
import { eventually } from "./eventually.js";
import { reader } from "./caller.js";
import type { TestService } from "./service.js";

export const linkOf = reader(linkWithUrlSchema);

/** A link to the caller's template over the orders, which must be made. */
export async function newLink(caller: RecordCaller, more: object = {}) {
  return linkOf(await postLink(caller, more), 201);
}

export function postLink(
  caller: RecordCaller,
  more: object = {},
): Promise<Response> {
  const { templateId } = caller;
  const attachmentField = "Invoice";
  const body = { templateId, platform: "memory", formats: ["html"] };
  return caller.post("/api/links", { ...body, attachmentField, ...more });
}

/** What stands in the hidden field of a page's form. */
export function formOf(page: string): string {
  return /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";
}

/** Presses the button of a link's page, as a browser without scripts does. */
export async function press(url: string, form: string): Promise<Response> {
  return fetch(url, {
    method: "POST",
    body: new URLSearchParams({ form }),
    redirect: "manual",
  });
}

/** Opens the page for these records and presses its button. @returns the address of the run's page. */
export async function pressFor(url: string, ...ids: string[]) {
  const page = await fetch(`${url}?recordId=${ids.join(",")}`);
  const answer = await press(url, formOf(await page.text()));
  return new URL(answer.headers.get("location") ?? "", url).href;
}

/** The page of a run once nothing changes on it any more. */
export function pageWhenOver(run: string): Promise<string> {
  return eventually(async () => {
    const page = await (await fetch(run)).text();
    return !page.includes("data-live") && page;
  });
}

export function batchCount({ store }: TestService): Promise<number> {
  return store.read.count(Batch);
}
