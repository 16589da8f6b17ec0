import { expect } from "chai";
import { before, beforeEach, describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import type { Config } from "../../config/index.js";
import { sendBatch } from "../support/batches.js";
import { dropResponses, holdResponses } from "../support/delayed-responses.js";
import { eventually } from "../support/eventually.js";
import { freePort } from "../support/free-port.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import {
  newVisitor,
  pressButton,
  setSession,
  type TestVisitor,
  usePage,
  useStudio,
  waitForCount,
  waitForHeading,
  waitForText,
} from "../support/studio.js";
import { allowBatches } from "../support/wizard-shop.js";

describe("a page of the studio", () => {
  const config: Partial<Config> = {};
  before(async () => {
    config.port = await freePort();
  });
  // Nobody works, so that batches stay as they are.
  const service = useService({ config, role: "serve" });
  const user = usePage(service, "owner");
  const signIn = useStudio(service);
  let page: Page;
  let owner: TestVisitor;
  beforeEach(async () => {
    ({ page } = user());
    owner = await newVisitor(service);
    await setSession(service, page, owner);
  });

  /** Creates a document elsewhere, of a template with this name. */
  async function create(visitor: TestVisitor, name: string, more = {}) {
    const templateId = await publish(service.store, visitor, { name });
    const order = { templateId, formats: ["html"], data: {}, ...more };
    await visitor.post("/api/export", order);
  }

  async function newBatch() {
    await allowBatches(service, owner);
    const templateId = await publish(service.store, owner, { name: "Quote" });
    const items = [{ data: { name: "Ada" } }, { data: { name: "Eve" } }];
    return sendBatch(owner, { templateId, formats: ["html"], items });
  }

  it("follows the stream of changes instead of asking regularly, and asks while there is none", async () => {
    const ada = await signIn("owner", { width: 1280, at: "more" });
    const asked: string[] = [];
    ada.page.on("request", (request) => asked.push(request.url()));
    const streams = () => asked.filter((url) => url.includes("api/events"));
    const lists = () => asked.filter((url) => url.includes("api/documents"));
    await pressButton(ada.page, "Documents");
    await waitForText(ada.page, "No documents yet");
    await eventually(() => streams().length === 1 && lists().length === 2);
    await create(ada, "Report", { strict: true });
    await waitForText(ada.page, "The data has no root.name");
    expect(lists().length).to.be.at.most(4);
    // Without a stream, the page asks by itself.
    await ada.page.setRequestInterception(true);
    ada.page.on("request", (request) => {
      const isStream = request.url().includes("api/events");
      void (isStream ? request.abort() : request.continue());
    });
    await ada.page.evaluate("dispatchEvent(new Event('online'))");
    await create(ada, "Letter");
    await waitForText(ada.page, "Letter");
    const others = ada.pageErrors.filter((one) => !one.includes("ERR_FAILED"));
    expect(others).to.eql([]);
  });

  it("shows what happened while its process was replaced, and follows the stream of the next one", async () => {
    const ada = await signIn("owner", { width: 1280, at: "documents" });
    const streams: number[] = [];
    ada.page.on("response", (response) => {
      if (response.url().includes("api/events"))
        streams.push(response.status());
    });
    await ada.page.reload();
    await waitForText(ada.page, "No documents yet");
    await eventually(() => streams.length === 1);
    await ada.page.evaluate("window.isSamePage = true");
    await service.stop();
    await service.start();
    await create(ada, "Meanwhile");
    await waitForText(ada.page, "Meanwhile");
    await eventually(() => streams.at(-1) === 200 && streams.length > 1);
    await create(ada, "Afterwards");
    await waitForText(ada.page, "Afterwards");
    expect(await ada.page.evaluate("window.isSamePage")).to.equal(true);
  });

  it("does not call a list empty before it is loaded", async () => {
    await user().open("templates");
    await waitForText(page, "No templates yet");
    const trash = await holdResponses(page, "show=trash");
    await pressButton(page, "Trash");
    await trash.requested;
    const text = await page.$eval("main", (main) => main.innerText);
    expect(text).to.not.match(/is empty|No templates/);
    trash.release();
    await waitForText(page, "The trash is empty");
  });

  it("is loaded later when its code could not be loaded, without being asked to", async () => {
    await user().open("templates");
    const restore = await dropResponses(page, "/brand-");
    await page.locator('a[href$="/brand"]').click();
    await waitForText(page, "Couldn't load this page");
    await restore();
    await waitForHeading(page, "Brand");
    expect(user().pageErrors.splice(0).join()).to.match(/ERR_|dynamically/);
  });

  it("shows the last document of a batch that ended between two responses", async () => {
    const { batchId } = await newBatch();
    const line = await holdResponses(page, "batches?batchId=", {
      isRequest: true,
    });
    const counts = page.waitForResponse((one) =>
      one.url().includes("pageSize=1"),
    );
    await user().open(`batches/${batchId}?show=failed`);
    await Promise.all([line.requested, counts]);
    await owner.post(`/api/batches/${batchId}/cancel`, {});
    line.release();
    await waitForText(page, "Failed 2");
    await waitForCount(page, ".document", 2);
  });

  it("does not lead a user away who has already left", async () => {
    const { batchId } = await newBatch();
    await owner.post(`/api/batches/${batchId}/cancel`, {});
    await user().open(`batches/${batchId}`);
    const retry = await holdResponses(page, "/retry");
    await pressButton(page, "Retry failed documents");
    await retry.requested;
    await pressButton(page, "Documents");
    retry.release();
    await waitForText(page, "Started a new batch");
    await waitForHeading(page, "Documents");
    expect(new URL(page.url()).pathname).to.equal("/studio/documents");
  });

  it("creates one key for two clicks and shows it whatever is clicked", async () => {
    await user().open("keys");
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
  });
});
