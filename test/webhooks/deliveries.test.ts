import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { z } from "zod";
import { operator } from "../../core/accounts/index.js";
import {
  newId,
  WebhookDelivery,
  WebhookEndpoint,
} from "../../core/storage/database/index.js";
import {
  type ServiceEvent,
  webhookEventSchema,
} from "../../core/webhooks/index.js";
import { useClock } from "../support/clock.js";
import { until } from "../support/eventually.js";
import { fastClock } from "../support/fast-clock.js";
import { recordingLog } from "../support/recording-log.js";
import { readRows } from "../support/rows.js";
import { suiteFolder } from "../support/store-folder.js";
import {
  anyDatabase,
  eachDatabase,
  newOrganization,
} from "../support/store.js";
import {
  eventsOn,
  TestBatch,
  testSecret,
  useWebhooks,
  useReceiver,
  verified,
  type WebhookHarness,
} from "../support/webhooks.js";

anyDatabase((open) => {
  describe("an event", () => {
    const harness = useWebhooks(open);
    const receiver = useReceiver();

    it("arrives once at each subscribed endpoint, signed, with exactly its payload", async () => {
      const organizationId = await harness.newOrganization();
      const url = `${receiver.url}/all`;
      const all = await harness.endpoint(organizationId, { url });
      await harness.endpoint(organizationId, {
        url: receiver.url,
        events: ["document.failed"],
      });
      const stranger = await harness.newOrganization();
      const input = { url: `${receiver.url}/stranger` };
      const other = await harness.endpoint(stranger, input);
      const event = new TestBatch(organizationId).succeeded({ order: 7 });
      // Of both organizations in one transaction, and so in one relay.
      await harness.record(event, new TestBatch(stranger).succeeded());
      const [delivery, ...more] = await harness.waitUntilSettled(all);
      expect(more).to.deep.equal([]);
      expect(await harness.waitUntilSettled(other)).to.have.length(1);
      expect(receiver.received).to.have.length(2);
      const arrived = receiver.received.find(({ id }) => id === delivery?.id);
      if (!arrived || !delivery) throw new Error("nothing arrived");
      expect(arrived.path).to.equal("/hook/all");
      expect(arrived.message).to.have.all.keys("type", "timestamp", "data");
      expect(arrived.type).to.equal("document.succeeded");
      expect(arrived.data).to.deep.equal(event.data);
      expect(arrived.headers).to.include({
        "content-type": "application/json",
        "user-agent": "Platen tests",
      });
      expect(verified(all.secret, arrived)).to.deep.equal(arrived.message);
      expect(() => verified(`whsec_${btoa("x".repeat(32))}`, arrived)).to.throw(
        "No matching signature",
      );
    });
  });
});

function many(item: object): object[] {
  return Array.from({ length: 200 }, () => item);
}

const [output] = Object(new TestBatch("").succeeded().data).outputs;
const submitter = {
  role: "Customer",
  email: "ada@example.com",
  name: "Ada Lovelace",
  status: "declined" as const,
  reason: "It names the wrong address, which nobody has lived at for years.",
};
const failed = (batch: TestBatch, error: string): ServiceEvent => {
  const { data } = batch.succeeded();
  const { batchId, organizationId } = data;
  return {
    type: "document.failed",
    data: {
      documentId: newId("doc"),
      batchId: batchId ?? "",
      organizationId,
      status: "failed",
      error,
      metadata: {},
      warningCount: 0,
      completedAt: new Date().toISOString(),
    },
  };
};
const change = (event: ServiceEvent, changes: object): ServiceEvent => ({
  ...event,
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  data: { ...event.data, ...changes } as never,
});

