import { z } from "zod";
import { linkWithUrlSchema } from "../../core/integrations/platforms/index.js";
import type { RecordCaller } from "./records.js";
import { eventually } from "./eventually.js";
import { reader } from "./caller.js";
import { installClock } from "./clock.js";
import { paginationSchema } from "../../core/lib/schemas.js";

const dayMs = 24 * 60 * 60_000;

/** Does something a day from now, as far as the service knows. */
export async function tomorrow<T>(work: () => Promise<T>): Promise<T> {
  const restore = installClock({ now: () => Date.now() + dayMs });
  try {
    return await work();
  } finally {
    restore();
  }
}

/** A time before `tomorrow`. */
export const soon = () => new Date(Date.now() + dayMs / 2).toISOString();

export const readLink = reader(linkWithUrlSchema);

/** Creates a link to the caller's template for orders. */
export async function createLink(caller: RecordCaller, more: object = {}) {
  return readLink(await postLink(caller, more), 201);
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

/** Returns the hidden field of a page's form. */
export function getFormToken(page: string): string {
  return /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";
}

/** Submits the form of a link's page as a browser without JavaScript does. */
export async function submitForm(url: string, form: string): Promise<Response> {
  return fetch(url, {
    method: "POST",
    body: new URLSearchParams({ form }),
    redirect: "manual",
  });
}

/** Opens the page for these records and submits its form. @returns the URL of the run's page. */
export async function openAndSubmit(url: string, ...ids: string[]) {
  const page = await fetch(`${url}?recordId=${ids.join(",")}`);
  const response = await submitForm(url, getFormToken(await page.text()));
  return new URL(response.headers.get("location") ?? "", url).href;
}

/** Waits until the page of a run no longer changes, and returns it. */
export function waitForFinishedPage(run: string): Promise<string> {
  return eventually(async () => {
    const page = await (await fetch(run)).text();
    return !page.includes("data-live") && page;
  });
}

const readBatches = reader(z.looseObject({ pagination: paginationSchema }));

export async function countBatches(caller: RecordCaller): Promise<number> {
  const page = await caller.get("/api/batches?page=1&pageSize=1");
  return (await readBatches(page)).pagination.total ?? 0;
}
