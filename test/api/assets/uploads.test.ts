import { createReadStream } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { once } from "node:events";
import { request, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { PDFDocument } from "@cantoo/pdf-lib";
import { expect } from "chai";
import sharp from "sharp";
import { useApi } from "../../support/api.js";
import {
  base64,
  createAsset,
  greatVibes,
  libraryReplies,
  uploadBytes,
} from "../../support/assets.js";
import { json, refusal } from "../../support/caller.js";
import {
  createVideo,
  fetchingFromLoopback,
  plain,
  useImageServer,
} from "../../support/image-gallery.js";

const png = await plain("teal").png().toBuffer();
const maxVideoBytes = 24 * 1024 * 1024;

const tealPicture = plain("teal", 30, 20);

/** Files by their types. */
const kinds: Record<string, Bytes> = {
  "image/png": () => tealPicture.png().toBuffer(),
  "image/jpeg": () => tealPicture.jpeg().toBuffer(),
  "image/webp": () => tealPicture.webp().toBuffer(),
  "image/gif": () => tealPicture.gif().toBuffer(),
  "image/avif": () => tealPicture.avif().toBuffer(),
  "image/svg+xml": () =>
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"/>',
    ),
  "video/mp4": () => createVideo("mp4"),
  "video/quicktime": () => createVideo("mov"),
  "video/webm": () => createVideo("webm"),
  "font/ttf": greatVibes,
  "font/woff2": () => {
    const file =
      "@fontsource-variable/inter/files/inter-greek-wght-normal.woff2";
    return readFile(createRequire(import.meta.url).resolve(file));
  },
  "application/pdf": () => savedPdf(),
};

const sizes: Record<string, [number, number] | [null, null]> = {
  image: [30, 20],
  video: [640, 360],
};