anyDatabase((open) => {
  describe("a message", () => {
    const harness = useWebhooks(open);
    const receiver = useReceiver();
    afterEach(() => receiver.forget());

    const sent = async (make: (batch: TestBatch) => ServiceEvent) => {
      const endpoint = await harness.subscribe(receiver);
      await harness.record(make(endpoint.batch));
      await harness.waitUntilSettled(endpoint);
      const [arrived] = receiver.received;
      if (!arrived) throw new Error("nothing arrived");
      return arrived;
    };

    const metadata = {};
    const error = "x".repeat(2000);
    const outputs = many(output);
    const submitters = many(submitter).slice(0, 20);
    const events: [string, (batch: TestBatch) => ServiceEvent, object][] = [
      ["metadata", (to) => to.succeeded({ notes: "ß".repeat(1e4) }), {}],
      ["a long error", (to) => failed(to, error.repeat(10)), { error }],
      [
        "a long list of outputs",
        (to) => change(to.succeeded(), { outputs }),
        { outputs: outputs.slice(0, 20) },
      ],
      [
        "a long list of those who sign",
        (to) => change(to.declined(), { submitters: many(submitter) }),
        { outputs: [], submitters },
      ],
    ];
    for (const [what, make, more] of events)
      it(`shortens ${what} and what is left out before it, and names them`, async () => {
        const shortened = { metadata, ...more };
        let event: ServiceEvent | undefined;
        const { message } = await sent((batch) => (event = make(batch)));
        const { timestamp, ...others } = message;
        expect(new Date(String(timestamp)).toISOString()).to.equal(timestamp);
        expect(webhookEventSchema.parse(message)).to.deep.equal(message);
        expect(others).to.deep.equal({
          type: event?.type,
          data: { ...event?.data, ...shortened },
          truncated: Object.keys(shortened),
        });
      });

    it("is complete when it is smaller than 20,000 bytes", async () => {
      const { text } = await sent((batch) => batch.succeeded({ notes: "" }));
      const left = 20_000 - Buffer.byteLength(text);
      for (const [length, truncated] of [
        [left - 1, undefined],
        [left, ["metadata"]],
      ] as const) {
        receiver.forget();
        const notes = "x".repeat(length);
        const { message, data } = await sent((batch) =>
          batch.succeeded({ notes }),
        );
        expect(message.truncated).to.deep.equal(truncated);
        expect(data.metadata).to.deep.equal(truncated ? {} : { notes });
      }
    });
  });
});

anyDatabase((open) => {
  describe("a signature's event", () => {
    const harness = useWebhooks(open, { schedule: [60 * 60_000] });
    const receiver = useReceiver();

    it("does not delay its batch's completion, and is not delayed by it", async () => {
      const { batch } = await harness.subscribe(receiver);
      receiver.answer(({ type }, response) => {
        response.writeHead(type === "signature.declined" ? 500 : 204).end();
      });
      await harness.record(batch.declined());
      await receiver.waitFor(1);
      await harness.record(batch.succeeded(), batch.completed());
      const [first, , last] = await receiver.waitFor(3);
      expect(first?.type).to.equal("signature.declined");
      expect(last).to.deep.include({ type: "documents.completed" });
      expect(last?.message).not.to.have.any.keys("exhausted", "pending");
    });

    it("of a document without a batch is sent", async () => {
      const events = ["signature.declined"];
      const endpoint = await harness.subscribe(receiver, { events });
      receiver.forget();
      await harness.record(endpoint.batch.declined(null));
      await harness.waitUntilSettled(endpoint);
      expect(receiver.received[0]?.data).to.include({ batchId: null });
    });
  });
});

/** A part of a JSON Schema in few words, with its references followed. */
function outline(part: unknown, definitions: object): string {
  const {
    $ref,
    type,
    items,
    properties,
    required = [],
    ...rest
  } = Object(part);
  if ($ref) {
    const [, name] = String($ref).split("#/$defs/");
    return outline(Object(definitions)[name ?? ""], definitions);
  }
  if (rest.const || rest.enum)
    return [rest.const ?? rest.enum].flat().join("|");
  if (items) return `[${outline(items, definitions)}]`;
  if (!properties) return [type, rest.format].flat().filter(Boolean).join("|");
  const fields = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? "" : "?";
    return `${name}${mark} ${outline(field, definitions)}`;
  });
  if (rest.additionalProperties !== false) fields.push("others");
  return `{ ${fields.join(", ")} }`;
}

const batchFields = "batchId string, organizationId string";
const ended = "completedAt string|date-time";
const documentFields = `documentId string, ${batchFields}, metadata object, warningCount integer, ${ended}`;
const outputs =
  "outputs [{ label string, storageKey string, url string, mimeType string, sizeBytes integer, checksum string }]";
