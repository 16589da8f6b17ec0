import { expect } from "chai";
import { before, describe, it } from "mocha";
import { NUMBERS } from "../../core/documents/tokens.js";
import { issueCertificate, toPkcs12 } from "../support/certificates.js";
import {
  runAxe,
  type StudioUser,
  useStudio,
  signInAs,
} from "../support/studio.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import { shopOutbound, useShop } from "../support/wizard-shop.js";

const looks = {
  "in the light": { width: 1280 },
  "in the dark, on a phone, in German": {
    width: 390,
    isDark: true,
    locale: "de",
  },
};

describe("the studio's pages", () => {
  const service = useService({ config: { outbound: shopOutbound } });
  const shop = useShop();
  const signIn = useStudio(service);

  for (const [look, visitor] of Object.entries(looks))
    describe(look, () => {
      let user: StudioUser;
      let templateId: string;
      let connection: string;
      const start = (step: string) =>
        shop.wizardPath(step, { connection, template: templateId });
      before(async () => {
        user = await signIn("owner", visitor);
        templateId = await publish(service.store, user);
        const owner = await signInAs(service, user);
        for (const kind of ["template", "asset"]) {
          const folder = { name: "Sales", kind };
          await owner.send("POST", "/api/folders", folder);
        }
        const svg =
          '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="9"/></svg>';
        const base64Data = Buffer.from(svg).toString("base64");
        const logo = { name: "logo.svg", base64Data };
        const stored = await owner.send("POST", "/api/assets", logo);
        expect(stored.status, await stored.text()).to.equal(201);
        connection = await shop.connect(service, user);
        const block = {
          name: "bank-details",
          components: [{ type: "text", text: "IBAN" }],
        };
        const saved = await owner.send("POST", "/api/partials", block);
        expect(saved.status, await saved.text()).to.equal(201);
        const validUntil = new Date(Date.now() + 24 * 60 * 60_000);
        const pkcs12 = await toPkcs12(issueCertificate({ validUntil }));
        const file = { pkcs12: pkcs12.toString("base64"), password: "secret" };
        const put = await owner.send("PUT", "/api/signing-certificate", file);
        expect(put.status, await put.text()).to.equal(200);
        const sequence = { name: "invoices", pattern: "R{0}", period: "" };
        await service.container.resolve(NUMBERS).reserve(
          {
            organizationId: user.organizationId,
            documentId: "doc_printed",
            lockToken: null,
          },
          [{ ...sequence, dated: "R{0}" }],
          Date.now() + 60_000,
        );
      });
      const pages: [name: string, path: () => string, there: string][] = [
        ["templates", () => "templates", ".template"],
        ["a new template", () => "templates/new", ".new-template img"],
        ["the trash", () => "templates?show=trash", ".empty"],
        ["a template", () => `templates/${templateId}`, "form"],
        ["versions", () => `templates/${templateId}?tab=versions`, ".line"],
        ["details", () => `templates/${templateId}?tab=details`, "dl"],
        ["assets", () => "assets", ".asset"],
        [
          "the editor",
          () => `templates/${templateId}/edit`,
          ".sheet [data-id]",
        ],
        ["the signing certificate", () => "certificate", ".facts"],
        ["the brand", () => "brand", ".brand-sample img"],
        ["blocks", () => "blocks", ".block-line"],
        [
          "the editor of a block",
          () => "blocks/bank-details/edit",
          ".sheet [data-id]",
        ],
        ["automations", () => "automations", ".empty"],
        [
          "documents from a file",
          () => `templates/${templateId}/file`,
          ".file-drop",
        ],
        [
          "a template that is not there",
          () => "templates/none/edit",
          ".notice",
        ],
        ["documents", () => "documents", ".empty"],
        ["batches", () => "batches", ".empty"],
        ["a batch that is not there", () => "batches/none", ".notice"],
        ["connections", () => "connections", ".line"],
        ["connecting a spreadsheet", () => start("connect"), ".pick"],
        ["its tables", () => start("table"), ".table-pick"],
        ["a template for it", () => start("template"), ".from-table"],
        ["its fields", () => start("fields"), ".mapped.open"],
        ["where its files go", () => start("file"), ".radio-line"],
        ["its button", () => start("button"), "#button-name"],
        ["one of its records", () => start("try"), ".pick"],
        ["webhooks", () => "webhooks", ".empty"],
        ["an endpoint that is not there", () => "webhooks/none", ".notice"],
        ["usage", () => "usage", ".empty"],
        ["numbers", () => "numbers", ".open-numbers"],
        ["more", () => "more", ".line"],
        ["keys", () => "keys", ".empty"],
        ["people", () => "people", ".line"],
        ["the audit log", () => "audit", ".act"],
        ["plugins", () => "plugins", ".plugin"],
        ["the account", () => "account", ".line"],
        ["nothing", () => "nowhere/at-all", ".empty"],
        ["signing in", () => "sign-in?problem=gone&way=link", ".command"],
      ];
      for (const [name, path, there] of pages)
        it(`have no accessibility violations: ${name}`, async () => {
          const { page } = user;
          await page.goto(`${service.url}/studio/${path()}`);
          await page.waitForSelector(there);
          await page.waitForSelector("h1");
          expect(await runAxe(page)).to.deep.equal([]);
          const excess = await page.evaluate(
            "document.documentElement.scrollWidth - innerWidth",
          );
          expect(excess, "scrolls sideways").to.be.at.most(0);
        });
    });
});
