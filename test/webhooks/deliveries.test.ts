import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { describe, it, afterEach } from "mocha";
import { Webhook } from "standardwebhooks";
import { operator } from "../../core/accounts/index.js";
import { newId, WebhookDelivery } from "../../core/storage/database/index.js";
import {
  type ServiceEvent,
  webhookEventSchema,
  type EndpointView,
  type EndpointWithSecret,
} from "../../core/webhooks/index.js";
import { until } from "../support/eventually.js";
import { suiteFolder } from "../support/store-folder.js";
import { anyDatabase, eachDatabase } from "../support/store.js";
import {
  TestBatch,
  useWebhooks,
  useReceiver,
  verified,
  answers,
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
      await harness.endpoint(await harness.newOrganization(), {
        url: receiver.url,
      });
      const event = new TestBatch(organizationId).succeeded({ order: 7 });
      await harness.record(event);
      const [delivery] = await harness.waitUntilSettled(all);
      expect(receiver.received).to.have.length(1);
      const [arrived] = receiver.received;
      if (!arrived || !delivery) throw new Error("nothing arrived");
      expect(arrived.path).to.equal("/hook/all");
      expect(arrived.message).to.have.all.keys("type", "timestamp", "data");
      expect(arrived.type).to.equal("document.succeeded");
      expect(arrived.data).to.deep.equal(event.data);
      expect(arrived.headers).to.include({
        "content-type": "application/json",
        "user-agent": "Platen tests",
      });
      expect(arrived.id).to.equal(delivery.id);
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
      const organizationId = await harness.newOrganization();
      const input = { url: receiver.url };
      const endpoint = await harness.endpoint(organizationId, input);
      await harness.record(make(new TestBatch(organizationId)));
      await harness.waitUntilSettled(endpoint);
      const [arrived] = receiver.received;
      if (!arrived) throw new Error("nothing arrived");
      return arrived;
    };

    for (const [what, make, shortened] of [
      [
        "metadata",
        (batch) => batch.succeeded({ notes: "ß".repeat(10_000) }),
        { metadata: {} },
      ],
      [
        "a long error",
        (batch) => failed(batch, "x".repeat(20_000)),
        { metadata: {}, error: "x".repeat(2000) },
      ],
      [
        "a long list of outputs",
        (batch) => change(batch.succeeded(), { outputs: many(output) }),
        { metadata: {}, outputs: many(output).slice(0, 20) },
      ],
      [
        "a long list of those who sign",
        (batch) => change(batch.declined(), { submitters: many(submitter) }),
        {
          metadata: {},
          outputs: [],
          submitters: many(submitter).slice(0, 20),
        },
      ],
    ] as [string, (batch: TestBatch) => ServiceEvent, object][])
      it(`shortens ${what} and what is left out before it, and names them`, async () => {
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

    for (const event of ["succeeded", "declined", "completed"] as const)
      it(`is what the reference describes: ${event}`, async () => {
        const { text } = await sent((batch) => batch[event]());
        const message: unknown = JSON.parse(text);
        expect(webhookEventSchema.parse(message)).to.deep.equal(message);
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
      const organizationId = await harness.newOrganization();
      await harness.endpoint(organizationId, { url: receiver.url });
      receiver.answer(({ type }, response) => {
        response.writeHead(type === "signature.declined" ? 500 : 204).end();
      });
      const batch = new TestBatch(organizationId);
      await harness.record(batch.declined());
      await receiver.waitFor(1);
      await harness.record(batch.succeeded(), batch.completed());
      const [first, , last] = await receiver.waitFor(3);
      expect(first?.type).to.equal("signature.declined");
      expect(last).to.deep.include({ type: "documents.completed" });
      expect(last?.message).not.to.have.any.keys("exhausted", "pending");
    });

    it("of a document without a batch is sent", async () => {
      const organizationId = await harness.newOrganization();
      const endpoint = await harness.endpoint(organizationId, {
        url: receiver.url,
        events: ["signature.declined"],
      });
      receiver.forget();
      await harness.record(new TestBatch(organizationId).declined(null));
      await harness.waitUntilSettled(endpoint);
      expect(receiver.received[0]?.data).to.include({ batchId: null });
    });
  });
});

