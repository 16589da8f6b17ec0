import { expect } from "chai";
import { describe, it } from "mocha";
import sharp from "sharp";
import { useTools } from "../../support/tool-client.js";

async function png(width: number): Promise<string> {
  const background = { r: 200, g: 30, b: 40 };
  const create = { width, height: 10, channels: 3 as const, background };
  return (await sharp({ create }).png().toBuffer()).toString("base64");
}

describe("tools for assets", () => {
  const { answer, rejection, caller } = useTools();

  it("upload a picture that a definition can show", async () => {
    const base64Data = await png(30);
    const asset = await answer("upload_asset", { name: "Logo", base64Data });
    expect(asset).to.include({ assetType: "image", mimeType: "image/png" });
    const definition = {
      schema: [],
      components: [{ type: "image", src: asset["use"] }],
    };
    const { id } = await answer("create_template", { name: "L", definition });
    const rendered = await answer("render_document", {
      templateId: id,
      formats: ["html"],
      preview: "none",
    });
    expect(rendered).to.include({ warnings: 0 });
  });

  it("list and read the same assets as REST", async () => {
    const { id } = await answer("upload_asset", {
      name: "Second",
      base64Data: await png(40),
    });
    const asset = await answer("get_asset", { assetId: id });
    const rest = await caller().get(`/api/assets/${String(id)}`);
    expect(asset).to.deep.equal(await rest.json());
    const { data } = await answer("list_assets", { assetType: "image" });
    expect(JSON.stringify(data)).to.contain(id);
    const videos = await answer("list_assets", { assetType: "video" });
    expect(videos["data"]).to.deep.equal([]);
  });

  it("move an asset to the trash, where it is listed on request", async () => {
    const { id } = await answer("upload_asset", {
      name: "Third",
      base64Data: await png(50),
    });
    expect(await answer("delete_asset", { assetId: id })).to.include({
      isTrashed: true,
    });
    const listed = async (args: object) =>
      JSON.stringify((await answer("list_assets", { ...args }))["data"]);
    expect(await listed({})).not.to.contain(id);
    expect(await listed({ includeTrashed: true })).to.contain(id);
  });

  it("do not read paths of the server and offer an upload link instead", async () => {
    const { problems } = await rejection("upload_asset", {
      name: "Passwords",
      filePath: "/etc/passwd",
    });
    expect(problems[0]).to.include({ path: "filePath", code: "upload_link" });
    expect(problems[0]?.hint).to.match(/^curl /);
  });

  it("name the invalid argument", async () => {
    const wrong: [string, object][] = [
      ["name", { name: " ", base64Data: await png(20) }],
      ["fileUrl", { name: "a", fileUrl: "https://169.254.169.254/a.png" }],
    ];
    for (const [path, args] of wrong) {
      const { problems } = await rejection("upload_asset", { ...args });
      expect(problems[0]).to.include({ path });
    }
  });

  it("reject files that are not pictures, and uploads without a source or with two", async () => {
    const base64Data = Buffer.from("not a picture").toString("base64");
    for (const source of [
      { base64Data },
      {},
      { base64Data, fileUrl: "https://example.com/a.png" },
      { fileUrl: "http://127.0.0.1/a.png" },
    ]) {
      const { code } = await rejection("upload_asset", {
        name: "A",
        ...source,
      });
      expect(code).to.equal("invalid_request");
    }
  });
});
