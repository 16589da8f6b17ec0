import { expect } from "chai";
import { describe, it } from "mocha";
import { batchWhen, sendBatch } from "../support/batches.js";
import { Organization } from "../../core/storage/database/index.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import {
  waitForCount,
  pressButton,
  waitForText,
  useStudio,
  newVisitor,
  type Person,
  signInAs,
} from "../support/studio.js";

describe("batches in the studio", () => {
  const service = useService();
  const signIn = useStudio(service);

  /** Two documents, one of which fails. */
  async function newBatch(person: Person) {
    const { organizationId: id } = person;
    await service.store.unitOfWork.run((tx) =>
      tx.update(Organization, { id }, { plan: "premium" }),
    );
    const templateId = await publish(service.store, person, { name: "Quote" });
    const visitor = await signInAs(service, person);
    const by = (method: string) => (path: string, body?: unknown) =>
      visitor.send(method, path, body);
    const caller = {
      get: (path: string) => visitor.get(path),
      post: by("POST"),
      put: by("PUT"),
      patch: by("PATCH"),
      delete: by("DELETE"),
    };
    const items = [
      { data: { name: "Ada" } },
      { data: { name: "Eve", prototype: 1 } },
    ];
    const order = { templateId, formats: ["html"], items };
    const { batchId } = await sendBatch(caller, order);
    await batchWhen(caller, batchId);
    return batchId;
  }

  it("appear without a reload, list what failed, and are retried", async () => {
    const user = await signIn("editor");
    const { page, pageErrors } = user;
    await pressButton(page, "Batches");
    await waitForText(page, "No batches yet");
    const first = await newBatch(user);
    await waitForText(page, "1 failed");
    await pressButton(page, "Quote");
    await waitForText(page, "Done with errors");
    await waitForText(page, "Why 1 document failed");
    await waitForText(page, "Done 1");
    await page.locator("::-p-text(Failed 1)").click();
    await waitForCount(page, ".document", 1);
    await waitForText(page, "prototype");
    await pressButton(page, "Retry failed documents");
    await waitForText(page, "Retry of the failed documents in another batch");
    await waitForText(page, "1 of 1");
    expect(page.url()).to.not.include(first);
    expect(pageErrors).to.deep.equal([]);
  });

  it("are downloaded, and are read-only for viewers", async () => {
    const user = await signIn("viewer");
    const { page, organizationId } = user;
    const owner = await newVisitor(service, "owner", organizationId);
    const batchId = await newBatch(owner);
    await page.goto(`${service.url}/studio/batches/${batchId}`);
    await waitForText(page, "Download all");
    expect(await page.$eval("main", (main) => main.innerText)).to.not.match(
      /Retry|Cancel/,
    );
    const at = await page.$eval("a[download]", (link) => link.href);
    const archive = await signInAs(service, user);
    const response = await archive.get(new URL(at).pathname);
    expect(response.headers.get("content-type")).to.equal("application/zip");
    const retry = `/api/batches/${batchId}/retry`;
    const rejected = await archive.send("POST", retry, {});
    expect(await rejected.text()).to.include("documents:write");
    expect(rejected.status).to.equal(400);
  });
});
