import { expect } from "chai";
import { beforeEach, describe, it } from "mocha";
import { Template } from "../../core/storage/database/index.js";
import { readError, newCaller, type TestCaller } from "../support/caller.js";
import { exported, useService } from "../support/service.js";
import { definition, publish } from "../support/store.js";

describe("the template of an export request", () => {
  const service = useService();
  let caller: TestCaller;
  let templateId: string;
  const rejection = async (body: object, by = caller) => {
    const response = await by.post("/api/export", {
      templateId,
      formats: ["html"],
      ...body,
    });
    return `${response.status} ${await readError(response)}`;
  };
  const set = (columns: object) =>
    service.store.unitOfWork.run((tx) =>
      tx.update(Template, { id: templateId }, columns),
    );

  const html = async (choice: object) => {
    const body = {
      templateId,
      formats: ["html"],
      data: { name: "Ada" },
      ...choice,
    };
    return (await exported(caller, body)).result.html?.htmlDocument;
  };

  beforeEach(async () => {
    caller = await newCaller(service);
    templateId = await publish(service.store, caller);
  });

  it("is the live definition or the version with a number", async () => {
    const components = [{ type: "text", text: "Changed" }];
    await set({
      definition: { ...definition, components },
      definitionHash: "changed",
    });
    expect(await html({})).to.contain("Changed");
    expect(await html({ templateVersion: 1 })).to.contain("Hello Ada");
  });

  it("must exist", async () => {
    expect(await rejection({ templateVersion: 2 })).to.match(
      /^404 .*version 2/,
    );
    expect(await rejection({ templateId: "none" })).to.match(
      /^404 .*no such template/,
    );
    const missingId = "01a1fe23-1721-7614-9a56-8080331f0d9e";
    expect(await rejection({ templateId: missingId })).to.match(/^404 /);
  });

  it("must belong to the organization", async () => {
    const stranger = await newCaller(service);
    expect(await rejection({}, stranger)).to.match(/^404 .*no such template/);
  });

  it("must be active", async () => {
    await caller.patch(`/api/templates/${templateId}`, { isActive: false });
    expect(await rejection({})).to.match(/^400 .*not active/);
    expect(await rejection({ templateVersion: 1 })).to.match(
      /^400 .*not active/,
    );
  });

  it("must not be in the trash", async () => {
    await set({ trashedAt: new Date(), trashedById: caller.userId });
    expect(await rejection({})).to.match(/^400 .*in the trash/);
  });
});
