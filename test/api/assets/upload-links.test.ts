import { expect } from "chai";
import { before, describe, it } from "mocha";
import { UploadLink } from "../../../core/storage/database/index.js";
import { readError, newCaller, type TestCaller } from "../../support/caller.js";
import { plain } from "../../support/image-gallery.js";
import { libraryReplies } from "../../support/assets.js";
import { useService } from "../../support/service.js";

const png = await plain("teal").png().toBuffer();

function send(url: string, body = png, method: "PUT" | "POST" = "PUT") {
  return fetch(url, { method, body });
}

describe("an upload link", () => {
  const service = useService();
  let caller: TestCaller;
  before(async () => {
    caller = await newCaller(service);
  });

  const newLink = async (options: Record<string, unknown> = {}) => {
    const body = { name: "logo.png", ...options };
    const response = await caller.post("/api/assets/upload-link", body);
    return libraryReplies.uploadLink(response, 201);
  };
  const assets = async () => {
    const response = await caller.get("/api/assets?pageSize=1");
    return (await libraryReplies.assets(response)).pagination.total;
  };

  it("accepts a file without a key, for the organization that created it", async () => {
    const { uploadUrl, curl } = await newLink({ name: "by link" });
    expect(curl).to.contain(uploadUrl);
    const answer = await send(uploadUrl, png, "POST");
    expect(answer.status).to.equal(201);
    expect(await answer.json()).to.include({
      name: "by link",
      organizationId: caller.organizationId,
      createdById: caller.userId,
    });
  });

  it("is valid once, even for concurrent uploads and after a restart", async () => {
    const { uploadUrl } = await newLink({ name: "once" });
    const had = await assets();
    const answers = await Promise.all([1, 2, 3].map(() => send(uploadUrl)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).to.deep.equal([201, 410, 410]);
    expect(await assets()).to.equal(had + 1);
    await service.stop();
    await service.start();
    const secret = uploadUrl.slice(uploadUrl.lastIndexOf("/"));
    const again = await send(`${service.url}/uploads${secret}`);
    expect(again.status).to.equal(410);
    expect(await readError(again)).to.contain("was used");
  });

  it("remains valid when a file is rejected", async () => {
    const { uploadUrl } = await newLink({ assetType: "video" });
    const rejected = await send(uploadUrl);
    expect(rejected.status).to.equal(400);
    expect(await readError(rejected)).to.contain("$.assetType");
    const wrong = await send(uploadUrl, Buffer.from("no file"));
    expect(wrong.status).to.equal(400);
  });

  it("expires after minutes and is deleted after a day", async () => {
    const { uploadUrl, expiresAt } = await newLink();
    const left = Date.parse(expiresAt) - Date.now();
    expect(left).to.be.within(10 * 60_000, 15 * 60_000);
    await service.store.unitOfWork.run(async (tx) => {
      const name = "logo.png";
      await tx.update(UploadLink, { name }, { expiresAt: new Date(0) });
    });
    const late = await send(uploadUrl);
    expect(late.status).to.equal(410);
    expect(await readError(late)).to.contain("expired at 1970");
  });

  it("cannot be guessed or altered", async () => {
    const { uploadUrl } = await newLink();
    for (const url of [`${uploadUrl}x`, uploadUrl.slice(0, -1)])
      expect((await send(url)).status).to.equal(404);
  });
});
