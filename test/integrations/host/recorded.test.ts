import { Readable } from "node:stream";
import { expect } from "chai";
import {
  ConnectedDelivery,
  CredentialsSchema,
  findPlatformError,
  getRateLimitDelay,
  isAmbiguous,
  isRetryable,
  PluginCalls,
  PluginCatalog,
  PluginProcesses,
  Plugins,
  RequestLimiters,
} from "../../../core/integrations/host/index.js";
import { Outbound } from "../../../core/lib/outbound/index.js";
import {
  Deadline,
  type DeliveryFile,
  type EsignProvider,
  PlatenError,
  PLATFORM_ERROR_CODES,
  PlatformError,
  type SignRequest,
  type TableInfo,
} from "../../../core/plugin-api/index.js";
import { demoEsignPlugin } from "../../../plugins/demo-esign/plugin.js";
import { connectedEsign } from "../../support/esign.js";
import { useRecorded } from "../../support/recorded.js";
import { connectTestPlatform, testPlatform } from "../../support/records.js";
import { silentLog } from "../../support/recording-log.js";
import { box } from "../../support/signing-documents.js";

const recorded = (name: string) =>
  new URL(`recorded/${name}.txt`, import.meta.url);

const method = async () => ({});

/** JSON in which "()" is a function, and `bytes` are bytes. */
function parse(text: string): unknown {
  return JSON.parse(text, (key, value: unknown) => {
    if (value === "()") return method;
    return key === "bytes" ? new TextEncoder().encode(String(value)) : value;
  });
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null;

/** What takes the place of a part, by the part's type. */
const wrong: Readonly<Record<string, readonly unknown[]>> = {
  string: [undefined, 7, "", "other"],
  number: [undefined, "7", 0, -1, 0.5],
  boolean: [undefined, "true"],
  function: [undefined, "f"],
  list: [undefined, {}, []],
  object: [undefined, [], {}],
};

/** Copies of the value with one part left out or wrong, each with the name of that part. */
function* spoil(value: unknown, path = "$"): Generator<[string, unknown]> {
  for (const other of wrong[Array.isArray(value) ? "list" : typeof value] ?? [])
    yield [`${path} ${JSON.stringify(other) ?? "left out"}`, other];
  if (!isObject(value) || ArrayBuffer.isView(value)) return;
  for (const [key, part] of Object.entries(value))
    for (const [name, other] of spoil(part, `${path}.${key}`))
      yield [
        name,
        Array.isArray(value)
          ? value.with(Number(key), other)
          : { ...value, [key]: other },
      ];
}

/** What the call returns, or the message of its error without what all of them say. */
async function outcomeOf(
  call: () => Promise<unknown>,
  ...common: readonly string[]
): Promise<string> {
  try {
    return JSON.stringify(await call()) ?? "nothing";
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return common.reduce((text, part) => text.replace(part, ""), message);
  }
}

async function listSpoiled(
  value: unknown,
  work: (other: unknown) => Promise<string>,
): Promise<string[]> {
  const lines = [`as it is: ${await work(value)}`];
  for (const [name, other] of spoil(value))
    lines.push(`${name}: ${await work(other)}`);
  return lines;
}

const processes = new PluginProcesses({
  files: null,
  environment: {},
  log: silentLog,
});

function pluginsOf(kind: "platform" | "esign" | "delivery", exported: unknown) {
  return new Plugins({
    shipped: [
      {
        kind,
        id: "whole",
        title: "Plugin",
        version: "1.0.0",
        source: "shipped",
        fault: null,
        load: async () => exported,
      },
    ],
    places: { names: [], folder: "/nowhere", roots: [] },
    processes,
    platenVersion: "1.0.0",
    log: silentLog,
  });
}

describe("the reason why a module is not loaded", () => {
  useRecorded(recorded("modules"), (input, kind) =>
    listSpoiled(parse(input), async (exported) => {
      if (kind !== "platform" && kind !== "esign" && kind !== "delivery")
        throw new Error(`The kind ${kind} does not exist.`);
      const catalog = new PluginCatalog(pluginsOf(kind, exported));
      const [plugin] = await catalog.list();
      return (
        plugin?.fault
          ?.replace("It failed to load: ", "")
          .replace(/ Install another version of it, or .*/, "") ??
        `ready, with ${plugin?.abilities.join(" ")}`
      );
    }),
  );
});

const table = { tableId: "t1" };
const cell = { ...table, recordId: "r1", fieldId: "f1" };
const file: DeliveryFile = {
  key: "a file",
  filename: "a.pdf",
  contentType: "application/pdf",
  sizeBytes: 10,
  bytes: async () => new Uint8Array(10),
  open: async () => Readable.from([]),
};
/** With everything that a provider may lack. */
const request: SignRequest = {
  requestId: "r1",
  title: "Contract",
  expiresAt: new Date("2031-02-03T04:05:06Z"),
  pdf: { name: "contract", bytes: new Uint8Array(10), pages: 2 },
  fields: [
    box("Buyer", { id: "f1", name: "Size", type: "select", options: ["S"] }),
    box("Buyer", { id: "f2", name: "Town", type: "text" }),
    box("Seller", { id: "f3", name: "Date", type: "date" }),
  ],
  submitters: [
    {
      role: "Buyer",
      email: "b@example.com",
      name: "Ada",
      order: 0,
      values: { Town: ["Ulm", 1, null], Date: "x" },
    },
    { role: "Seller", email: "s@example.com", order: 1 },
  ],
  message: { subject: "Please sign", body: "Dear Ada" },
  redirectUrl: "https://example.com/{{done}}",
};
const esign: EsignProvider = {
  ...demoEsignPlugin,
  meta: { ...demoEsignPlugin.meta, id: "test", title: "Test" },
};

/** Calls the method of a plugin that returns the value. */
function callWith(name: string, value: unknown): Promise<unknown> {
  const [first = "", second] = name.split(".");
  const does = (one: string) => ({ [one]: async () => value });
  const changes: object = {
    ...(second === undefined
      ? does(first)
      : {
          authorization: { grants: ["token"], ...does(second) },
          changes: does(second),
        }),
    ...(name === "writeBackMany" && { writeBack: method }),
    ...(["parseNotice", "toRootData"].includes(name) && {
      [name]: () => value,
    }),
  };
  const platform = connectTestPlatform(changes);
  const provider = connectedEsign<unknown>({ ...esign, ...changes }, {});
  const consent = { redirectUri: "https://a.example" };
  const calls: Record<string, () => Promise<unknown>> = {
    check: () => platform.check(),
    listBases: () => platform.listBases(),
    describe: () => platform.describe(),
    fetchRows: () => platform.fetchRows(table, ["r1", "r2"]),
    findRows: () => platform.findRows(table, { limit: 2 }),
    listRows: async () => {
      const pages: string[][] = [];
      const ends = Deadline.after(60_000);
      for await (const ids of platform.listRows(table, { viewId: "v" }, ends))
        pages.push(ids);
      return pages;
    },
    writeBack: () => platform.writeBack(cell, [file], "append"),
    writeBackMany: () =>
      platform.writeBackMany(
        cell,
        ["r1", "r2", "other"].map((recordId) => ({ recordId, files: [file] })),
        "append",
      ),
    readAttachments: () => platform.readAttachments(cell),
    toRootData: async () => {
      const row = { id: "r1", fields: {}, links: {} };
      const info: TableInfo = { id: "t1", name: "Table", fields: [] };
      const data = (await platform.mapRows([row], info))?.get(row);
      if (data instanceof Error) throw data;
      return data;
    },
    "changes.subscribe": () => platform.subscribe(table, "https://a.example"),
    "authorization.createUrl": () =>
      platform.authorization.createUrl({
        ...consent,
        state: "s",
        codeChallenge: "c",
      }),
    "authorization.exchangeCode": () =>
      platform.authorization.exchangeCode({
        ...consent,
        code: "c",
        codeVerifier: "v",
      }),
    deliver: () =>
      new ConnectedDelivery(
        {
          meta: { ...testPlatform.meta, kind: "delivery" },
          credentials: { schema: {} },
          rate: testPlatform.rate,
          target: { schema: { type: "object", properties: {} } },
          capabilities: { maxBytes: 10, repeatable: true, message: false },
          check: method,
          deliver: async () => ({ id: "d1" }),
          ...changes,
        },
        {},
        new PluginCalls({
          outbound: new Outbound({ allowPrivateNetworks: [], log: silentLog }),
          limiters: new RequestLimiters(1),
          userAgent: "Platen tests",
          log: silentLog,
        }),
      ).deliver({ id: "1", files: [file], target: {} }),
    start: () => provider.start({ ...request, fields: [], submitters: [] }),
    find: () => provider.find("r1"),
    status: () => provider.status("e1"),
    download: () => provider.download("e1"),
    parseNotice: () =>
      provider.parseNotice({
        body: new Uint8Array(),
        headers: {},
        receivedAt: new Date(0),
      }),
    page: () => provider.page({ method: "GET", path: "p", form: {} }),
  };
  const call = calls[name];
  if (!call) throw new Error(`There is no call of ${name}.`);
  return call();
}

describe("the bug of a plugin that returns something invalid", () => {
  useRecorded(recorded("results"), async (input, name) => {
    const call = (value: unknown) =>
      outcomeOf(
        () => callWith(name, value),
        `The plugin test failed in ${name}: it returned an invalid result at `,
        " This is a bug in the plugin: update it or report it to its author.",
      );
    return input.startsWith("= ")
      ? [await call(parse(input.slice(2)))]
      : listSpoiled(parse(input), call);
  });
});

/** What a plugin throws: a refusal, with a wait or without, or something else. */
function createThrown(text: string): unknown {
  const [, name, wait] = /^(\w+)(?: after (\d+) ms)?$/.exec(text) ?? [];
  const code = PLATFORM_ERROR_CODES.find((one) => one === name);
  if (code === undefined)
    return text === "a text"
      ? text
      : Object.assign(new TypeError("s3cret"), {
          ...(text !== "TypeError" && {
            name: "PlatformError",
            code: "conflict",
            retryAfterMs: 2,
          }),
        });
  const retryAfterMs = wait === undefined ? undefined : Number(wait);
  return new PlatformError(code, "no.", {
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

describe("the error of a call that a plugin refuses, after as many attempts as do no harm", () => {
  useRecorded(recorded("refusals"), async (input, name) => {
    const thrown = createThrown(input);
    let attempts = 0;
    const refuse = async () => {
      attempts += 1;
      // oxlint-disable-next-line typescript/only-throw-error
      throw thrown;
    };
    const platform = connectTestPlatform({ check: refuse, writeBack: refuse });
    const provider = connectedEsign<unknown>({ ...esign, start: refuse }, {});
    const calls: Record<string, () => Promise<unknown>> = {
      check: () => platform.check({ maxWaitMs: 60_000 }),
      writeBack: () => platform.writeBack(cell, [file], "append"),
      start: () => provider.start(request),
    };
    const error: unknown = await calls[name]?.().catch((one: unknown) => one);
    if (!(error instanceof PlatenError)) throw error;
    return [
      `${error.code}: ${error.message}`,
      `attempts ${attempts}, retryable ${isRetryable(error)}, after ${error.retryAfterSeconds ?? "?"} s, rate limit ${getRateLimitDelay(error) ?? "-"} ms, ambiguous ${isAmbiguous(error)}, platform error ${findPlatformError(error)?.code ?? "-"}`,
    ];
  });
});

describe("the refusal of files that a platform cannot get", () => {
  useRecorded(recorded("files"), async (input, mode) => {
    const changes: unknown = JSON.parse(input);
    const platform = connectTestPlatform({
      capabilities: { ...testPlatform.capabilities, ...Object(changes) },
      writeBack: async () => [],
      writeBackMany: async () => [],
    });
    const write = mode === "append" ? "append" : "replace";
    const publicUrl = async () => "https://a.example/f";
    const shared = { ...file, publicUrl };
    const lines: string[] = [];
    for (const files of [[shared], [shared, file]]) {
      const writes = [{ recordId: "r1", files }];
      const alone = await outcomeOf(() =>
        platform.writeBack(cell, files, write),
      );
      expect(
        await outcomeOf(() => platform.writeBackMany(cell, writes, write)),
      ).to.equal(alone);
      lines.push(alone);
    }
    return lines;
  });
});

/** With the code of each character that cannot be seen. */
const escapeInvisible = (text: string) =>
  text.replaceAll(
    /[^\u0020-\u007e]/gu,
    (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`,
  );

describe("a request for a signature, fitted to its provider", () => {
  useRecorded(recorded("sign-requests"), async (input, title) => {
    const given: unknown = JSON.parse(input);
    let sent: SignRequest | undefined;
    const provider = connectedEsign<unknown>(
      {
        ...esign,
        capabilities: { ...esign.capabilities, ...(isObject(given) && given) },
        start: async (_context, fitted) => {
          sent = fitted;
          return { externalId: "e1", signers: [], warnings: ["its own"] };
        },
      },
      {},
    );
    const text = String(given);
    const signed: SignRequest = title.startsWith("texts")
      ? {
          ...request,
          title: text,
          pdf: { ...request.pdf, name: text },
          fields: [box("Buyer", { id: "f", name: text, options: [text] })],
          submitters: [
            {
              role: "Buyer",
              email: "b",
              order: 0,
              name: text,
              values: { [text]: { [text]: [text, 1] }, [`${text}2`]: 1 },
            },
          ],
          message: { subject: text, body: text },
        }
      : request;
    const warnings = await outcomeOf(
      async () => (await provider.start(signed)).warnings,
    );
    if (sent === undefined) return [warnings];
    const list = (one: SignRequest) =>
      Object.entries({ ...one, pdf: one.pdf.name }).map(
        ([name, value]) => `${name}: ${JSON.stringify(value)}`,
      );
    const [before, after] = [list(signed), list(sent)];
    return [
      warnings,
      ...after.filter((line) => !before.includes(line)),
      ...Object.keys(signed)
        .filter((name) => sent && !(name in sent))
        .map((name) => `no ${name}`),
    ].map(escapeInvisible);
  });
});

describe("the problems of credentials, and which of them are public", () => {
  useRecorded(recorded("credentials"), async (input) => {
    const [schema, value]: unknown[] = JSON.parse(input);
    const compiled = await CredentialsSchema.compile(Object(schema));
    return [
      ...compiled
        .validate(value, "$")
        .map((problem) => Object.values(problem).join(" | ")),
      `public: ${JSON.stringify(compiled.pickPublic(Object(value)))}`,
    ];
  });
});
