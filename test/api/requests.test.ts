import { connect } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect } from "chai";
import { Agent } from "undici";
import { useApi } from "../support/api.js";
import { json, refusal, replies } from "../support/caller.js";
import { postMessage } from "../support/tool-client.js";

const maxBodyBytes = 4_000_000;
/** Bodies with it are parsed by a thread. */
const padding = "long ".repeat(100_000);

function nest(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
}

function numbered(count: number): object {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`f${index}`, index]),
  );
}

const listed = (length: number) => Array.from({ length }, (_, index) => index);

describe("a request that is not HTTP", () => {
  const api = useApi();
  const sendRaw = async (text: string) => {
    const { hostname, port } = new URL(api.service.url);
    const socket = connect(Number(port), hostname);
    socket.write(text);
    const [head = "", body = ""] = (await buffer(socket))
      .toString()
      .split("\r\n\r\n");
    expect(head).to.contain("\r\nContent-Type: application/json\r\n");
    return `${head.split(" ")[1]} ${JSON.parse(body).error}`;
  };

  for (const [what, text, answer] of [
    [
      "headers that are too long",
      `GET / HTTP/1.1\r\nhost: a\r\ncookie: ${"x".repeat(20_000)}\r\n\r\n`,
      "431 The request line and the headers are over the limit of 16384 bytes. Send fewer or shorter ones.",
    ],
    [
      "a line without a version",
      "GET nonsense\r\n\r\n",
      "400 The request is not valid HTTP.",
    ],
  ] as const)
    it(`is answered as JSON when it has ${what}`, async () => {
      expect(await sendRaw(text)).to.equal(answer);
    });
});