anyDatabase((open) => {
  describe("while a secret rotates", () => {
    const harness = useWebhooks(open);
    const receiver = useReceiver();
    afterEach(() => receiver.forget());

    const rotated = async (revokeNow: boolean) => {
      const organizationId = await harness.newOrganization();
      const input = { url: receiver.url };
      const made = await harness.endpoint(organizationId, input);
      const { secret } = await harness.events.endpoints.rotateSecret(
        organizationId,
        made.id,
        { revokeNow },
        operator,
      );
      await harness.record(new TestBatch(organizationId).succeeded());
      await harness.waitUntilSettled(made);
      const [arrived] = receiver.received;
      if (!arrived) throw new Error("nothing arrived");
      return { old: made.secret, secret, arrived };
    };

    it("a delivery is signed with both secrets, so that either verifies it", async () => {
      const { old, secret, arrived } = await rotated(false);
      verified(secret, arrived);
      verified(old, arrived);
      expect(arrived.headers["webhook-signature"]).to.match(/^v1,\S+ v1,\S+$/);
    });

    it("a secret that is revoked at once no longer signs", async () => {
      const { old, secret, arrived } = await rotated(true);
      verified(secret, arrived);
      expect(() => verified(old, arrived)).to.throw("No matching signature");
    });
  });
});

anyDatabase((open) => {
  describe("a receiver that", () => {
    const harness = useWebhooks(open, { schedule: [1, 1] });
    const receiver = useReceiver();
    afterEach(() => receiver.forget());

    const begin = async (url = receiver.url) => {
      const organizationId = await harness.newOrganization();
      const endpoint = await harness.endpoint(organizationId, { url });
      await harness.record(new TestBatch(organizationId).succeeded());
      return endpoint;
    };
    const view = ({ organizationId, id }: EndpointWithSecret) =>
      harness.events.endpoints.get(organizationId, id);

    it("answers 410 is disabled, and later events are not sent", async () => {
      receiver.answer(answers(410));
      const endpoint = await begin();
      await harness.waitUntilSettled(endpoint);
      const disabled: EndpointView = await view(endpoint);
      expect(disabled.isEnabled).to.equal(false);
      expect(disabled.disabledReason).to.equal(
        "The receiver answered 410 Gone.",
      );
      await harness.record(new TestBatch(endpoint.organizationId).succeeded());
      await until("the second event's delivery", () =>
        harness.store.read
          .countBy(WebhookDelivery, { endpointId: endpoint.id })
          .then((count) => count === 2),
      );
      const [, second] = await harness.waitUntilSettled(endpoint);
      expect(second).to.include({ status: "exhausted", attempts: 0 });
      expect(second?.lastError).to.equal(
        "The endpoint was disabled or deleted before this could be sent.",
      );
      expect(receiver.received).to.have.length(1);
    });

    it("resolves to a private address is not called", async () => {
      const endpoint = await begin("https://inside.example/");
      const [delivery] = await harness.waitUntilSettled(endpoint);
      expect(delivery).to.include({
        status: "exhausted",
        lastStatus: null,
        lastError:
          "inside.example is not on the public internet. The operator of the service can allow its network with PLATEN_ALLOW_PRIVATE_NETWORKS.",
      });
    });
  });
});

eachDatabase((open) => {
  describe("the statistics of deliveries", () => {
    const harness = useWebhooks(open, { schedule: [3_600_000] });
    const receiver = useReceiver();

    it("count deliveries in progress and attempts by outcome", async () => {
      receiver.answer((_arrived, response) => {
        response.writeHead(receiver.received.length === 1 ? 204 : 500).end();
      });
      const organizationId = await harness.newOrganization();
      await harness.endpoint(organizationId, { url: receiver.url });
      const batch = new TestBatch(organizationId);
      await harness.record(
        batch.succeeded(),
        batch.succeeded(),
        batch.completed(),
      );
      const { dispatch } = harness.events;
      const stats = await until("both attempts", async () => {
        const now = await dispatch.stats();
        const isOver = now.attempts.refused === 1 && now.pending === 1;
        return isOver && now.oldestDueSeconds === 0 ? now : null;
      });
      expect(stats).to.deep.equal({
        unrelayed: 0,
        pending: 1,
        held: 1,
        oldestDueSeconds: 0,
        attempts: { delivered: 1, refused: 1, unreachable: 0 },
      });
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
