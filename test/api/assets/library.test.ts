import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import sharp from "sharp";
import { parseConfig } from "../../../config/index.js";
import { Asset, UploadLink } from "../../../core/storage/database/index.js";
import { download, useApi } from "../../support/api.js";
import {
  type AssetReply,
  libraryReplies,
  uploadBytes,
} from "../../support/assets.js";
import {
  json,
  newCaller,
  refusal,
  type TestCaller,
} from "../../support/caller.js";
import { createVideo, plain } from "../../support/image-gallery.js";
import { useService } from "../../support/service.js";
import { eachDatabase } from "../../support/store.js";

const picture = (color: string) => plain(color).png().toBuffer();

describe("the library", () => {
  const api = useApi();
  let logo: AssetReply;
  let clip: AssetReply;
  let teal: Buffer;
  before(async () => {
    teal = await picture("teal");
    logo = await uploadBytes(api.caller, "Löwe.png", teal);
    clip = await uploadBytes(api.caller, "Clip", await createVideo("webm"));
  });
  const names = async (query: string) => {
    const response = await api.caller.get(`/api/assets${query}`);
    const { data } = await libraryReplies.assets(response);
    return data.map(({ name }) => name).join(" ");
  };
  const createTrashed = async (name: string, bytes: Buffer) => {
    const asset = await uploadBytes(api.caller, name, bytes);
    await json(api.caller.delete(`/api/assets/${asset.id}`));
    return asset;
  };

  it("stores the same file under the same name once", async () => {
    expect(await uploadBytes(api.caller, logo.name, teal)).to.eql(logo);
    const named = await uploadBytes(api.caller, "other", teal);
    expect(named.id).not.to.equal(logo.id);
    const gold = await picture("gold");
    const changed = await uploadBytes(api.caller, logo.name, gold);
    expect(changed.id).not.to.equal(logo.id);
    const trashed = await createTrashed("old", gold);
    const again = await uploadBytes(api.caller, "old", gold);
    expect(again.id, "a new one while it lies there").not.to.equal(trashed.id);
  });

  /** Files are deleted only when they are older than uploads of the same file that may be under way. */
  const age = async (id: string) => {
    const { read } = api.service.store;
    const { storageKey } = await read.findOneByOrFail(Asset, { id });
    const path = join(api.service.dataFolder, "files", storageKey);
    const minuteAgo = new Date(Date.now() - 60_000);
    await utimes(path, minuteAgo, minuteAgo);
  };

  const purge = (id: string) =>
    api.caller.delete(`/api/assets/${id}?permanently=true`);

  describe("deletes permanently", () => {
    it("an asset with its file", async () => {
      const { id, url } = await createTrashed("gone", await picture("lime"));
      await age(id);
      await libraryReplies.asset(await purge(id));
      expect((await api.caller.get(`/api/assets/${id}`)).status).to.equal(404);
      expect((await fetch(url)).status).to.equal(404);
    });

    it("no file that another asset has", async () => {
      const cyan = await picture("cyan");
      const copy = await uploadBytes(api.caller, "twin", cyan);
      const { id } = await createTrashed("same", cyan);
      await age(id);
      await libraryReplies.asset(await purge(id));
      expect((await fetch(copy.url)).status).to.equal(200);
    });
  });

  describe("has URLs of files, which", () => {
    it("return the file to everybody, cached permanently, with headers that prevent scripts", async () => {
      const response = await fetch(logo.url);
      expect(Buffer.from(await response.arrayBuffer())).to.eql(teal);
      const headers = Object.fromEntries(response.headers);
      expect(headers).to.include({
        "content-type": "image/png",
        "cache-control": "public, max-age=31536000, immutable",
        "x-content-type-options": "nosniff",
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
      });
      expect(headers["content-security-policy"]).to.match(
        /^sandbox; default-src 'none'/,
      );
    });

    it("return 304 to clients that have the file", async () => {
      const { headers } = await fetch(logo.url, { method: "HEAD" });
      expect(headers.get("content-length")).to.equal(String(teal.length));
      const again = await fetch(logo.url, {
        headers: {
          "if-none-match": headers.get("etag") ?? "",
          "cache-control": "max-age=0",
        },
      });
      expect(again.status).to.equal(304);
    });

    it("return a range of a video, and its preview image in its proportions", async () => {
      const ask = (range: string) => fetch(clip.url, { headers: { range } });
      const part = await ask("bytes=0-3");
      expect(part.status).to.equal(206);
      expect(await part.arrayBuffer()).to.have.property("byteLength", 4);
      expect((await ask("bytes=99999999-")).status).to.equal(416);
      const poster = sharp(await download(clip.urls.poster ?? ""));
      const size = { format: "png", width: 1280, height: 720 };
      expect(await poster.metadata()).to.include(size);
    });

    it("cannot be guessed, altered or used for another type", async () => {
      for (const url of [
        logo.url.replace(/.(\.png)$/, "_$1"),
        logo.url.replace(/png$/, "svg"),
        logo.url.replace(/\.png$/, ".poster.png"),
        logo.url.replace(/[^/]*$/, "..%2f..%2fetc%2fpasswd"),
      ])
        expect((await fetch(url)).status, url).to.equal(404);
    });

    it("are the same for the same file, and different in another organization", async () => {
      const copy = await uploadBytes(api.caller, "copy.png", teal);
      expect(copy.id).not.to.equal(logo.id);
      expect(copy.url).to.equal(logo.url);
      const other = await newCaller(api.service);
      const foreign = await uploadBytes(other, "logo.png", teal);
      expect(foreign.checksum).to.equal(logo.checksum);
      expect(foreign.url).not.to.equal(logo.url);
    });
  });

  const newLink = async (options: object = {}) => {
    const body = { name: "logo.png", ...options };
    const path = "/api/assets/upload-link";
    return libraryReplies.uploadLink(await api.caller.post(path, body), 201);
  };

  const sendFile = (url: string, body = teal, method: "PUT" | "POST" = "PUT") =>
    fetch(url, { method, body });

  describe("has upload links, which", () => {
    it("accept a file without a key, for the organization that created them", async () => {
      const { uploadUrl, curl } = await newLink({ name: "by link" });
      expect(curl).to.contain(uploadUrl);
      const { organizationId, userId } = api.caller;
      expect(await json(sendFile(uploadUrl, teal, "POST"), 201)).to.include({
        name: "by link",
        organizationId,
        createdById: userId,
      });
    });

    it("are valid once, even for concurrent uploads and after a restart", async () => {
      const { uploadUrl } = await newLink({ name: "once" });
      const answers = await Promise.all(
        [1, 2, 3].map(() => sendFile(uploadUrl)),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses).to.have.members([201, 410, 410]);
      expect(await names("?q=once")).to.equal("once");
      await api.service.stop();
      await api.service.start();
      const { pathname } = new URL(uploadUrl);
      expect(await refusal(sendFile(api.service.url + pathname))).to.match(
        /^410 .*was used/,
      );
    });

    it("remain valid when a file is rejected", async () => {
      const { uploadUrl } = await newLink({ assetType: "image" });
      const video = await createVideo("mp4");
      expect(await refusal(sendFile(uploadUrl, video))).to.match(
        /^400 .*\$\.assetType/,
      );
      const text = Buffer.from("no file");
      expect((await sendFile(uploadUrl, text)).status).to.equal(400);
      expect((await sendFile(uploadUrl)).status).to.equal(201);
    });

    it("expire after 15 minutes", async () => {
      const { uploadUrl, expiresAt } = await newLink({ name: "late" });
      const left = Date.parse(expiresAt) - Date.now();
      expect(left).to.be.within(14 * 60_000, 15 * 60_000);
      await api.service.store.unitOfWork.run((tx) =>
        tx.update(UploadLink, { name: "late" }, { expiresAt: new Date(0) }),
      );
      expect(await refusal(sendFile(uploadUrl))).to.match(
        /^410 .*expired at 1970/,
      );
    });

    it("cannot be guessed or altered", async () => {
      const { uploadUrl } = await newLink();
      for (const url of [`${uploadUrl}x`, uploadUrl.slice(0, -1)])
        expect((await sendFile(url)).status).to.equal(404);
    });
  });
});

