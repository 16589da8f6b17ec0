import { expect } from "chai";
import { describe, it } from "mocha";
import { airtablePlugin } from "../../../plugins/airtable/plugin.js";
import { airtableHost } from "./airtable-setup.js";
import { useNock } from "../../support/use-nock.js";

const endpointUrl = "https://airtable.invalid";
const scope = { baseId: "appAAAAAAAAAAAAAA", tableId: "Orders" };
const ids = ["recAAAAAAAAAAAAAA", "recBBBBBBBBBBBBBB"];

describe("pages of Airtable results", () => {
  const using = useNock();

  it("of records are read to the end, even when Airtable shortens them", async () => {
    const path = "/v0/appAAAAAAAAAAAAAA/Orders/listRecords?";
    const [first, second] = ids.map((id) => ({ id, fields: {} }));
    using
      .nock(endpointUrl)
      .post(path, (body: { offset?: string }) => body.offset === undefined)
      .reply(200, { records: [first], offset: "itr1" })
      .post(path, (body: { offset?: string }) => body.offset === "itr1")
      .reply(200, { records: [second] });
    const host = airtableHost({ token: "pat.secret", endpointUrl });
    const { rows, missing } = await host.fetchRows(scope, ids);
    expect(rows.map(({ id }) => id)).to.deep.equal(ids);
    expect(missing).to.deep.equal([]);
  });

  it("of bases are read to the end", async () => {
    const path = "/v0/meta/bases";
    using
      .nock(endpointUrl)
      .get(path)
      .query((query) => query["offset"] === undefined)
      .reply(200, { bases: [{ id: "app1", name: "One" }], offset: "2" })
      .get(path)
      .query({ offset: "2" })
      .reply(200, { bases: [{ id: "app2", name: "Two" }] });
    const host = airtableHost({ token: "pat.secret", endpointUrl });
    const bases = await host.call(async (context) =>
      airtablePlugin.listBases?.(context),
    );
    expect(bases?.map(({ name }) => name)).to.deep.equal(["One", "Two"]);
  });
});
