import { equal, ok } from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { Ajv2020 } from "ajv/dist/2020.js";
import type {
  DeliveryFile,
  DeliveryPlugin,
} from "../../core/plugin-api/index.js";
import { authorizationChecks } from "./authorization-checks.js";
import {
  createDeliveryFile,
  type DeliveryCheck,
  type DeliverySession,
} from "./delivery-session.js";
import { type Fault, faults } from "./fault-proxy.js";
import {
  assertAllRequestsLimited,
  assertRejects,
  assertStopsOnSignal,
  faultCodes,
  listDeclarationChecks,
  getErrorCode,
} from "./suite-context.js";

const declarationChecks: readonly DeliveryCheck[] = [
  ...listDeclarationChecks("delivery", "delivery method"),
  {
    title: "the target matches its JSON Schema, which rejects other properties",
    run: async ({ plugin, receiver: { target } }) => {
      await Promise.resolve();
      const ajv = new Ajv2020({ strict: false, formats: { uri: true } });
      const validate = ajv.compile(plugin.target.schema);
      ok(
        validate(target),
        `The subject's target does not match target.schema: ${ajv.errorsText(validate.errors)}`,
      );
      ok(
        !validate({ ...target, "no such property": "x" }),
        "target.schema must have additionalProperties: false, so that a mistyped name is reported",
      );
    },
  },
];

const isRepeatable = ({ capabilities }: DeliveryPlugin<never>) =>
  capabilities.repeatable;

const deliveryChecks: readonly DeliveryCheck[] = [
  {
    title: "check leaves nothing behind",
    run: async (session) => {
      const before = await countFiles(session);
      await session.check();
      equal(
        await countFiles(session),
        before,
        "check must leave no file at the target",
      );
    },
  },
  {
    title: "all files of a delivery arrive with their names and contents",
    run: async (session) => {
      const files = [
        createDeliveryFile("Invoice"),
        createDeliveryFile("Überweisung 100 % & 'mehr' + (2) 日本"),
      ];
      const { id } = await session.deliver(session.createRequest(...files));
      ok(id !== "", "deliver must return a receipt with an id");
      for (const file of files) await assertArrivedOnce(session, file);
    },
  },
  {
    title: "a large file arrives whole",
    run: async (session) => {
      const bytes = Math.min(
        12 * 1024 * 1024 + 1,
        session.plugin.capabilities.maxBytes,
      );
      const file = createDeliveryFile("Large", randomBytes(bytes));
      await session.deliver(session.createRequest(file));
      await assertArrivedOnce(session, file);
    },
  },
  {
    title: "parallel deliveries all arrive",
    run: async (session) => {
      const files = Array.from({ length: 8 }, () => createDeliveryFile("Many"));
      await Promise.all(
        files.map((file) => session.deliver(session.createRequest(file))),
      );
      for (const file of files) await assertArrivedOnce(session, file);
    },
  },
  {
    title: "a repeated delivery replaces its file",
    appliesTo: isRepeatable,
    run: async (session) => {
      const file = createDeliveryFile("Again");
      const request = session.createRequest(file);
      await session.deliver(request);
      await session.deliver(request);
      await assertArrivedOnce(session, file);
    },
  },
  {
    title: "a file that breaks off while it is read does not arrive in part",
    run: async (session) => {
      const before = await countFiles(session);
      const whole = createDeliveryFile("Broken", randomBytes(400_000));
      const file: DeliveryFile = {
        ...whole,
        open: async () => Readable.from(breakOff(await whole.open())),
      };
      const failure = await session
        .deliver(session.createRequest(file))
        .then(() => null, String);
      ok(
        failure !== null,
        "deliver must reject when a file cannot be read to its end",
      );
      equal(
        await countFiles(session),
        before,
        "a file that could not be read to its end must not be left at the target, not even under a temporary name",
      );
    },
  },
];