const signatureFields = `signatureId string, documentId string, batchId string|null, organizationId string, provider string, submitters [{ role string, email string, name string|null, status waiting|sent|opened|completed|declined, reason string|null }], ${outputs}, metadata object, ${ended}`;

/** The type, what it says, its data, and what may stand beside that. */
const messageTypes = readRows(`
document.succeeded | A document of a batch was rendered. | ${documentFields}, status succeeded, ${outputs}
document.failed | A document of a batch failed, its retries included. | ${documentFields}, status failed, error string
document.expired | A document of a batch expired before it was rendered. | ${documentFields}, status expired, error string
documents.completed | Every document of the batch has ended. | ${batchFields}, totalDocuments integer, succeededCount integer, failedCount integer, expiredCount integer, ${ended} | exhausted? [string], holdEnded? boolean, pending? [string],
signature.completed | Everyone has signed. | ${signatureFields}, status completed
signature.declined | Somebody refused to sign. | ${signatureFields}, status declined
signature.expired | It was not signed in time. | ${signatureFields}, status expired
document.saved | The write-back of a document's files to its record has ended. Only for endpoints that name this event. | documentId string, ${batchFields}, status succeeded|failed, error? string, recordId string, field string, metadata object, ${ended}
documents.saved | Every document of the batch and all of their write-backs have ended. Only for endpoints that name this event. | ${batchFields}, totalDocuments integer, savedCount integer, failedCount integer, ${ended}
webhook.test | A test was requested. No endpoint subscribes to it. | webhookId string, organizationId string
`);

describe("the schema of messages", () => {
  it("has each type with what it says and its fields, and no others", () => {
    const { $defs = {} } = z.toJSONSchema(webhookEventSchema);
    const messages = Object.entries($defs).filter(
      ([, { properties }]) => properties?.["type"],
    );
    expect(
      messages.map(([name, message]) => [
        name,
        message.description,
        outline(message, $defs),
      ]),
    ).to.deep.equal(
      messageTypes.map(([type = "", description, data, notes = ""]) => [
        `${type.replaceAll(/(?:^|\.)(.)/g, (_, first: string) => first.toUpperCase())}Event`,
        description,
        `{ type ${type}, timestamp string|date-time, data { ${data} }, ${notes && `${notes} `}truncated? [string] }`,
      ]),
    );
  });
});

const overlapMs = 60 * 60_000;

anyDatabase((open) => {
  describe("while a secret rotates", () => {
    let now = Date.now();
    useClock({ ...fastClock, now: () => now });
    const harness = useWebhooks(open, { overlapMs });
    const without = useWebhooks(open, { overlapMs: 0 });
    const receiver = useReceiver();
    afterEach(() => receiver.forget());

    for (const [title, { revokeNow, waitMs, at }, isOldValid] of [
      ["for the time of the overlap", { waitMs: overlapMs - 1 }, true],
      ["and not after it", { waitMs: overlapMs }, false],
      ["unless it is revoked", { revokeNow: true }, false],
      ["unless there is no overlap", { at: () => without }, false],
    ] as [
      string,
      { revokeNow?: boolean; waitMs?: number; at?: () => WebhookHarness },
      boolean,
    ][])
      it(`the old one signs too, ${title}`, async () => {
        const { organizationId, ...made } = await harness.subscribe(receiver);
        const { endpoints } = (at?.() ?? harness).events;
        const rotated = await endpoints.rotateSecret(
          organizationId,
          made.id,
          { revokeNow: revokeNow ?? false },
          operator,
        );
        const hasOverlap = !revokeNow && !at;
        const end = new Date(now + overlapMs).toISOString();
        expect(rotated.previousSecretUntil).to.equal(hasOverlap ? end : null);
        now += waitMs ?? 0;
        expect(await endpoints.get(organizationId, made.id)).to.include({
          previousSecretUntil: isOldValid ? end : null,
        });
        await harness.deliver(made);
        const [arrived] = receiver.received;
        const header = String(arrived?.headers["webhook-signature"]);
        const seconds = Number(arrived?.headers["webhook-timestamp"]);
        expect(seconds).to.equal(Math.floor(now / 1000));
        const secrets = [rotated.secret, ...(isOldValid ? [made.secret] : [])];
        const signatures = secrets.map((secret) =>
          new Webhook(secret).sign(
            arrived?.id ?? "",
            new Date(seconds * 1000),
            arrived?.text ?? "",
          ),
        );
        expect(header.split(" ")).to.deep.equal(signatures);
      });
  });
});

