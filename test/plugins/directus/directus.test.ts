import { expect } from "chai";
import * as z from "zod";
import { operator } from "../../../core/accounts/index.js";
import {
  createFile,
  type SuiteHost,
} from "../../../plugins/contract-suite/platform-session.js";
import type { ServerCredentials } from "../../../plugins/lib/rest-server.js";
import { ConnectionService } from "../../../core/integrations/connections/index.js";
import { newBatchCaller } from "../../support/batches.js";
import {
  openAndSubmit,
  readLink,
  waitForFinishedPage,
} from "../../support/links.js";
import { listCells } from "../../support/rows.js";
import { useService } from "../../support/service.js";
import { getRefusal } from "../../support/store.js";
import {
  type DirectusShop,
  eachDirectus,
  openFake,
  shopFor,
} from "./directus-server.js";

const modelRights = {
  directus_collections: ["read"],
  directus_fields: ["read"],
  directus_relations: ["read"],
};

async function describeInvoices(
  { invoices }: DirectusShop,
  host: SuiteHost<ServerCredentials>,
) {
  return (await host.describe()).find(({ id }) => id === invoices);
}

const noColumn = (name: string, hint: string) =>
  `The filter names the column "${name}", which the table does not have or which cannot be compared.${hint}`;

async function createCell(shop: DirectusShop, fieldId: string) {
  const [recordId = ""] = await shop.addInvoices([{}]);
  return { scope: { tableId: shop.invoices }, recordId, fieldId };
}

