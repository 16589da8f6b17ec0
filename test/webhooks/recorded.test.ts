import { expect } from "chai";
import { Not } from "typeorm";
import { operator } from "../../core/accounts/index.js";
import { AuditEvent } from "../../core/storage/database/index.js";
import { PlatenError } from "../../core/plugin-api/index.js";
import {
  type EndpointInput,
  webhookEventSchema,
} from "../../core/webhooks/index.js";
import { useRecorded } from "../support/recorded.js";
import { anyDatabase } from "../support/store.js";
import { useReceiver, useWebhooks } from "../support/webhooks.js";

anyDatabase((open) =>
  describe("a delivery:", () => {
    const harness = useWebhooks(open, { schedule: [1, 1] });
    const receiver = useReceiver();
    afterEach(() => receiver.forget());

    /** Gives these answers one after the other; the last one again and again. */
    function answer(texts: readonly string[]): void {
      receiver.answer((_arrived, response) => {
        const at = Math.min(receiver.received.length, texts.length) - 1;
        const [status = "", ...words] = (texts[at] ?? "").split(" ");
        const body = words.join(" ");
        if (status === "closed") response.destroy();
        else if (status === "cut") {
          response.writeHead(200).write("thank");
          setImmediate(() => response.destroy());
        } else if (status === "long")
          response.writeHead(200).end("x".repeat(20_000));
        else if (body.startsWith("/"))
          response.writeHead(Number(status), { location: body }).end();
        else response.writeHead(Number(status)).end(body);
      });
    }

    useRecorded(
      new URL("recorded.txt", import.meta.url),
      async (input, title) => {
        receiver.forget();
        const [, kind, list = ""] =
          /^(?:(event|test) )?(.*)$/.exec(input) ?? [];
        const isTest =
          kind === "test" || title.startsWith("what becomes of a test");
        answer(list.split(", "));
        const { endpoints, deliveries } = harness.events;
        const { id, organizationId, batch } = await harness.subscribe(receiver);
        const event = batch.succeeded();
        const recordEvent = async () => {
          await harness.record(event);
          const [row] = await harness.waitUntilSettled({ id });
          return row?.id ?? "";
        };
        const disable = () =>
          endpoints.change(organizationId, id, { isEnabled: false }, operator);
        if (title.endsWith("disabled")) await disable();
        const deliveryId = isTest
          ? (await deliveries.test(organizationId, id)).id
          : await recordEvent();
        const { message, attempts, ...view } = await deliveries.get(
          organizationId,
          id,
          deliveryId,
        );
        webhookEventSchema.parse(message);
        for (const { durationMs } of attempts)
          expect(durationMs).to.be.within(0, 60_000);
        const endpoint = await endpoints.get(organizationId, id);
        const notes = await harness.store.read.findBy(AuditEvent, {
          subject: id,
          action: Not("webhook.created"),
        });
        const names: Record<string, string> = {
          [id]: "the endpoint",
          [deliveryId]: "the delivery",
          [view.eventId]: "the event",
          [organizationId]: "the organization",
          [String(view.batchId)]: "the batch",
          [String(view.documentId)]: "the document",
        };
        return [
          show(view, names),
          ...attempts.map((one) => show(one, names)),
          show({ ...endpoint, events: endpoint.events.length }, names),
          ...notes.map(({ action, details }) =>
            show({ action, details }, names),
          ),
          `arrived: ${receiver.received.map(({ path }) => path).join(" ")}`,
        ];
      },
    );

    let owner = "";
    let current = "";
    const all = { since: new Date(0), until: new Date("2999-01-01") };
    const commands: Record<
      string,
      (given: ReturnType<JSON["parse"]>) => Promise<object>
    > = {
      create: async (input: EndpointInput) => {
        const made = await harness.endpoint(owner, input);
        current = made.id;
        return made;
      },
      get: () => harness.events.endpoints.get(owner, current),
      change: (patch: object) =>
        harness.events.endpoints.change(owner, current, patch, operator),
      rotate: (how: { revokeNow: boolean }) =>
        harness.events.endpoints.rotateSecret(owner, current, how, operator),
      remove: () => harness.events.endpoints.remove(owner, current, operator),
      list: () => harness.events.endpoints.list(owner, pageOf(10)),
      stranger: async () =>
        harness.events.endpoints.get(await harness.newOrganization(), current),
      replay: (id: string) =>
        harness.events.deliveries.replay(owner, current, id),
      range: (more: object) =>
        harness.events.deliveries.replayRange(owner, current, {
          ...all,
          ...more,
        }),
      deliveries: () =>
        harness.events.deliveries.list(owner, current, pageOf(10)),
      test: () => harness.events.deliveries.test(owner, current),
      notes: async () => {
        const notes = await harness.store.read.find(AuditEvent, {
          where: { subject: current },
          order: { id: "ASC" },
        });
        return notes.map(({ action, details }) => ({ action, details }));
      },
    };

    useRecorded(new URL("endpoints.txt", import.meta.url), async (input) => {
      const whole = input.replaceAll(
        /⟦(.)×(\d+)⟧/g,
        (_, part: string, count: string) => part.repeat(Number(count)),
      );
      const [, name = "", json = "null"] =
        /^(\w+)(?: (.*))?$/.exec(whole) ?? [];
      if (current === "") owner = await harness.newOrganization();
      const names = { [owner]: "the organization" };
      try {
        const found = await commands[name]?.(JSON.parse(json));
        return [show({ ...found }, { ...names, [current]: "the endpoint" })];
      } catch (error) {
        if (!(error instanceof PlatenError)) throw error;
        return [`${error.code}: ${error.message}`];
      }
    });
  }),
);

const pageOf = (pageSize: number) => ({ page: 1, pageSize });

/** As JSON, without what is different each time. */
function show(value: object, names: Record<string, string>): string {
  return JSON.stringify(value, (key, one: unknown) => {
    if (key === "durationMs") return undefined;
    if (typeof one !== "string") return one;
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(one)) return "then";
    if (one.startsWith("whsec_")) return `whsec_ and ${one.length - 6} more`;
    if (one.length > 1000) return `${one.length} characters`;
    return (names[one] ?? one).replace(/127\.0\.0\.1:\d+/, "receiver");
  });
}
