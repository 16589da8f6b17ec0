import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { plain } from "../../support/image-gallery.js";
import { createAsset, base64, rejection } from "../../support/assets.js";
import { useService } from "../../support/service.js";

const png = base64(await plain("teal").png().toBuffer());

describe("the source of an asset", () => {
  const service = useService();
  let caller: TestCaller;
  before(async () => {
    caller = await newCaller(service);
  });

  for (const [form, base64Data] of [
    ["base64", png],
    ["base64 with line breaks", png.replace(/.{20}/g, "$&\r\n")],
    ["base64url", Buffer.from(png, "base64").toString("base64url")],
    ["a data URL", `data:image/jpeg;base64,${png}`],
  ] as const)
    it(`can be ${form}`, async () => {
      const asset = await createAsset(caller, { name: form, base64Data });
      expect(asset).to.include({ mimeType: "image/png", width: 4 });
    });

  for (const [description, upload, message] of [
    ["missing", {}, "exactly one source"],
    [
      "given twice",
      { base64Data: png, fileUrl: "https://example.com/a" },
      "$.fileUrl: is given too",
    ],
    ["invalid base64", { base64Data: "*&^%" }, "is not base64"],
    ["a data URL of text", { base64Data: "data:,x" }, "without base64"],
    ["empty base64", { base64Data: "" }, "is empty"],
    ["not a URL", { fileUrl: "logo.png" }, "https://"],
    ["a file: URL", { fileUrl: "file:///etc/passwd" }, "https://"],
    ["a plain http URL", { fileUrl: "http://example.com/a.png" }, "https"],
    ["a loopback URL", { fileUrl: "https://127.0.0.1/a" }, "not on the public"],
    [
      "a cloud metadata server",
      { fileUrl: "http://169.254.169.254/latest" },
      "not on the public",
    ],
    ["under an unknown property", { base64Data: png, nmae: "x" }, "name"],
  ] as const)
    it(`is rejected when it is ${description}`, async () => {
      const { status, error } = await rejection(caller, {
        name: "a",
        ...upload,
      });
      expect(status).to.equal(400);
      expect(error).to.contain(message);
    });

  it("is never a path on the server; the error offers an upload link instead", async () => {
    const upload = { name: "passwd", filePath: "/etc/pass'wd" };
    const { status, error } = await rejection(caller, upload);
    expect(status).to.equal(400);
    expect(error).not.to.contain("root:");
    const [, link = ""] =
      /curl --upload-file '\/etc\/pass'\\''wd' '(http[^']+)' #/.exec(error) ??
      [];
    const body = Buffer.from(png, "base64");
    const sent = await fetch(link, { method: "PUT", body });
    expect(sent.status).to.equal(201);
    expect(await sent.json()).to.include({ name: "passwd", width: 4 });
  });
});