eachDirectus((open) => {
  const getShop = shopFor(open);
  describe("the data model of Directus", () => {
    it("has fields for one file and for several, links in each direction, and no notices", async () => {
      const shop = await getShop();
      const table = await describeInvoices(shop, shop.host);
      const { tags, lines, invoices } = shop;
      expect(table?.primaryFieldId).to.equal("invoice_no");
      expect(
        table?.fields.map(({ id, kind }) => `${id} ${kind}`),
      ).to.deep.equal(
        listCells(`
        id number | invoice_no text | status select | total number | count number | due date | at date
        is_paid boolean | data json | scan attachment | photo attachment | previous link | lines link | tags link
        papers attachment
      `),
      );
      const files = table?.fields.filter(({ writable }) => writable);
      expect(
        files?.map(({ native, maxFiles }) => [native, maxFiles]),
      ).to.deep.equal([
        ["File", 1],
        ["Image", 1],
        ["Files", undefined],
      ]);
      expect(table?.fields.flatMap(({ link = [] }) => link)).to.deep.equal([
        { tableId: invoices, many: false },
        { tableId: lines, many: true },
        { tableId: tags, many: true },
      ]);
    });

    it("lists no bookmarks for a token without access to the app", async () => {
      const shop = await getShop();
      const { invoices } = shop;
      await shop.server.makeBookmark({ bookmark: "All", collection: invoices });
      const rights = { ...modelRights, [invoices]: ["read"] };
      const host = await shop.hostWith(rights);
      expect((await describeInvoices(shop, host))?.views).to.deep.equal([]);
      const app = await shop.hostWith(rights, { app_access: true });
      expect(
        (await describeInvoices(shop, app))?.views?.map(({ name }) => name),
      ).to.deep.equal(["All"]);
    });
  });

  describe("the connection test of Directus", () => {
    it("warns of missing rights to upload files and to update items", async () => {
      const shop = await getShop();
      const { invoices } = shop;
      const reader = await shop.hostWith({
        ...modelRights,
        [invoices]: ["read"],
      });
      const { warnings = [] } = await reader.check();
      expect(warnings.join("\n")).to.contain("Files cannot be uploaded");
      expect(warnings.join("\n")).to.contain("allow to update items");
      const none = await shop.hostWith(modelRights);
      expect((await none.check()).warnings?.join()).to.contain(
        "can read no collection",
      );
      expect((await shop.host.check()).warnings).to.deep.equal([]);
    });

    it("names the right that is missing to read the data model", async () => {
      const shop = await getShop();
      const host = await shop.hostWith({ [shop.invoices]: ["read"] });
      expect(await getRefusal(host.check())).to.equal(
        'forbidden The token cannot read the data model. Give a policy of its user "App Access", or read access to directus_collections, directus_fields and directus_relations.',
      );
    });

    it("lets a token that may read, update, and create files write them", async () => {
      const shop = await getShop();
      const { invoices, papers } = shop;
      const host = await shop.hostWith({
        ...modelRights,
        directus_files: ["create", "read"],
        [invoices]: ["read", "update"],
        [papers]: ["create", "read", "update"],
      });
      expect((await host.check()).warnings).to.deep.equal([]);
      const cell = await createCell(shop, "papers");
      await host.write(cell, [createFile("a.txt")], "append");
      expect(await host.read(cell)).to.have.length(1);
      const missing = { ...cell, recordId: "987654" };
      expect(
        await getRefusal(host.write(missing, [createFile("b.txt")], "append")),
      ).to.equal(`not_found The collection "${invoices}" has no item 987654.`);
    });

    it("describes fields as read-only where a right to write files is missing", async () => {
      const shop = await getShop();
      const { invoices, papers } = shop;
      const host = await shop.hostWith({
        ...modelRights,
        directus_files: ["create", "read"],
        [invoices]: ["read", "update"],
        [papers]: ["read"],
      });
      const table = await describeInvoices(shop, host);
      const writable = table?.fields.filter((field) => field.writable);
      expect(writable?.map(({ id }) => id)).to.deep.equal(["scan", "photo"]);
    });
  });

  describe("items of Directus", () => {
    it("have values by their types, and links of each kind", async () => {
      const shop = await getShop();
      const { server, invoices, tags } = shop;
      const tagIds = await server.addItems(tags, [
        { name: "a" },
        { name: "b" },
      ]);
      const [first = ""] = await shop.addInvoices([{}]);
      const [second = ""] = await shop.addInvoices([
        {
          invoice_no: "R-7",
          status: "paid",
          total: 12.5,
          count: 7,
          due: "2026-11-23",
          at: "2026-11-23T10:00:00Z",
          is_paid: true,
          data: { note: ["x"] },
          previous: Number(first),
          tags: {
            create: tagIds.map((tag) => ({ tag: Number(tag) })),
            update: [],
            delete: [],
          },
        },
      ]);
      const { rows } = await shop.host.fetchRows({ tableId: invoices }, [
        second,
      ]);
      expect(rows).to.deep.equal([
        {
          id: second,
          fields: {
            id: Number(second),
            invoice_no: "R-7",
            status: "paid",
            total: 12.5,
            count: 7,
            due: "2026-11-23",
            at: "2026-11-23T10:00:00.000Z",
            is_paid: true,
            data: { note: ["x"] },
            scan: [],
            photo: [],
            papers: [],
          },
          links: { previous: [first], lines: [], tags: tagIds },
        },
      ]);
    });

    it("are found by a text with a variable of Directus as a text", async () => {
      const shop = await getShop();
      const scope = { tableId: shop.invoices };
      const [id] = await shop.addInvoices([{ invoice_no: "costs $NOW" }]);
      const search = { limit: 5, fieldId: "invoice_no" };
      const found = await shop.host.findRows(scope, {
        ...search,
        text: "$now",
      });
      expect(found).to.deep.equal([id]);
    });
  });

  const listMatching = async (filter: unknown) => {
    const { host, invoices } = await getShop();
    return host.listRows({ tableId: invoices }, { filter });
  };

  describe("selected items of Directus", () => {
    it("match conditions by field, or a filter of Directus", async () => {
      const shop = await getShop();
      const rows = [
        { invoice_no: "S-1", total: 10, is_paid: true, status: "x" },
        { invoice_no: "S-2", total: 20, is_paid: false, status: "" },
        { invoice_no: "S-3", total: 30, status: null },
      ];
      const [one, two, three] = await shop.addInvoices(rows);
      const named = { invoice_no: ["S-1", "S-2", "S-3"] };
      const cases: [unknown, unknown[]][] = [
        [named, [one, two, three]],
        [{ ...named, total: { min: 20, max: 20 } }, [two]],
        [{ ...named, is_paid: true }, [one]],
        [{ ...named, status: null }, [two, three]],
        [{ ...named, status: { not: null } }, [one]],
        [{ ...named, status: { not: "x" } }, [two, three]],
        [
          {
            _and: [
              { invoice_no: { _in: named.invoice_no } },
              { _or: [{ total: { _gt: 20 } }, { is_paid: { _eq: true } }] },
            ],
          },
          [one, three],
        ],
      ];
      for (const [filter, expected] of cases)
        expect(
          await listMatching(filter),
          JSON.stringify(filter),
        ).to.deep.equal(expected);
    });

    it("are refused for unknown fields and operators", async () => {
      for (const [filter, message] of [
        [
          { invoice_noo: "S-1" },
          noColumn("invoice_noo", ' Did you mean "invoice_no"?'),
        ],
        [
          { _or: [{ totl: { _gt: 1 } }] },
          noColumn("totl", ' Did you mean "total"?'),
        ],
        [{ total: { _near: 1 } }, "_near"],
        [{ lines: { _some: { nope: { _eq: 1 } } } }, "nope"],
        [{ papers: "x" }, noColumn("papers", "")],
      ] as const)
        expect(await getRefusal(listMatching(filter)))
          .to.match(/^invalid_field /)
          .and.contain(message);
    });

    it("are those that the app shows, without archived ones", async () => {
      const shop = await getShop();
      const { invoices, host } = shop;
      const scope = { tableId: invoices };
      const [shown = "", archived = ""] = await shop.addInvoices([
        { invoice_no: "A-1" },
        { invoice_no: "A-2", status: "archived" },
      ]);
      const viewId = await shop.server.makeBookmark({
        bookmark: "A",
        collection: invoices,
        filter: { invoice_no: { _icontains: "a-" } },
      });
      expect(await host.listRows(scope, { viewId })).to.deep.equal([shown]);
      const empty = await host.listRows(scope, { emptyFieldId: "scan" });
      expect(empty).to.include(shown).and.not.include(archived);
      expect(await listMatching({ invoice_no: "A-2" })).to.deep.equal([
        archived,
      ]);
    });

    it("are not found for a bookmark of another collection", async () => {
      const { server, host, invoices, lines } = await getShop();
      const viewId = await server.makeBookmark({
        bookmark: "Lines",
        collection: lines,
      });
      expect(
        await getRefusal(host.listRows({ tableId: invoices }, { viewId })),
      ).to.equal(
        `not_found The collection "${invoices}" has no bookmark ${viewId}, or no longer has it.`,
      );
    });

    it("are empty in a field whose file was deleted from the library", async () => {
      const shop = await getShop();
      const { host, server } = shop;
      const cell = await createCell(shop, "papers");
      const { scope, fieldId, recordId } = cell;
      const list = () => host.listRows(scope, { emptyFieldId: fieldId });
      const [file] = await host.write(cell, [createFile("a.txt")], "append");
      expect(await list()).to.not.include(recordId);
      const { remoteId = "" } = file ?? {};
      await server.send("files", z.unknown(), [remoteId], "DELETE");
      expect(await list()).to.include(recordId);
      expect(await host.read(cell)).to.deep.equal([]);
    });
  });

  describe("files of Directus", () => {
    it("fill a field for one file once, unless they replace it", async () => {
      const shop = await getShop();
      const { host } = shop;
      const cell = await createCell(shop, "scan");
      const names = async () =>
        (await host.read(cell)).map(({ filename }) => filename);
      await host.write(cell, [createFile("a.txt")], "append");
      expect(await names()).to.deep.equal(["a.txt"]);
      expect(
        await getRefusal(host.write(cell, [createFile("b.txt")], "append")),
      ).to.equal(
        'unsupported The field "scan" can hold only one file. It already has one: overwrite it, or use a field of the type Files.',
      );
      const two = [createFile("b.txt"), createFile("c.txt")];
      expect(await getRefusal(host.write(cell, two, "replace"))).to.equal(
        'unsupported The field "scan" can hold only one file. Use a field of the type Files.',
      );
      expect(await names()).to.deep.equal(["a.txt"]);
      await host.write(cell, [createFile("d.txt")], "replace");
      expect(await names()).to.deep.equal(["d.txt"]);
    });

    it("are those of each record when many fields for one file are written", async () => {
      const shop = await getShop();
      const cells = [
        await createCell(shop, "scan"),
        await createCell(shop, "scan"),
      ];
      for (const [at, mode] of (["append", "replace"] as const).entries()) {
        const writes = [[createFile(`a${at}.txt`)], [createFile(`b${at}.txt`)]];
        await shop.host.writeManyWithRetry(cells, writes, mode);
        const found = await Promise.all(
          cells.map((one) => shop.host.read(one)),
        );
        expect(found.flat().map(({ filename }) => filename)).to.deep.equal([
          `a${at}.txt`,
          `b${at}.txt`,
        ]);
      }
    });

    it("are behind those that have a position in the field", async () => {
      const shop = await getShop();
      const cell = await createCell(shop, "papers");
      for (const name of ["c.txt", "b.txt", "a.txt"])
        await shop.host.write(cell, [createFile(name)], "append");
      const files = await shop.host.read(cell);
      expect(files.map(({ filename }) => filename)).to.deep.equal([
        "c.txt",
        "b.txt",
        "a.txt",
      ]);
    });
  });
});

