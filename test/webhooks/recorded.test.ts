import { expect } from "chai";
import { afterEach, describe } from "mocha";
import { Not } from "typeorm";
import { operator } from "../../core/accounts/index.js";
import { AuditEvent } from "../../core/storage/database/index.js";
import { webhookEventSchema } from "../../core/webhooks/index.js";
import { useRecorded } from "../support/recorded.js";
import { anyDatabase } from "../support/store.js";
import { TestBatch, useReceiver, useWebhooks } from "../support/webhooks.js";

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
        const organizationId = await harness.newOrganization();
        const { id } = await harness.endpoint(organizationId, {
          url: receiver.url,
        });
        const event = new TestBatch(organizationId).succeeded();
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
        const show = (value: object) =>
          JSON.stringify(value, (key, one: unknown) => {
            if (key === "durationMs") return undefined;
            if (typeof one !== "string") return one;
            if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(one)) return "then";
            if (one.length > 1000) return `${one.length} characters`;
            return (names[one] ?? one).replace(
              new URL(receiver.url).host,
              "receiver",
            );
          });
        return [
          show(view),
          ...attempts.map((one) => show(one)),
          show({ ...endpoint, events: endpoint.events.length }),
          ...notes.map(({ action, details }) => show({ action, details })),
          `arrived: ${receiver.received.map(({ path }) => path).join(" ")}`,
        ];
      },
    );
  }),
);