eachDatabase((_open, database) => {
  describe("an organization whose assets are limited", () => {
    let images: Buffer[];
    // Room for two of the images, which are nearly equal in size.
    const { assets } = parseConfig({ PLATEN_ORGANIZATION_ASSET_BYTES: "250" });
    const service = useService({ config: { database, assets } });
    before(async () => {
      const colors = ["red", "green", "blue", "teal", "navy", "gold"];
      images = await Promise.all(colors.map(picture));
      for (const { length } of images) expect(length).to.be.within(84, 124);
    });
    const upload = ({ key }: TestCaller, index: number) =>
      fetch(`${service.url}/api/assets?name=image-${index}`, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": "image/png" },
        body: Uint8Array.from(images[index] ?? []),
      });

    it("gets a 413 for one too many, until one was deleted permanently, and does not limit another", async () => {
      const caller = await newCaller(service);
      const { id } = await json<{ id: string }>(upload(caller, 0), 201);
      await json(upload(caller, 1), 201);
      const path = `/api/assets/${id}`;
      expect(await refusal(upload(caller, 2))).to.match(
        /^413 .*PLATEN_ORGANIZATION_ASSET_BYTES/,
      );
      await json(upload(await newCaller(service), 2), 201);
      await json(caller.delete(path));
      expect((await upload(caller, 2)).status).to.equal(413);
      await json(caller.delete(`${path}?permanently=true`));
      await json(upload(caller, 2), 201);
    });

    it("cannot exceed the limit by uploads at the same time", async () => {
      const caller = await newCaller(service);
      const answers = await Promise.all(
        images.map((_image, index) => upload(caller, index)),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses).to.have.members([201, 201, 413, 413, 413, 413]);
    });
  });
});