describe("a Directus that limits all lists", () => {
  const getShop = shopFor(openFake);

  it("returns all items and complete links, page by page", async () => {
    const shop = await getShop();
    const { server, host, invoices, lines } = shop;
    const invoiceIds = await shop.addInvoices(
      Array.from({ length: 30 }, () => ({})),
    );
    const [invoice = ""] = invoiceIds;
    const rows = Array.from({ length: 130 }, () => ({ invoice }));
    const lineIds = await server.addItems(lines, rows);
    if (server.fake) server.fake.maxLimit = 20;
    const found = await host.fetchRows({ tableId: invoices }, invoiceIds);
    expect(found.missing).to.deep.equal([]);
    const first = found.rows.find(({ id }) => id === invoice);
    expect(first?.links.lines).to.deep.equal(lineIds);
    const selection = { emptyFieldId: "text" };
    const listed = await host.listRows({ tableId: lines }, selection);
    expect(listed).to.deep.equal(lineIds);
  });
});

const outbound = { allowPrivateNetworks: ["127.0.0.0/8"] };

const fields = [
  { name: "number", source: "invoice_no", type: "String" },
  { name: "total", type: "Number" },
];

const fileName = "Invoice {{ root.number }}";

const definition = {
  schema: [{ id: "root", fields }],
  components: [{ type: "text", text: `${fileName}: {{ root.total }}` }],
  fileName,
};