const svg = (inside: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`);
/** 100 megapixels in some kilobytes. */
const huge = () => {
  const [width, height] = [10_000, 10_000];
  const pixels = Buffer.alloc(width * height);
  const raw = { width, height, channels: 1 } as const;
  return sharp(pixels, { raw }).png().toBuffer();
};
const cut = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2));

/** A WOFF2 whose only table says to be nearly 4 GB long. */
function endlessFont(): Buffer {
  const bytes = Buffer.alloc(100);
  bytes.write("wOF2");
  bytes.writeUInt32BE(bytes.length, 8);
  bytes.writeUInt16BE(1, 12);
  bytes.set([0, 0x8f, 0xff, 0xff, 0xff, 0x7f], 48);
  return bytes;
}

/** The font with zeros in place of a table's content. */
function withoutTable(font: Buffer, table: string): Buffer {
  const bytes = Buffer.from(font);
  const at = bytes.indexOf(table, 12, "latin1");
  const start = bytes.readUInt32BE(at + 8);
  return bytes.fill(0, start, start + bytes.readUInt32BE(at + 12));
}

const pdf = (inside: string) => Buffer.from(`%PDF-1.7\n${inside}\n%%EOF`);

/** A catalog as the first object, and these: the first of them is the page tree. */
const getPdf = (...objects: string[]) =>
  pdf(
    ["<</Type/Catalog/Pages 2 0 R>>", ...objects]
      .map((object, at) => `${at + 1} 0 obj\n${object}\nendobj`)
      .join("\n") + "\ntrailer\n<</Root 1 0 R>>",
  );

async function savedPdf(
  security?: Parameters<PDFDocument["encrypt"]>[0],
): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.addPage().drawText("Terms");
  if (security) document.encrypt(security);
  return Buffer.from(await document.save());
}

type Bytes = () => Buffer | Promise<Buffer>;

/** The first brand is the main one. */
const heicBrands = ["heic mif1", "heix", "mif1 heic", "msf1 hevc", "heim miaf"];

/** The head of an ISO media file. */
function isoFile(brands: string): Buffer {
  const [main = "", ...others] = brands.split(" ");
  const names = `ftyp${main}\0\0\0\0${others.join("")}`;
  return Buffer.from(`\0\0\0${String.fromCharCode(names.length + 4)}${names}`);
}

/** Files that are refused, by the reason. */
const refusedFiles: Record<string, Record<string, Bytes>> = {
  "Unsupported file format": {
    "a text": () => Buffer.from("#!/bin/sh\nexit"),
    "a page": () => Buffer.from("<html><svg></svg>"),
    zeros: () => Buffer.alloc(5000),
    "a compressed svg": () => gzipSync(svg("")),
  },
  "Unsupported image format: BMP. Save it as JPEG or PNG": {
    "a bmp": () => Buffer.from("BM".padEnd(200, "x")),
  },
  "Unsupported image format: HEIC. Save it as JPEG or PNG": Object.fromEntries(
    heicBrands.map((brands) => [
      `a photo of the brands ${brands}`,
      () => isoFile(brands),
    ]),
  ),
  "is empty": { "an empty file": () => Buffer.alloc(0) },
  incomplete: {
    "half an mp4": async () => cut(await createVideo("mp4")),
    "half a webm": async () => cut(await createVideo("webm")),
    "half a PDF": () => Buffer.from("%PDF-1.7\n1 0 obj"),
  },
  "font is damaged": {
    "half a font": async () => cut(await greatVibes()),
    "a font that unpacks to 4 GB": endlessFont,
    ...Object.fromEntries(
      ["cmap", "head", "loca", "glyf", "maxp"].map((table) => [
        `a font whose table ${table} is empty`,
        async () => withoutTable(await greatVibes(), table),
      ]),
    ),
  },
  "The PDF is damaged": {
    "a PDF of brackets": () => pdf("[".repeat(50_000) + "]".repeat(50_000)),
    "a PDF without anything": () => pdf(""),
    "a PDF of noise": () => pdf("q Q 1 0 obj << "),
    "the begin and the end of a PDF without its middle": async () => {
      const whole = await savedPdf();
      return Buffer.concat([whole.subarray(0, 60), whole.subarray(-60)]);
    },
  },
  "damaged page tree": {
    "a PDF whose page tree contains itself": () =>
      getPdf("<</Type/Pages/Kids[2 0 R]/Count 1>>"),
    "a PDF whose page tree contains itself further down": () =>
      getPdf(
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Pages/Kids[4 0 R]/Count 1/Parent 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1/Parent 3 0 R>>",
      ),
    "a PDF of a few objects that claims to have 2^40 pages": () =>
      getPdf(
        ...Array.from({ length: 40 }, (_, at) => {
          const kid = `${at + 3} 0 R`;
          return `<</Type/Pages/Kids[${kid} ${kid}]/Count 2>>`;
        }),
        "<</Type/Pages/Kids[]/Count 0>>",
      ),
    "a PDF whose page is missing": () =>
      getPdf("<</Type/Pages/Kids[9 0 R]/Count 1>>"),
  },
  "The PDF has no pages": {
    "a PDF without pages": () => getPdf("<</Type/Pages/Kids[]/Count 0>>"),
  },
  "The PDF is encrypted, so it cannot be opened": {
    "a PDF with a password": () =>
      savedPdf({ userPassword: "secret", ownerPassword: "owner" }),
  },
  "image is incomplete": { "half an svg": () => svg("").subarray(0, 10) },
  "SVG is damaged": {
    "an svg of tags that never end": () =>
      Buffer.from(`<svg>${"<svg ".repeat(19_000)}${"a".repeat(1_500_000)}`),
  },
  damaged: {
    "a gif that is also a script": () =>
      Buffer.from('GIF89a/*aaaa*/="";alert(1)//'),
  },
  "100000000 pixels": { "a small file that unpacks to 100 megapixels": huge },
  "more than the limit of 50000000": {
    "an svg that contains a picture of 100 megapixels": async () => {
      const href = `data:image/png;base64,${base64(await huge())}`;
      return svg(`<image href="${href}" width="9" height="9"/>`);
    },
  },
  "20000 elements": {
    "an svg with 30,000 elements": () => svg("<g>".repeat(30_000)),
  },
};

function redirect(location: string) {
  return (_request: unknown, response: ServerResponse) => {
    response.writeHead(302, { location }).end();
  };
}

/** Sends without end, and notes how much. */
function endless(sent: { bytes: number }, first: Buffer) {
  return (_request: unknown, response: ServerResponse) => {
    const chunk = Buffer.alloc(64 * 1024, 7);
    response.writeHead(200, { "content-type": "image/png" }).write(first);
    const more = () => {
      while (!response.destroyed) {
        sent.bytes += chunk.length;
        if (!response.write(chunk)) break;
      }
    };
    response.on("drain", more);
    more();
  };
}

const createForm = (fields: Record<string, string>, file?: Buffer) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const type = "text/plain";
  if (file) form.append("file", new Blob([file], { type }), "Löwe.png");
  return form;
};

describe("POST /api/assets", () => {
  const limits = { maxBytes: 10_000_000, maxVideoBytes };
  const api = useApi(fetchingFromLoopback(limits));
  const refused = (upload: object) =>
    refusal(api.caller.post("/api/assets", { name: "logo.png", ...upload }));
  /** Sends a body that is not JSON. */
  const send = (
    body: Uint8Array | string | FormData,
    query = "",
    headers: Record<string, string> = {},
  ) =>
    fetch(`${api.service.url}/api/assets${query}`, {
      method: "POST",
      headers: { "x-api-key": api.caller.key, ...headers },
      body,
    });

  for (const [mimeType, bytes] of Object.entries(kinds))
    it(`detects a file by its bytes, whatever its name: ${mimeType}`, async () => {
      const asset = await uploadBytes(api.caller, "notes.txt", await bytes());
      const [kind = ""] = mimeType.split("/");
      const assetType = kind === "application" ? "pdf" : kind;
      const [width, height] = sizes[kind] ?? [null, null];
      const expected = { mimeType, assetType, width, height, isTrashed: false };
      expect(asset).to.include({ name: "notes.txt", ...expected });
      const { status, headers } = await fetch(asset.url);
      expect(status).to.equal(200);
      expect(headers.get("content-type")).to.equal(mimeType);
    });

  it("returns a font's family name and a video's duration", async () => {
    const font = await uploadBytes(api.caller, "f", await greatVibes());
    expect(font.details).to.include({ family: "Great Vibes", weight: "400" });
    expect(font.use).to.equal('font-family: "Great Vibes"');
    const long = await createVideo("mp4", { seconds: 93 });
    const video = await uploadBytes(api.caller, "v", long);
    expect(video.details).to.include({ durationSeconds: 93 });
    expect(video.urls.poster).to.match(/\.poster\.png$/);
  });

  it("takes a file of the requested kind only: fonts are accepted as images, a video is not", async () => {
    for (const [bytes, assetType, expected] of [
      [await greatVibes(), "image", "font"],
      [await createVideo("webm"), "video", "video"],
      [await createVideo("mp4"), "image", "$.assetType"],
      [png, "video", "$.assetType"],
    ] as const) {
      const upload = { name: "x", base64Data: base64(bytes), assetType };
      const answer = await api.caller.post("/api/assets", upload);
      expect(await answer.text()).to.contain(expected);
    }
  });

  for (const [error, files] of Object.entries(refusedFiles))
    for (const [description, bytes] of Object.entries(files))
      it(`refuses ${description}`, async () => {
        expect(await refused({ base64Data: base64(await bytes()) }))
          .to.match(/^400 /)
          .and.contain(error);
      });

  const readablePdfs: Record<string, Bytes> = {
    "that can be opened": () => savedPdf(),
    "when only its restrictions have a password": () =>
      savedPdf({ ownerPassword: "owner", algorithm: "AES-256" }),
    "when programs wrote a little after its end": async () =>
      Buffer.concat([await savedPdf(), Buffer.alloc(100, 10)]),
    "when its only page is its page tree twice removed": () =>
      getPdf(
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Pages/Kids[4 0 R]/Count 1/Parent 2 0 R>>",
        "<</Type/Page/Parent 3 0 R/MediaBox[0 0 9 9]>>",
      ),
  };
  for (const [description, bytes] of Object.entries(readablePdfs))
    it(`stores a PDF ${description}`, async () => {
      await uploadBytes(api.caller, "terms.pdf", await bytes());
    });

  describe("with a body in JSON", () => {
    const data = base64(png);
    for (const [form, base64Data] of [
      ["base64 with line breaks", data.replace(/.{20}/g, "$&\r\n")],
      ["base64url", png.toString("base64url")],
      ["a data URL", `data:image/jpeg;base64,${data}`],
    ] as const)
      it(`takes ${form}`, async () => {
        const asset = await createAsset(api.caller, { name: form, base64Data });
        expect(asset).to.include({ mimeType: "image/png", width: 4 });
      });

    it("never takes a path on the server; the error offers an upload link instead", async () => {
      const error = await refused({ name: "passwd", filePath: "/etc/pass'wd" });
      expect(error).to.match(/^400 /).and.not.contain("root:");
      const [, link = ""] =
        /curl --upload-file '\/etc\/pass'\\''wd' '(http[^']+)' #/.exec(error) ??
        [];
      const sent = fetch(link, { method: "PUT", body: png });
      expect(await json(sent, 201)).to.include({ name: "passwd", width: 4 });
    });
  });

  describe("with a URL", () => {
    const sent = { picture: { bytes: 0 }, junk: { bytes: 0 } };
    const server = useImageServer({
      "/a.png": { body: png, headers: { "content-type": "text/html" } },
      "/1": redirect("/2"),
      "/2": redirect("/3"),
      "/3": redirect("/a.png"),
      "/4": redirect("/1"),
      "/inside": redirect("http://169.254.169.254/latest/meta-data/"),
      "/picture": endless(sent.picture, png),
      "/junk": endless(sent.junk, Buffer.alloc(5000, "x")),
    });
    const ask = (path: string) => refused({ fileUrl: server.at(path) });

    it("detects the file by its bytes, whatever its server claims, after three redirects", async () => {
      const fileUrl = server.at("/1");
      const asset = await createAsset(api.caller, { name: "a", fileUrl });
      const sizeBytes = png.length;
      expect(asset).to.include({ mimeType: "image/png", sizeBytes });
    });

    for (const [description, path, error] of [
      ["four redirects away", "/4", "more than 3 times"],
      ["behind a redirect to a metadata server", "/inside", "not on the"],
      ["missing", "/none.png", "status 404"],
    ] as const)
      it(`refuses a file that is ${description}`, async () => {
        expect(await ask(path))
          .to.match(/^400 /)
          .and.contain(error);
      });

    it("reads up to the maximum size of its type, and no further than the first bytes of no known type", async () => {
      expect(await ask("/picture")).to.match(
        /^413 .*larger than the limit of 10000000 bytes/,
      );
      expect(sent.picture.bytes).to.be.below(40_000_000);
      expect(await ask("/junk")).to.match(/^400 .*Unsupported file format/);
      expect(sent.junk.bytes).to.be.below(20_000_000);
    });
  });

  describe("with a body that is the file itself", () => {
    for (const type of [
      "application/octet-stream",
      "image/png",
      // What curl says of --data-binary.
      "application/x-www-form-urlencoded",
    ])
      it(`takes it as a stream: ${type}`, async () => {
        const query = `?name=${encodeURIComponent(type)}&assetType=image`;
        const answer = send(png, query, { "content-type": type });
        expect(await json(answer, 201)).to.include({
          name: type,
          mimeType: "image/png",
        });
      });

    const asPng = { "content-type": "image/png" };
    const asGzip = { "content-encoding": "gzip" };
    for (const [description, query, body, headers, error] of [
      ["a missing name", "", png, {}, "1 to 255"],
      ["an empty file", "?name=a", "", asPng, "is empty"],
      ["false compression", "?name=a", png, asGzip, "compression is damaged"],
      ["an unknown parameter", "?name=a&folder=b", png, {}, "folder"],
      ["an unknown folder", "?name=a&folderId=b", png, {}, "$.folderId"],
    ] as const)
      it(`refuses ${description}`, async () => {
        expect(await refusal(send(body, query, headers)))
          .to.match(/^400 /)
          .and.contain(error);
      });

    it("unpacks one that is compressed", async () => {
      const packed = new Uint8Array(gzipSync(png));
      const headers = { "content-encoding": "gzip" };
      const { status } = await send(packed, "?name=packed", headers);
      expect(status).to.equal(201);
    });

    it("takes a large video, which is not held in memory", async () => {
      const video = await createVideo("mp4", { bytesPerFrame: 1_100_000 });
      expect(video.length).to.be.above(21_000_000);
      expect(await json(send(video, "?name=large"), 201)).to.include({
        sizeBytes: video.length,
      });
    });

    it("reads up to the maximum size only, however long it is", async () => {
      const path = join(api.service.dataFolder, "long");
      const file = await open(path, "w");
      await file.write(await createVideo("mp4"));
      await file.truncate(maxVideoBytes * 4);
      await file.close();
      const url = `${api.service.url}/api/assets?name=long`;
      const headers = { "x-api-key": api.caller.key };
      const sending = request(url, { method: "POST", headers });
      createReadStream(path).pipe(sending);
      const [answer] = await once(sending, "response");
      let error = "";
      for await (const text of answer.setEncoding("utf8")) error += text;
      sending.destroy();
      expect(answer.statusCode).to.equal(413);
      expect(error).to.contain("PLATEN_VIDEO_MAX_BYTES");
    });
  });

  describe("with a multipart form", () => {
    it("creates an asset with the file's name or another one", async () => {
      expect(await json(send(createForm({}, png)), 201)).to.include({
        name: "Löwe.png",
        mimeType: "image/png",
      });
      const fields = { name: "logo", assetType: "image" };
      const named = await json(send(createForm(fields, png)), 201);
      expect(named).to.include({ name: "logo" });
    });

    for (const [description, fields, file, error] of [
      ["a missing file", { name: "a" }, undefined, "has no file"],
      ["a text", {}, Buffer.from("x"), "Unsupported file format"],
      [
        "a large unsupported file",
        {},
        Buffer.alloc(5_000_000),
        "Unsupported file format",
      ],
      ["an unknown field", { folder: "a" }, png, "folder"],
      ["an unknown folder", { folderId: "a" }, png, "$.folderId"],
    ] as [string, Record<string, string>, Buffer | undefined, string][])
      it(`refuses ${description}`, async () => {
        expect(await refusal(send(createForm(fields, file))))
          .to.match(/^400 /)
          .and.contain(error);
      });

    const start =
      '--x\r\ncontent-disposition: form-data; name="file"; filename="cut"';
    const withBoundary = "multipart/form-data; boundary=x";
    for (const [type, body] of [
      ["multipart/form-data", "--x--"],
      [withBoundary, `${start}\r\n\r\n${png.toString("latin1")}`],
      [withBoundary, start],
      [withBoundary, "nothing"],
    ] as const)
      it(`refuses a malformed one: ${JSON.stringify(body.slice(0, 20))} as ${type}`, async () => {
        const headers = { "content-type": type };
        expect(await refusal(send(body, "", headers))).to.match(/^400 .*form/);
      });

    it("leaves nothing behind when the connection breaks", async () => {
      const sending = request(`${api.service.url}/api/assets`, {
        method: "POST",
        headers: { "x-api-key": api.caller.key, "content-type": withBoundary },
      });
      const closed = new Promise((resolve) => sending.on("close", resolve));
      sending.on("error", () => undefined);
      sending.write(`${start}\r\n\r\n`);
      sending.write(png);
      await once(sending, "socket");
      sending.destroy();
      await closed;
      const found = await api.caller.get("/api/assets?q=cut");
      expect((await libraryReplies.assets(found)).data).to.deep.equal([]);
    });
  });

  const attach = (bytes: Buffer, mimeType: string) => {
    const attachment = { name: "terms.pdf", mimeType, base64: base64(bytes) };
    const options = { attachments: [attachment] };
    return api.send({ formats: ["pdf"], renderOptions: { pdf: options } });
  };

  it("checks a PDF that is attached to a document as base64 too", async () => {
    const nestedArrays = pdf("[".repeat(50_000));
    expect(await refusal(attach(nestedArrays, "application/pdf"))).to.match(
      /^400 .*\$\.renderOptions\.pdf\.attachments\[0\].*is damaged/,
    );
    for (const [bytes, mimeType] of [
      [await savedPdf(), "application/pdf"],
      [nestedArrays, "text/plain"],
    ] as const)
      expect((await attach(bytes, mimeType)).status).to.equal(200);
  });
});
