import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  readError,
  newCaller,
  type TestCaller,
  replies,
} from "../support/caller.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

describe("the versions of a template", () => {
  const service = useService();
  let caller: TestCaller;
  let path: string;

  before(async () => {
    caller = await newCaller(service);
    path = `/api/templates/${await publish(service.store, caller)}`;
    await caller.patch(path, { createVersion: true });
  });

  it("are returned as an array, newest first, with exactly these fields", async () => {
    const versions = await replies.versions(
      await caller.get(`${path}/versions`),
    );
    expect(versions.map(({ version }) => version)).to.deep.equal([2, 1]);
    expect(Object.keys(versions[0] ?? {})).to.have.members([
      "id",
      "templateId",
      "description",
      "version",
      "createdAt",
      "createdBy",
    ]);
    expect(versions[0]?.id).to.match(/^ver_[0-9a-f-]{36}$/);
  });

  it("can be read one by one with exactly these fields", async () => {
    const [newest] = await replies.versions(
      await caller.get(`${path}/versions`),
    );
    const version = await replies.version(
      await caller.get(`${path}/${newest?.id}`),
    );
    expect(Object.keys(version)).to.have.members([
      "id",
      "templateId",
      "description",
      "version",
      "definition",
      "createdById",
      "createdAt",
    ]);
    expect(version.definition).to.include.keys("schema", "components");
  });

  it("are not found by another number or under another template", async () => {
    const [newest] = await replies.versions(
      await caller.get(`${path}/versions`),
    );
    const other = `/api/templates/${await publish(service.store, caller)}`;
    for (const wrong of [
      `${path}/ver_nothing`,
      `${path}/nothing`,
      `${other}/${newest?.id}`,
    ]) {
      const response = await caller.get(wrong);
      expect(response.status, wrong).to.equal(404);
      expect(await readError(response)).to.contain("no such version");
    }
  });
});