describe("a link for Directus", () => {
  eachDirectus((open) => {
    const service = useService({ config: { outbound } });
    const getShop = shopFor(open);

    it("saves a PDF in the file field of each record", async () => {
      const shop = await getShop();
      const ids = await shop.addInvoices([
        { invoice_no: "R-117", total: 12.5 },
        { invoice_no: "R-118", total: 8 },
      ]);
      const caller = await newBatchCaller(service);
      const credentials = { ...shop.credentials };
      const input = { platform: "directus", name: "Shop", credentials };
      const connections = service.container.resolve(ConnectionService);
      await connections.create(caller, input, operator);
      const templateId = await caller.publish({ definition });
      const link = await readLink(
        await caller.post("/api/links", {
          templateId,
          platform: "directus",
          tableId: shop.invoices,
          attachmentField: "papers",
        }),
        201,
      );
      await waitForFinishedPage(await openAndSubmit(link.url, ids.join()));
      for (const [at, recordId] of ids.entries()) {
        const [file, ...others] = await shop.host.read({
          scope: { tableId: shop.invoices },
          recordId,
          fieldId: "papers",
        });
        expect(others).to.deep.equal([]);
        expect(file?.filename).to.equal(`Invoice R-11${7 + at}.pdf`);
        const bytes = Buffer.from(await shop.bytesOf(file ?? {}));
        expect(bytes.subarray(0, 5).toString()).to.equal("%PDF-");
      }
    });
  });
});
