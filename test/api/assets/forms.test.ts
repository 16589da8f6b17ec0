import { once } from "node:events";
import { request } from "node:http";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { readError, newCaller, type TestCaller } from "../../support/caller.js";
import { plain } from "../../support/image-gallery.js";
import { libraryReplies } from "../../support/assets.js";
import { useService } from "../../support/service.js";

const png = await plain("teal").png().toBuffer();

function formWith(fields: Record<string, string>, ...files: Buffer[]) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const file of files)
    form.append("file", new Blob([file], { type: "text/plain" }), "Löwe.png");
  return form;
}

describe("a multipart form with a file", () => {
  const service = useService();
  let caller: TestCaller;
  before(async () => {
    caller = await newCaller(service);
  });

  const headers = () => ({ "x-api-key": caller.key });
  const send = (body: FormData | string, more = {}) =>
    fetch(`${service.url}/api/assets`, {
      method: "POST",
      headers: { ...headers(), ...more },
      body,
    });

  it("creates an asset with the file's name or another one", async () => {
    const plainly = await send(formWith({}, png));
    const asset = await libraryReplies.asset(plainly, 201);
    expect(asset).to.include({ name: "Löwe.png", mimeType: "image/png" });
    const fields = { name: "logo", assetType: "image" };
    const named = await send(formWith(fields, png));
    expect((await libraryReplies.asset(named, 201)).name).to.equal("logo");
  });

  for (const [description, form, message] of [
    ["a missing file", () => formWith({ name: "a" }), "has no file"],
    [
      "an unsupported file",
      () => formWith({}, Buffer.from("x")),
      "Unsupported file format",
    ],
    [
      "a large unsupported file",
      () => formWith({}, Buffer.alloc(5_000_000)),
      "Unsupported file format",
    ],
    ["an unknown field", () => formWith({ folder: "a" }, png), "folder"],
    ["an unknown folder", () => formWith({ folderId: "a" }, png), "$.folderId"],
  ] as const)
    it(`is rejected with ${description}`, async () => {
      const answer = await send(form());
      expect(answer.status).to.equal(400);
      expect(await readError(answer)).to.contain(message);
    });

  it("is rejected when it is malformed", async () => {
    const end =
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a"';
    for (const [type, body] of [
      ["multipart/form-data", "--x--"],
      [
        "multipart/form-data; boundary=x",
        `${end}\r\n\r\n${png.toString("latin1")}`,
      ],
      ["multipart/form-data; boundary=x", end],
      ["multipart/form-data; boundary=x", "nothing"],
    ] as const) {
      const answer = await send(body, { "content-type": type });
      expect(answer.status, body).to.equal(400);
      expect(await readError(answer)).to.contain("form");
    }
  });

  it("leaves nothing behind when the connection breaks", async () => {
    const type = "multipart/form-data; boundary=x";
    const sending = request(`${service.url}/api/assets`, {
      method: "POST",
      headers: { ...headers(), "content-type": type },
    });
    const closed = new Promise((resolve) => sending.on("close", resolve));
    sending.on("error", () => undefined);
    sending.write(
      '--x\r\ncontent-disposition: form-data; name="file"; filename="cut"\r\n\r\n',
    );
    sending.write(png);
    await once(sending, "socket");
    sending.destroy();
    await closed;
    const found = await caller.get("/api/assets?q=cut");
    expect((await libraryReplies.assets(found)).data).to.deep.equal([]);
  });
});