anyDatabase((open) => {
  describe("the secrets of endpoints", () => {
    it("are sealed again when the service's own secret changes, but for those that cannot be read", async () => {
      const store = await open();
      const later = `${testSecret}, and a later one`;
      const on = (...secrets: [string, ...string[]]) =>
        eventsOn(store, {}, { secrets }).events.endpoints;
      const organizationId = await newOrganization(store);
      const url = "http://127.0.0.1/";
      const create = (endpoints: ReturnType<typeof on>) =>
        endpoints.create(organizationId, { url }, operator);
      const old = await create(on(testSecret));
      const rotated = await create(on(testSecret));
      const revokeNow = { revokeNow: false };
      const rotate = (
        endpoints: ReturnType<typeof on>,
        { id }: { id: string },
      ) => endpoints.rotateSecret(organizationId, id, revokeNow, operator);
      await rotate(on(testSecret), rotated);
      // Its present secret is sealed with the later one already, the previous one is not.
      const half = await create(on(testSecret));
      await rotate(on(later, testSecret), half);
      await create(on(later));
      const foreign = await create(on("a secret that nobody knows any more"));
      const removed = await create(on(testSecret));
      await on(testSecret).remove(organizationId, removed.id, operator);
      // More than are read at once.
      await store.unitOfWork.run(async (tx) => {
        const row = await tx.findOneByOrFail(WebhookEndpoint, { id: old.id });
        const { secret } = await tx.findOneByOrFail(WebhookEndpoint, {
          id: foreign.id,
        });
        const copies = Array.from({ length: 100 }, () => {
          const copy = { id: newId(), secret };
          return Object.assign(new WebhookEndpoint(), row, copy);
        });
        await tx.insert(WebhookEndpoint, copies);
      });
      const first = await on(later, testSecret).reseal();
      expect(first.count).to.equal(3);
      expect(first.unreadable).to.have.length(101).and.include(foreign.id);
      for (const endpoints of [on(later, testSecret), on(later)])
        expect(await endpoints.reseal()).to.deep.equal({
          count: 0,
          unreadable: first.unreadable,
        });
    });
  });
});

anyDatabase((open) => {
  describe("a message that cannot be sent", () => {
    const harness = useWebhooks(open, { schedule: [1, 1] });
    const url = "http://127.0.0.1:1/";

    for (const [reason, changes, lastError] of [
      [
        "the receiver resolves to a private address",
        { url: "https://inside.example/" },
        "inside.example is not on the public internet. The operator of the service can allow its network with PLATEN_ALLOW_PRIVATE_NETWORKS.",
      ],
      [
        "the secret that signs it cannot be read",
        { secret: "lost" },
        "A saved secret cannot be decrypted because the service's own secret changed. Add the old one to PLATEN_PREVIOUS_SECRETS, or enter the saved secret again.",
      ],
    ] as const)
      it(`is exhausted with the reason: ${reason}`, async () => {
        const endpoint = await harness.subscribe({ url });
        const { id } = endpoint;
        await harness.store.unitOfWork.run((tx) =>
          tx.update(WebhookEndpoint, { id }, changes),
        );
        expect(await harness.deliver(endpoint)).to.include({
          status: "exhausted",
          attempts: 3,
          lastStatus: null,
          lastError,
        });
      });
  });
});