const formPart = (name: string, more: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}`;

describe("the body of a request", () => {
  const api = useApi({ config: { maxBodyBytes }, plan: "premium" });
  const send = (
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
    path = "/api/export",
  ) =>
    fetch(api.service.url + path, {
      method: "POST",
      headers: {
        "x-api-key": api.caller.key,
        "content-type": "application/json",
        ...headers,
      },
      body,
    });
  const rejection = (...request: Parameters<typeof send>) =>
    refusal(send(...request));

  for (const [body, where] of [
    ['{ "templateId": abc }', "line 1, column 17"],
    ['{\n "templateId": "a",\n}', "line 3, column 1"],
    ['{ "templateId": "a"', "line 1, column 20"],
    ['{ "a": 1 }}', "line 1, column 11"],
    ["nope", "line 1, column 1"],
    ['{ "a": "\u0001" }', "line 1, column 8"],
    [
      `{"data": [\n${'{"a": 1},\n'.repeat(200_000)}{"a": abc}]}`,
      "the place of the error is only looked for in bodies of at most 1 MB.",
    ],
  ] as const)
    it(`is rejected with ${where.slice(0, 30)} when it is not JSON: ${JSON.stringify(body.slice(0, 40))}`, async () => {
      expect(await rejection(body))
        .to.match(/^400 The body is not valid JSON: /)
        .and.contain(where);
    });

  it("is treated as empty when it is missing, so that required fields are reported", async () => {
    expect(await rejection(""))
      .to.contain("$.templateId: is required")
      .and.contain("$.formats: is required");
  });

  it("is rejected over the limit, compressed or not, and the next request succeeds", async () => {
    const large = JSON.stringify({ a: "x".repeat(maxBodyBytes * 2) });
    const packed = new Uint8Array(gzipSync(large));
    const gzip = { "content-encoding": "gzip" };
    expect(await rejection(large)).to.match(/^413 .*4000000 bytes/);
    expect(await rejection(packed, gzip)).to.match(/^413 /);
    expect((await api.send()).status).to.equal(200);
  });

  const batch = "/api/export/batch";

  for (const [encoding, pack] of [
    ["gzip", gzipSync],
    ["GZIP", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ] as const)
    it(`can be compressed by ${encoding}, and is refused when it is not`, async () => {
      const packed = new Uint8Array(pack("{}"));
      const headers = { "content-encoding": encoding };
      for (const path of ["/api/export", batch]) {
        expect(await rejection(packed, headers, path)).to.contain(
          "$.formats: is required",
        );
        expect(await rejection("{ }", headers, path)).to.match(
          /^400 The body ended .* its compression is damaged/,
        );
      }
    });

  for (const encoding of ["zip", "gzip, br", "constructor"])
    it(`is refused with 415 when it is compressed by ${encoding}`, async () => {
      const headers = { "content-encoding": encoding };
      const tools = postMessage(api.service.url, {
        "x-api-key": api.caller.key,
        ...headers,
      });
      for (const refused of [
        await rejection("{}", headers),
        await rejection("{}", headers, batch),
        await rejection("x", headers, "/api/assets?name=a.svg"),
        await refusal(tools),
      ])
        expect(refused)
          .to.match(/^415 .*Use gzip, deflate, br or none\./)
          .and.contain(encoding);
    });

  it("is refused with 415 when it is a form that is compressed as a whole", async () => {
    const form = new FormData();
    form.set("file", new Blob(["<svg/>"]), "a.svg");
    const { body, headers } = new Response(form);
    const type = headers.get("content-type") ?? "";
    const packed = new Uint8Array(
      gzipSync(new Uint8Array(await new Response(body).arrayBuffer())),
    );
    for (const path of ["/api/assets", "/api/export/batch/file"])
      expect(
        await rejection(
          packed,
          { "content-type": type, "content-encoding": "gzip" },
          path,
        ),
      ).to.match(/^415 A form with files cannot be compressed/);
  });

  const search = (query: string) => api.caller.get(`/api/templates?q=${query}`);
  it("is refused when its query is not UTF-8, and may have a percent sign alone", async () => {
    for (const query of ["%F6", "a%E2%82z", "%ed%a0%bd"])
      expect(await refusal(search(query))).to.match(
        /^400 Invalid query\. %\w\w.* is not UTF-8/,
      );
    for (const query of ["%C3%B6%F0%9F%98%80", "100%", "%zz"])
      expect((await search(query)).status).to.equal(200);
  });

  for (const [what, text, position, byte] of [
    ["Latin-1", "Gr\u00f6\u00dfe", 12, "0xF6"],
    ["a surrogate", "\u00ed\u00a0\u00bd", 10, "0xED"],
    ["a character cut off by the end", "\u00e2\u0082", 10, "0xE2"],
    ["a continuation byte after a letter", "it\u0092s", 12, "0x92"],
    ["a continuation byte too many", "\u00c3\u00a9\u00a9", 12, "0xA9"],
    [
      "continuation bytes far inside",
      `${padding}x\u0080\u0080`,
      500_011,
      "0x80",
    ],
    ["an overlong character", "\u00c0\u0080", 10, "0xC0"],
    ["Latin-1 after 200,000 characters", `${padding}\u00e9`, 500_010, "0xE9"],
  ] as const)
    it(`is refused with the position of the byte when it has ${what}`, async () => {
      const body = new Uint8Array(Buffer.from(`{ "name": "${text}`, "latin1"));
      const message = `the byte ${byte} at position ${position + 1} `;
      for (const path of ["/api/export", batch, "/api/folders"])
        expect(await rejection(body, {}, path), path)
          .to.match(/^400 The body is not UTF-8: /)
          .and.contain(message);
    });

  it("is refused as a form whose text or file name is not UTF-8", async () => {
    const end = "\r\n--b--\r\n";
    const file = formPart("file", '; filename="a.csv"\r\n\r\nName\r\nA\r\n');
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    for (const [path, text, what] of [
      [
        "/api/export/batch/file",
        `${formPart("request", '\r\n\r\n{ "a": "Gr\u00f6n" }\r\n')}${file}${end}`,
        'field "request"',
      ],
      ["/api/assets", file.replace("a.csv", "\u00f6.svg") + end, "file name"],
    ] as const)
      expect(
        await rejection(
          new Uint8Array(Buffer.from(text, "latin1")),
          headers,
          path,
        ),
      ).to.contain(`400 The form's ${what} is not UTF-8`);
  });

  it("may begin with a byte order mark", async () => {
    const order = { templateId: api.templateId, formats: ["html"] };
    for (const [path, body] of [
      ["/api/export/batch", { ...order, items: [{}] }],
      ["/api/folders", { name: "\u{20bb7}", kind: "asset" }],
    ] as const) {
      const { status } = await send(`\ufeff${JSON.stringify(body)}`, {}, path);
      expect(status, path).to.be.within(200, 202);
    }
  });

  it("must not be nested deeper than 300 levels, valid or not", async () => {
    expect(await rejection(nest(301))).to.match(/^400 .*deeper than 300/);
    expect(await rejection(nest(299))).to.contain("$.a: unknown field");
    expect(await rejection("[".repeat(90_000))).to.match(/^400 /);
  });

  for (const type of [
    "application/json;charset=utf-8",
    'application/json; Charset="UTF-8"',
    "application/json; charset=utf8; profile=x",
    "application/vnd.api+json ; charset = utf-8",
  ])
    it(`is UTF-8 as ${type}`, async () => {
      const { templateId } = api;
      const order = { templateId, formats: ["html"] };
      for (const [path, body] of [
        ["/api/export", order],
        ["/api/export/batch", { ...order, items: [{}] }],
        ["/api/folders", { name: "F", kind: "asset" }],
      ] as const) {
        const headers = { "content-type": type };
        const response = await send(JSON.stringify(body), headers, path);
        expect(response.status, path).to.be.within(200, 202);
      }
    });

  for (const charset of ["windows-1252", "us-ascii", "nonsense"])
    it(`is refused with 415 in ${charset}, unless it is a file`, async () => {
      const headers = {
        "content-type": `application/json; charset=${charset}`,
      };
      expect(await rejection("{}", headers)).to.match(/^415 .*Send UTF-8/);
      const key = { "x-api-key": api.caller.key };
      const tools = postMessage(api.service.url, { ...key, ...headers });
      expect(await refusal(tools))
        .to.match(/^415 /)
        .and.contain(charset);
      const svg = { "content-type": `image/svg+xml; charset=${charset}` };
      const picture =
        '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';
      const file = send(picture, svg, "/api/assets?name=a.svg");
      expect((await file).status).to.equal(201);
    });

  const postMany = (to: string, body: object) =>
    refusal(api.caller.post(to, { templateId: api.templateId, ...body }));

  describe("with very many values", () => {
    const path = "/api/export/batch/airtable";
    const most = "but at most 10000 are allowed.";
    for (const [to, body, error] of [
      ["/api/export", { formats: listed(10_001) }, "$.formats has 10001 items"],
      ["/api/webhooks", numbered(10_000), "It has 10001 fields"],
      [path, { recordIds: listed(12_000) }, "$.recordIds has 12000 items"],
    ] as const)
      it(`is refused before each of them is read when ${error}`, async () => {
        expect(await postMany(to, body)).to.equal(
          `400 Invalid request body. ${error}, ${most}`,
        );
      });

    it("is refused with more record ids than a batch may have", async () => {
      const recordIds = listed(100_001).map(() => "");
      expect(await postMany(path, { recordIds })).to.equal(
        "413 A batch contains at most 100000 items. Send several batches, or raise PLATEN_MAX_BATCH_ITEMS.",
      );
    });

    it("may have any number of fields and rows in its data, and as many record ids as a batch has documents", async () => {
      const data = { ...numbered(20_000), rows: listed(20_000) };
      expect((await api.send({ data })).status).to.equal(200);
      const recordIds = listed(12_000).map(String);
      expect(await postMany(path, { recordIds })).to.equal(
        "400 There is no connection to airtable yet. Save one with POST /api/connections, or with platen connection add.",
      );
    });
  });

  it("is checked for at most 1,000 problems of all records, of which there may be any number", async () => {
    const schema = [{ id: "root", fields: [{ name: "v", type: "Number" }] }];
    const id = await api.caller.publish({
      definition: { schema, components: [] },
    });
    const items = listed(12_000).map((index) => ({
      data: { v: index < 1500 ? "12,50" : 1 },
    }));
    const answer = api.caller.post(`/api/templates/${id}/validate`, { items });
    const { problems } = await json<{ problems: object[] }>(answer);
    expect(problems).to.have.length(1000);
    expect(problems[999]).to.include({ path: "$.items[999].data.v" });
  });

  describe("of half a megabyte", () => {
    const components = [
      { id: "a", type: "text", text: "{{ root.n }} {{ root.name }}" },
    ];
    const fields = [
      { name: "n", type: "Number" },
      { name: "name", type: "String" },
      { name: "padding", type: "String" },
    ];
    const long = {
      schema: [{ id: "root", fields }],
      components,
      sample: { padding },
    };
    let templateId: string;
    const create = (more: object = {}) =>
      api.caller.post("/api/templates", {
        name: "Long",
        definition: long,
        ...more,
      });
    before(async () => {
      ({ id: templateId } = await json<{ id: string }>(create(), 201));
    });

    it("makes the same document as a short one, with the digits of long numbers", async () => {
      const data = { n: 7, name: "Zoë <b>" };
      const short = await api.html({ templateId, data });
      expect(short).to.contain("7 Zoë &lt;b&gt;");
      const padded = { ...data, padding };
      expect(await api.html({ templateId, data: padded })).to.equal(short);
      const numbers = `{"n":12345678901234567890,"padding":"${padding}"}`;
      const response = await send(
        `{"templateId":"${templateId}","formats":["html"],"data":${numbers}}`,
      );
      expect(await response.text()).to.contain("12345678901234567890 ");
    });

    it("is checked against the template's schema", async () => {
      const data = { n: "seven", padding };
      expect(await api.refused({ templateId, data, strict: true })).to.match(
        /^400 .*root\.n/,
      );
      const path = `/api/templates/${templateId}/validate`;
      const checked = await api.caller.post(path, { data });
      expect(await checked.text()).to.contain('"path":"$.data.n"');
    });

    it("saves a definition as it was sent, with the paper of the request", async () => {
      const paper = { format: "A5", isLandscape: true };
      const { id } = await json<{ id: string }>(create(paper), 201);
      const path = `/api/templates/${id}`;
      const read = async () =>
        (await replies.template(await api.caller.get(path))).definition;
      expect(await read()).to.deep.include({
        sample: { padding },
        page: { size: "A5", landscape: true },
      });
      const next = { ...long, sample: { padding: `${padding}.` } };
      await json(api.caller.put(`${path}/definition`, { definition: next }));
      expect(await read()).to.deep.equal(next);
    });

    it("is refused with the problems of its definition", async () => {
      const faulty = { ...long, components: [{ type: "texxt" }] };
      expect(await refusal(create({ definition: faulty }))).to.match(
        /^400 .*components\[0\]/,
      );
    });

    const deep = `{"padding":"${padding}","data":${nest(301)}}`;
    for (const [what, body, message] of [
      ["is not JSON", `{"a":"${padding}"`, "The body is not valid JSON"],
      ["has a list as data", `{"data":["${padding}"]}`, "$.data: must be an"],
      ["has an unknown field", `{"other":"${padding}"}`, "$.other: unknown"],
      ["is a list", JSON.stringify([padding]), "must be an object"],
      ["is nested too deeply", deep, "deeper than 300 levels"],
    ] as const)
      it(`is refused as a short one when it ${what}`, async () => {
        expect(await rejection(body))
          .to.match(/^400 /)
          .and.contain(message);
      });
  });

  describe("that is rejected before its end", () => {
    const connection = new Agent({ connections: 1 });
    after(() => connection.close());
    const sendOn = async (method: "GET" | "POST", path: string, body = "") => {
      const response = await connection.request({
        origin: api.service.url,
        method,
        path,
        headers: {
          "x-api-key": api.caller.key,
          "content-type": "application/json",
        },
        body: body === "" ? null : Readable.from([body]),
      });
      await response.body.dump();
      return response.statusCode;
    };

    const rest = "x".repeat(maxBodyBytes * 4);
    for (const [path, body, status] of [
      ["/api/export/batch", `{"items":[}]${rest}`, 400],
      ["/api/export/batch", `{"items":[{"data":"${rest}"}]}`, 413],
      ["/api/export", `{"data":"${rest}"}`, 413],
    ] as const)
      it(`keeps the connection of ${path} usable after ${status}`, async () => {
        expect(await sendOn("POST", path, body)).to.equal(status);
        expect(await sendOn("GET", "/api/templates")).to.equal(200);
      });
  });
});
