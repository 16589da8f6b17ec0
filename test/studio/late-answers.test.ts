import { expect } from "chai";
import { describe, it } from "mocha";
import { sendBatch } from "../support/batches.js";
import { dropResponses, holdResponses } from "../support/delayed-responses.js";
import { type TestService, useService } from "../support/service.js";
import { publish } from "../support/store.js";
import {
  waitForCount,
  type StudioUser,
  waitForHeading,
  pressButton,
  waitForText,
  useStudio,
  type Person,
  signInAs,
} from "../support/studio.js";
import { allowBatches } from "../support/wizard-shop.js";

async function callerFor(service: TestService, person: Person) {
  const visitor = await signInAs(service, person);
  const by = (method: string) => (path: string, body?: unknown) =>
    visitor.send(method, path, body);
  const get = (path: string) => visitor.get(path);
  const [post, put, patch] = [by("POST"), by("PUT"), by("PATCH")];
  return { get, post, put, patch, delete: by("DELETE") };
}

describe("a studio page with delayed responses", () => {
  // Nobody works, so that batches stay as they are.
  const service = useService({ role: "serve" });
  const signIn = useStudio(service);

  async function newBatch(user: StudioUser) {
    await allowBatches(service, user);
    const templateId = await publish(service.store, user, { name: "Quote" });
    const caller = await callerFor(service, user);
    const items = [{ data: { name: "Ada" } }, { data: { name: "Eve" } }];
    const order = { templateId, formats: ["html"], items };
    return { caller, ...(await sendBatch(caller, order)) };
  }

  it("does not report an empty list before it is loaded", async () => {
    const { page, pageErrors } = await signIn("editor");
    await page.goto(`${service.url}/studio/templates`);
    await waitForText(page, "No templates yet");
    const trash = await holdResponses(page, "show=trash");
    await pressButton(page, "Trash");
    await trash.requested;
    const shown = await page.$eval("main", (main) => main.innerText);
    expect(shown).to.not.match(/is empty|No templates/);
    trash.release();
    await waitForText(page, "The trash is empty");
    expect(pageErrors).to.deep.equal([]);
  });

  it("loads a page on the second attempt whose code could not be loaded", async () => {
    const { page } = await signIn("editor");
    await page.goto(`${service.url}/studio/templates`);
    const restore = await dropResponses(page, "/brand-");
    await page.locator('a[href$="/brand"]').click();
    await waitForText(page, "Couldn't load this page");
    await restore();
    await pressButton(page, "Try again");
    await waitForHeading(page, "Brand");
  });

  it("shows the last document of a batch that ended between two responses", async () => {
    const user = await signIn("editor");
    const { page, pageErrors } = user;
    const { caller, batchId } = await newBatch(user);
    const line = await holdResponses(page, "batches?batchId=", {
      isRequest: true,
    });
    const counts = page.waitForResponse((one) =>
      one.url().includes("pageSize=1"),
    );
    await page.goto(`${service.url}/studio/batches/${batchId}?show=failed`);
    await Promise.all([line.requested, counts]);
    await caller.post(`/api/batches/${batchId}/cancel`);
    line.release();
    await waitForText(page, "Failed 2");
    await waitForCount(page, ".document", 2);
    expect(pageErrors).to.deep.equal([]);
  });

  it("does not navigate a user who has already left", async () => {
    const user = await signIn("editor");
    const { page, pageErrors } = user;
    const { caller, batchId } = await newBatch(user);
    await caller.post(`/api/batches/${batchId}/cancel`);
    await page.goto(`${service.url}/studio/batches/${batchId}`);
    const retry = await holdResponses(page, "/retry");
    await pressButton(page, "Retry failed documents");
    await retry.requested;
    await pressButton(page, "Documents");
    retry.release();
    await waitForText(page, "Started a new batch");
    await waitForHeading(page, "Documents");
    expect(new URL(page.url()).pathname).to.equal("/studio/documents");
    expect(pageErrors).to.deep.equal([]);
  });

  it("creates one key for two clicks and shows it whatever is clicked", async () => {
    const { page, pageErrors } = await signIn();
    await pressButton(page, "API keys");
    await pressButton(page, "New key");
    await page.locator("#key-name").fill("Web shop");
    const made = await holdResponses(page, "api/keys");
    await page.evaluate(`{
      const create = document.querySelector("dialog [type=submit]");
      create.click();
      create.click();
    }`);
    await made.requested;
    await page.keyboard.press("Escape");
    made.release();
    await page.waitForSelector(".secret");
    await pressButton(page, "I've saved it");
    await waitForText(page, "Web shop");
    expect(await page.$$("main li.line")).to.have.length(1);
    expect(pageErrors).to.deep.equal([]);
  });
});