eachDatabase((open) => {
  describe("the statistics and the log of deliveries", () => {
    const { log, text } = recordingLog();
    const harness = useWebhooks(open, { schedule: [3_600_000] }, { log });
    const receiver = useReceiver();

    it("count deliveries in progress and attempts by outcome, and name each attempt", async () => {
      receiver.answer((_arrived, response) => {
        response.writeHead(receiver.received.length === 1 ? 204 : 500);
        response.end("an answer");
      });
      const { id, batch } = await harness.subscribe(receiver);
      const { dispatch } = harness.events;
      const attempt = async (outcome: "delivered" | "refused") => {
        await harness.record(batch.succeeded());
        await until(outcome, () => dispatch.attempts()[outcome] === 1);
      };
      await attempt("delivered");
      await attempt("refused");
      await harness.record(batch.completed());
      const stats = await until("the backlog", async () => {
        const now = await dispatch.stats();
        return now.held === 1 && now.oldestDueSeconds === 0 ? now : null;
      });
      expect(stats).to.deep.equal({
        unrelayed: 0,
        pending: 1,
        held: 1,
        oldestDueSeconds: 0,
        attempts: { delivered: 1, refused: 1, unreachable: 0 },
      });
      // As if the next attempt were due for a minute, and nobody made it.
      await harness.queue.stop(0);
      await harness.store.unitOfWork.run(async (tx) => {
        const nextAttemptAt = new Date(Date.now() - 60_000);
        const pending = { status: "pending" } as const;
        await tx.update(WebhookDelivery, pending, { nextAttemptAt });
      });
      const { oldestDueSeconds } = await dispatch.stats();
      expect(oldestDueSeconds).to.be.within(50, 600);
      const lines = text()
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(
        lines.map(({ time: _time, deliveryId: _id, ...line }) => ({
          ...line,
          startedAt: typeof line.startedAt,
          durationMs: typeof line.durationMs,
        })),
      ).to.deep.equal(
        [
          { outcome: "delivered", status: 204, error: null },
          {
            outcome: "refused",
            status: 500,
            error: "The receiver answered 500; only 2xx counts as success.",
          },
        ].map((line) => ({
          level: "debug",
          msg: "webhook attempt",
          endpointId: id,
          batchId: batch.batchId,
          body: null,
          retryAfterMs: null,
          startedAt: "string",
          durationMs: "number",
          ...line,
        })),
      );
    });
  });
});

const page = readFileSync("docs/how-to/receive-webhooks.md", "utf8");

/** The first piece of code of the page in this language. */
function snippet(language: string): string {
  const [, code] =
    new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page) ?? [];
  if (code === undefined) throw new Error(`no ${language} on the page`);
  return code;
}

const runs: Record<string, (folder: string) => string> = {
  js: (folder) => {
    const file = join(folder, "receiver.mjs");
    const ask = `const [secret, headers, body] = JSON.parse(process.argv[2]);
      console.log(verify(secret, headers, body).type);`;
    writeFileSync(file, `${snippet("js")}\n${ask}`);
    return file;
  },
  python: (folder) => {
    const file = join(folder, "receiver.py");
    const ask = 'import sys\nprint(verify(*json.loads(sys.argv[1]))["type"])\n';
    writeFileSync(file, `${snippet("python")}\n${ask}`);
    return file;
  },
};

const programs: Record<string, string> = {
  js: process.execPath,
  python: "python3",
};

describe("the verification code in docs/how-to/receive-webhooks.md", () => {
  const folder = suiteFolder();
  const secret = `whsec_${Buffer.from("k".repeat(32)).toString("base64")}`;
  const body = JSON.stringify({ type: "webhook.test", data: { ü: "→" } });
  const createHeaders = (sentAt: Date) => ({
    "webhook-id": "msg_1",
    "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
    "webhook-signature": `v1,bm90IHRoaXMgb25l ${new Webhook(secret).sign("msg_1", sentAt, body)}`,
  });
  const verify = (language: string, text: string, sentAt = new Date()) => {
    const file = runs[language]?.(folder) ?? "";
    const call = JSON.stringify([secret, createHeaders(sentAt), text]);
    const program = programs[language] ?? "";
    const stdio = ["ignore", "pipe", "ignore"] as const;
    return execFileSync(program, [file, call], {
      stdio: [...stdio],
    }).toString();
  };

  for (const language of Object.keys(programs))
    it(`accepts only a valid message, in ${language}`, () => {
      expect(verify(language, body).trim()).to.equal("webhook.test");
      expect(() => verify(language, `${body} `)).to.throw("Command failed");
      const old = new Date(Date.now() - 600_000);
      expect(() => verify(language, body, old)).to.throw("Command failed");
    });
});
