import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { FakeAirtable } from "../../support/fakes/fake-airtable.js";
import { airtableHost } from "./airtable-setup.js";

describe("checking a connection to Airtable", () => {
  let fake: FakeAirtable;
  before(async () => {
    fake = await FakeAirtable.start();
  });
  after(() => fake.close());

  const check = async (scopes?: readonly string[]) => {
    const token = fake.addToken(`pat.${String(scopes)}`, scopes);
    return airtableHost({ token, endpointUrl: fake.url })
      .check()
      .catch((error: unknown) => error);
  };

  it("reports a token that has access to no base", async () => {
    expect(await check())
      .property("message")
      .to.contain("has access to no base");
  });

  it("names the missing scope", async () => {
    fake.addBase("Sales");
    const rejected = await check(["data.records:read"]);
    expect(rejected).property("message").to.contain("schema.bases:read");
  });

  it("reads a record, because Airtable does not reveal a token's scopes", async () => {
    const base = fake.addBase("Shop");
    fake.addTable(base, "Orders", { Name: "singleLineText" });
    fake.bases.reverse();
    const rejected = await check(["schema.bases:read", "data.records:write"]);
    expect(rejected).to.include({ code: "forbidden" });
    expect(rejected).property("message").to.contain("data.records:read");
  });

  it("warns about a token that may not write", async () => {
    const base = fake.addBase("Write");
    fake.addTable(base, "Orders", { Name: "singleLineText" });
    fake.bases.reverse();
    const read = ["schema.bases:read", "data.records:read"];
    expect(await check(read))
      .property("warnings")
      .to.satisfy((warnings: string[]) =>
        warnings.join().includes("lacks the scope data.records:write"),
      );
    expect(await check([...read, "data.records:write"]))
      .property("warnings")
      .to.deep.equal([]);
  });

  it("returns the token's user", async () => {
    fake.addBase("Sales");
    expect(await check()).to.deep.equal({
      account: "usr00000000000001",
      warnings: [],
    });
  });
});
