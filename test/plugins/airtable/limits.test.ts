import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { FakeAirtable } from "../../support/fakes/fake-airtable.js";
import { airtableHost } from "./airtable-setup.js";

describe("the rate limits of the fake Airtable", () => {
  let fake: FakeAirtable;
  let baseId: string;
  let tableId: string;
  before(async () => {
    fake = await FakeAirtable.start();
    const base = fake.addBase("Sales");
    baseId = base.id;
    tableId = fake.addTable(base, "Orders", { Name: "singleLineText" }).id;
  });
  after(() => fake.close());

  it("are not exceeded by the plugin", async () => {
    const token = fake.addToken("pat.secret");
    const host = airtableHost({ token, endpointUrl: fake.url });
    const id = "recZZZZZZZZZZZZZZ";
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: 12 }, () =>
        host.fetchRows({ baseId, tableId }, [id]),
      ),
    );
    expect(fake.limit.rejected).to.equal(0);
    // Five in a second: eleven gaps of 200 ms.
    expect(performance.now() - startedAt).to.be.at.least(2190);
  });

  it("reject faster requests and stay in effect", async () => {
    const headers = { authorization: "Bearer pat.secret" };
    const url = `${fake.url}/v0/${baseId}/${tableId}/recZZZZZZZZZZZZZZ`;
    const statuses = await Promise.all(
      Array.from(
        { length: 8 },
        async () => (await fetch(url, { headers })).status,
      ),
    );
    expect(statuses).to.include(429);
    const { status } = await fetch(url, { headers });
    expect(status).to.equal(429);
  });
});