async function* breakOff(stream: Readable): AsyncGenerator {
  for await (const chunk of stream) {
    yield chunk;
    throw new Error("the file store is gone");
  }
}

const faultChecks: readonly DeliveryCheck[] = [
  ...Object.entries<(typeof faultCodes)[string]>({
    ...faultCodes,
    "a broken connection": [faults.reset, "unavailable", "try_later"],
  }).map(([name, [fault, ...codes]]): DeliveryCheck => ({
    title: `${name} at deliver is ${codes[0]}`,
    run: async (session) => {
      const isVisible = session.proxies.seeRequests || fault === faults.reset;
      if (!session.proxies.exist || !isVisible) return;
      const request = session.createRequest(createDeliveryFile());
      await session.proxies.withFault(fault, () =>
        assertRejects(session, codes, `deliver with ${name}`, () =>
          session.deliver(request),
        ),
      );
    },
  })),
  ...Object.entries<Fault>({
    "a request that breaks off": faults.reset,
    "a reply that is lost": faults.lostReply,
    "a 503": faults.unavailable,
  }).map(([name, fault]): DeliveryCheck => ({
    title: `${name} in the middle of a delivery leads to one file when it is repeated`,
    appliesTo: isRepeatable,
    run: async (session) => {
      if (!session.proxies.seeRequests) return;
      const length = await session.proxies.countRequests(() =>
        session.deliver(session.createRequest(createDeliveryFile())),
      );
      for (let at = 1; at <= length; at += 1) {
        const file = createDeliveryFile("Once");
        const request = session.createRequest(file);
        const what = `deliver with ${name} at request ${at}`;
        const result = await session.proxies
          .withFault(fault, () => session.deliver(request), {
            from: at,
            to: at,
          })
          .then(() => "delivered", getErrorCode);
        ok(
          ["delivered", "unavailable", "try_later"].includes(String(result)),
          `${what} must succeed or reject with unavailable or try_later, not with ${result ?? "another error"}`,
        );
        if (result !== "delivered") await session.deliver(request);
        await assertArrivedOnce(session, file);
      }
    },
  })),
  {
    title: "check rejects wrong credentials with auth",
    run: async (session) => {
      const { receiver, proxies } = session;
      const wrong = receiver.wrongCredentials(proxies.addresses);
      await assertRejects(session, ["auth", "forbidden"], "check", () =>
        session.check(wrong),
      );
    },
  },
  {
    title: "every request is rate-limited",
    run: async (session) => {
      if (!session.proxies.seeRequests) return;
      await assertAllRequestsLimited(session, async () => {
        await session.check();
        await session.deliver(session.createRequest(createDeliveryFile()));
      });
    },
  },
  {
    title: "a call without an answer ends when its signal is aborted",
    run: async (session) => {
      if (!session.proxies.exist) return;
      const file = createDeliveryFile("Stalled");
      await assertStopsOnSignal(session, (signal) =>
        session.deliver(session.createRequest(file), signal),
      );
      const next = createDeliveryFile("After");
      await session.deliver(session.createRequest(next));
      await assertArrivedOnce(session, next);
    },
  },
];

async function countFiles<C>({ receiver }: DeliverySession<C>) {
  return (await receiver.list()).length;
}

async function assertArrivedOnce<C>(
  session: DeliverySession<C>,
  file: DeliveryFile,
): Promise<void> {
  const { filename } = file;
  const deliveredFiles = await session.find(filename);
  equal(
    deliveredFiles.length,
    1,
    `"${filename}" must be at the target once, and is there ${deliveredFiles.length} times`,
  );
  ok(
    Buffer.from(deliveredFiles[0]?.bytes ?? []).equals(await file.bytes()),
    `"${filename}" must have the content that was delivered`,
  );
}

/** What arrives, that nothing arrives twice or in part, and how failures are reported. */
export const deliveryContractChecks: readonly DeliveryCheck[] = [
  ...declarationChecks,
  ...authorizationChecks,
  ...deliveryChecks,
  ...faultChecks,
];
