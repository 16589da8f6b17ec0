import { expect } from "chai";
import { before, describe, it } from "mocha";
import { definition, publish } from "../../support/store.js";
import { useTools } from "../../support/tool-client.js";

describe("validate_data", () => {
  const { answer, rejection, service, caller } = useTools();
  let templateId: string;
  before(async () => {
    const fields = [{ name: "v", type: "Number", required: true }];
    templateId = await publish(service.store, caller(), {
      definition: { ...definition, schema: [{ id: "root", fields }] },
    });
  });

  it("accepts valid data", async () => {
    expect(
      await answer("validate_data", { templateId, data: { v: 1 } }),
    ).to.deep.equal({ valid: true, problems: [] });
  });

  it("returns all problems of all items, each with its path", async () => {
    const items = [{ data: { v: "12,50" } }, { data: { v: 1 } }, {}];
    const { valid, problems } = await answer("validate_data", {
      templateId,
      items,
    });
    expect(valid).to.equal(false);
    expect(JSON.stringify(problems))
      .to.include('"$.items[0].data.v"')
      .and.include('"$.items[2].data.v"')
      .and.include("expected");
  });

  it("reports unknown fields on request", async () => {
    const args = { templateId, data: { v: 1, w: 2 }, unknownFields: "error" };
    expect(await answer("validate_data", args)).to.include({ valid: false });
  });

  it("lists the first problems of many and counts the others", async () => {
    const items = Array.from({ length: 80 }, () => ({ data: { v: "x" } }));
    const { problems, furtherProblems } = await answer("validate_data", {
      templateId,
      items,
    });
    expect(problems).to.have.lengthOf(50);
    expect(furtherProblems).to.equal(30);
  });

  it("reads data that a client sends as a string of JSON, and null as left out", async () => {
    const data = JSON.stringify({ v: "x" });
    const one = await answer("validate_data", { templateId, data });
    expect(JSON.stringify(one["problems"])).to.include('"$.data.v"');
    const items = [{ data: { v: 1 } }];
    const several = { templateId, data: null, items };
    expect(await answer("validate_data", several)).to.include({ valid: true });
    const list = await rejection("validate_data", { templateId, data: [1] });
    expect(list.problems[0]?.path).to.equal("data");
  });

  it("refuses a call without exactly one of data and items", async () => {
    const { error } = await rejection("validate_data", { templateId });
    expect(error).to.include("Invalid request");
  });
});

describe("render_document of invalid data", () => {
  const { answer, rejection, service, caller } = useTools();
  let args: object;
  before(async () => {
    const fields = [{ name: "name", type: "Number" }];
    const templateId = await publish(service.store, caller(), {
      definition: { ...definition, schema: [{ id: "root", fields }] },
    });
    args = { templateId, formats: ["html"], preview: "none" };
  });

  it("lists it in the report", async () => {
    const { report } = await answer("render_document", {
      ...args,
      data: { name: "Ada" },
    });
    expect(JSON.stringify(report)).to.include('"$.data.name"');
  });

  it("refuses it with strict, and undeclared fields with unknownFields: error", async () => {
    const strict = { ...args, data: { name: "Ada" }, strict: true };
    expect(
      JSON.stringify(await rejection("render_document", strict)),
    ).to.include("data.name");
    const data = { name: 1, age: 36 };
    const unknown = { ...args, data, unknownFields: "error" };
    expect(
      JSON.stringify(await rejection("render_document", unknown)),
    ).to.include("data.age");
  });
});
