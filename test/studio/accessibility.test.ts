import { readFileSync } from "node:fs";
import { expect } from "chai";
import type { Page } from "puppeteer-core";
import { z } from "zod";
import { Numbers } from "../../core/documents/index.js";
import { batchWhen, sendBatch } from "../support/batches.js";
import { reader } from "../support/caller.js";
import { issueCertificate, toPkcs12 } from "../support/certificates.js";
import {
  authorizationQuery,
  callback,
  newVerifier,
  registerClient,
} from "../support/oauth.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import {
  checkLooks,
  measureExcess,
  setSession,
  showInApp,
  type StudioUser,
  useBrowser,
  usePage,
} from "../support/studio.js";
import { allowBatches, shopOutbound, useShop } from "../support/wizard-shop.js";

/** Pages with a selector of what each shows, and the selectors of what is pressed on it, which opens a menu or a dialog. */
const pages = readFileSync(new URL("pages.txt", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => {
    const [name = "", path = "", there = "", ...steps] = line.split(" | ");
    return { name, path, there, steps };
  });
const readId = reader(z.looseObject({ id: z.string() }));

describe("the studio's pages", () => {
  const service = useService({ config: { outbound: shopOutbound } });
  const shop = useShop();

  /** Something of everything that pages list. @returns what their addresses name */
  async function fill(owner: StudioUser) {
    await allowBatches(service, owner);
    const templateId = await publish(service.store, owner, { name: "Letter" });
    const post = async (path: string, body: object, status = 201) =>
      (await readId(await owner.post(path, body), status)).id;
    for (const kind of ["template", "asset"])
      await post("/api/folders", { name: "Sales", kind });
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="9"/></svg>';
    const base64Data = Buffer.from(svg).toString("base64");
    await post("/api/assets", { name: "logo.svg", base64Data });
    const connection = await shop.connect(service, owner);
    await post("/api/connections", {
      delivery: "sftp",
      name: "Archive",
      credentials: { host: "127.0.0.1", user: "platen", password: "s3cret" },
    });
    const components = [{ type: "text", text: "IBAN" }];
    const block = { name: "bank-details", components };
    expect((await owner.post("/api/partials", block)).status).to.equal(201);
    const validUntil = new Date(Date.now() + 24 * 60 * 60_000);
    const pkcs12 = await toPkcs12(
      issueCertificate({ key: "P-256", validUntil }),
    );
    const file = { pkcs12: pkcs12.toString("base64"), password: "secret" };
    const put = await owner.put("/api/signing-certificate", file);
    expect(put.status, await put.text()).to.equal(200);
    const { organizationId } = owner;
    await service.container
      .resolve(Numbers)
      .reserve(
        { organizationId, documentId: "doc_printed", lockToken: null },
        [{ name: "invoices", pattern: "R{0}", period: "", dated: "R{0}" }],
        Date.now() + 60_000,
      );
    const items = [{ data: { name: "Ada" } }, { data: { prototype: 1 } }];
    const order = { templateId, formats: ["html"], items };
    const { batchId } = await sendBatch(owner, order);
    await batchWhen(owner, batchId);
    const clientId = await registerClient(service);
    const consent = authorizationQuery(clientId, newVerifier());
    expect(consent).to.include(encodeURIComponent(callback));
    return { templateId, connection, batchId, consent };
  }

  // German has the longest words.
  const openWindow = useBrowser();
  const options = { width: 1280, locale: "de" };
  const user = usePage(service, "owner", options, openWindow);
  let ids: Awaited<ReturnType<typeof fill>>;
  let page: Page;
  before(async () => {
    ({ page } = user());
    ids = await fill(user());
  });

  /** Replaces the names in a path by the ids of what was made. */
  const locate = (path: string) =>
    path.startsWith("start/")
      ? shop.wizardPath(path.slice("start/".length), {
          connection: ids.connection,
          template: ids.templateId,
        })
      : path
          .replace(":template", ids.templateId)
          .replace(":batch", ids.batchId)
          .replace(":consent", ids.consent);

  for (const { name, path, there, steps } of pages)
    it(`have no accessibility violations: ${name}`, async () => {
      await user().open(locate(path));
      await page.waitForSelector(there);
      await page.waitForSelector("h1, h2");
      for (const step of steps) await page.locator(step).click();
      if (steps.length > 0)
        await page.waitForSelector("dialog[open], :popover-open");
      // The menu of the studio, and the bars of the editor, which only a phone has.
      const isOther = path === "templates" || path.endsWith("/edit");
      await checkLooks(page, name, {
        // Menus and dialogs are made of what the pages show.
        ...(steps.length === 0 && { phone: isOther ? "all" : "colors" }),
      });
      // The browser's own reports of what is not there.
      const { pageErrors } = user();
      const others = pageErrors.filter((one) => !/ 40[04] /.test(one));
      pageErrors.splice(0, Infinity, ...others);
    });

  it("do not scroll sideways on a phone in English either", async () => {
    const english = await openWindow({ width: 1280 });
    // As narrow as a phone, which would zoom out of what is too wide.
    await english.setViewport({ width: 390, height: 844 });
    await setSession(service, english, user());
    const excesses: string[] = [];
    for (const { name, path, there, steps } of pages) {
      if (steps.length > 0) continue;
      if (path === pages[0]?.path || path.startsWith("sign-in"))
        await english.goto(`${service.url}/studio/${locate(path)}`);
      else await showInApp(english, locate(path));
      await english.waitForSelector(there);
      const excess = await measureExcess(english);
      if (excess > 0) excesses.push(`${name}: ${excess}`);
    }
    expect(excesses).to.deep.equal([]);
  });
});
