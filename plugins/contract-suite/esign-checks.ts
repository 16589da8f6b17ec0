import { deepEqual, equal, ok } from "node:assert/strict";
import type { EsignProvider, RawNotice } from "../../core/plugin-api/index.js";
import { clock } from "../../core/plugin-api/index.js";
import {
  createRequest,
  type EsignCheck,
  type EsignSession,
} from "./esign-session.js";
import { type Fault, faults } from "./fault-proxy.js";
import {
  assertAllRequestsLimited,
  assertRejects,
  assertStopsOnSignal,
  faultCodes,
  listDeclarationChecks,
  getErrorCode,
} from "./suite-context.js";

const declarationChecks: readonly EsignCheck[] = [
  ...listDeclarationChecks("esign", "provider"),
  {
    title: "capabilities match the provider's methods",
    run: async ({ plugin, server }) => {
      await Promise.resolve();
      const { cancel, resend, fields, noticeProof } = plugin.capabilities;
      for (const [name, hasMethod, capability] of [
        ["cancel", plugin.cancel !== undefined, cancel],
        ["resend", plugin.resend !== undefined, resend],
      ] as const)
        equal(
          hasMethod,
          capability,
          `the provider must have ${name} if capabilities.${name} is true, and only then`,
        );
      equal(
        server.notice !== undefined,
        noticeProof !== "none",
        'the subject must have `notice` unless capabilities.noticeProof is "none"',
      );
      for (const type of ["signature", "text"] as const)
        ok(fields.includes(type), `capabilities.fields must include ${type}`);
    },
  },
];

const signingChecks: readonly EsignCheck[] = [
  {
    title: "a started request has each signer once, by role",
    run: async (session) => {
      const started = await session.start(createRequest());
      const roles = started.signers.map(({ role }) => role);
      deepEqual(
        roles.toSorted(),
        ["Buyer", "Seller"],
        "start must return each submitter of the request once, with its role",
      );
      const { signers } = await session.status(started.externalId);
      deepEqual(
        signers.map(({ role }) => role),
        roles,
        "status must return the same signers as start, in the same order",
      );
    },
  },
  {
    title: "signers with order 0 are asked first",
    appliesTo: ({ capabilities }) => capabilities.order,
    run: async (session) => {
      const { externalId } = await session.start(createRequest());
      deepEqual(
        await readStatuses(session, externalId),
        ["pending", "Buyer sent", "Seller waiting"],
        "after start, only the signer with order 0 must be asked",
      );
      await session.play({ externalId, role: "Buyer", act: "sign" });
      deepEqual(
        await readStatuses(session, externalId),
        ["pending", "Buyer completed", "Seller sent"],
        "when the signer with order 0 has signed, the one with order 1 must be asked",
      );
    },
  },
  {
    title: "signers with the same order can sign in any order",
    run: async (session) => {
      const submitters = createRequest().submitters.map((submitter) => ({
        ...submitter,
        order: 0,
      }));
      const request = createRequest({ submitters });
      const { externalId } = await session.start(request);
      await session.play({ externalId, role: "Seller", act: "sign" });
      await session.play({ externalId, role: "Buyer", act: "sign" });
      await assertStatus(session, externalId, "completed");
    },
  },
  {
    title: "a completed request is downloaded as a PDF",
    run: async (session) => {
      const { externalId } = await session.start(createRequest());
      for (const role of ["Buyer", "Seller"])
        await session.play({ externalId, role, act: "sign" });
      await assertStatus(session, externalId, "completed");
      const files = await session.download(externalId);
      const signed = files.filter(({ label }) => label === "signed");
      equal(
        signed.length,
        1,
        'download must return exactly one file with the label "signed"',
      );
      for (const { label, bytes } of files)
        ok(
          Buffer.from(bytes.subarray(0, 5)).toString() === "%PDF-",
          `download must return a PDF for "${label}"`,
        );
    },
  },
  {
    title: "a request ends when a signer declines",
    run: async (session) => {
      const { externalId } = await session.start(createRequest());
      await session.play({ externalId, role: "Buyer", act: "decline" });
      const [status, buyer] = await readStatuses(session, externalId);
      deepEqual(
        [status, buyer],
        ["declined", "Buyer declined"],
        "when a signer has declined, the request and the signer must be declined",
      );
    },
  },
  {
    title: "a request is found by its id",
    run: async (session) => {
      const request = createRequest();
      equal(
        await session.find(request.requestId),
        null,
        "find must return null before the request is started",
      );
      const { externalId } = await session.start(request);
      equal(
        (await session.find(request.requestId))?.externalId,
        externalId,
        "find must return the request that start has created",
      );
      equal(
        await session.find(createRequest().requestId),
        null,
        "find must return null for an unknown id",
      );
    },
  },
  {
    title: "a canceled request can be canceled again",
    appliesTo: ({ capabilities }) => capabilities.cancel,
    run: async (session) => {
      const { externalId } = await session.start(createRequest());
      const cancel = () =>
        session.call(async (context) =>
          session.plugin.cancel?.(context, externalId),
        );
      await cancel();
      await cancel();
      await assertStatus(session, externalId, "canceled");
    },
  },
  {
    title: "a reminder changes no status",
    appliesTo: ({ capabilities }) => capabilities.resend,
    run: async (session) => {
      const { externalId } = await session.start(createRequest());
      const before = await readStatuses(session, externalId);
      await session.call(async (context) =>
        session.plugin.resend?.(context, externalId),
      );
      deepEqual(
        await readStatuses(session, externalId),
        before,
        "resend must not change the status of the request or of a signer",
      );
    },
  },
  {
    title: "an expiry, a message and values are accepted where supported",
    run: async (session) => {
      const { values, expiry, message, redirect } = session.plugin.capabilities;
      const submitters = createRequest().submitters.map((submitter) =>
        submitter.role === "Buyer" && values
          ? { ...submitter, values: { Town: "Ulm" } }
          : submitter,
      );
      const inTwoDays = new Date(clock.now() + 2 * 24 * 60 * 60 * 1000);
      const request = createRequest({
        submitters,
        ...(expiry !== "none" && { expiresAt: inTwoDays }),
        ...(message && { message: { subject: "Sign", body: "Please" } }),
        ...(redirect && { redirectUrl: "https://example.com/signed" }),
      });
      const { externalId } = await session.start(request);
      await assertStatus(session, externalId, "pending");
    },
  },
  {
    title: "an unknown request is not_found",
    run: async (session) => {
      const { externalId } = await session.start(createRequest());
      const digit = externalId.endsWith("7") ? "8" : "7";
      const unknown = `${externalId.slice(0, -1)}${digit}${digit}`;
      await assertRejects(
        session,
        ["not_found"],
        "status of an unknown request",
        () => session.status(unknown),
      );
      await session.status(externalId);
    },
  },
];

async function readStatuses<C>(
  session: EsignSession<C>,
  externalId: string,
): Promise<string[]> {
  const { status, signers } = await session.status(externalId);
  return [
    status,
    ...signers.map((signer) => `${signer.role} ${signer.status}`),
  ];
}

async function assertStatus<C>(
  session: EsignSession<C>,
  externalId: string,
  expected: string,
): Promise<void> {
  const { status } = await session.status(externalId);
  equal(status, expected, `status must return "${expected}", not "${status}"`);
}

/** Failures after which the provider may or may not have the request. */
const ambiguousFaults: Readonly<Record<string, Fault>> = {
  "a lost reply": faults.lostReply,
  "a broken connection": faults.reset,
  "a 503": faults.unavailable,
  "HTML with status 200": faults.html,
};

const refusals: Readonly<Record<string, Fault>> = {
  "a 401": faults.unauthorized,
  "a 403": faults.forbidden,
  "repeated 429s": faults.tooManyRequests,
};

const duplicateChecks: readonly EsignCheck[] = [
  ...Object.entries(ambiguousFaults).map(([name, fault]): EsignCheck => ({
    title: `a start with ${name} at any request results in exactly one request`,
    run: async (session) => {
      if (!session.proxies.seeRequests) return;
      for (const at of await listStartRequests(session))
        await assertOneRequest(session, name, fault, at);
    },
  })),
  ...Object.entries(refusals).map(([name, fault]): EsignCheck => ({
    title: `a start with ${name} reports whether the request was sent`,
    run: async (session) => {
      if (!session.proxies.seeRequests) return;
      for (const from of await listStartRequests(session)) {
        const what = `start with ${name} from request ${from} on`;
        const request = createRequest();
        const code = await session.proxies
          .withFault(fault, () => session.start(request), { from })
          .then(() => null, getErrorCode);
        const existing = await session.find(request.requestId);
        if (code !== "unavailable")
          equal(
            existing,
            null,
            `${what} rejected with ${code}, but find returns the request. Reject with unavailable once it may have been sent.`,
          );
        if (existing === null) await session.start(request);
        await assertCount(session, request.requestId, what);
      }
    },
  })),
  {
    title: "parallel starts create one request each",
    run: async (session) => {
      const requests = Array.from({ length: 8 }, () => createRequest());
      const ids = await Promise.all(
        requests.map(
          async (request) => (await session.start(request)).externalId,
        ),
      );
      equal(
        new Set(ids).size,
        requests.length,
        "start must return a different externalId for each request",
      );
      for (const { requestId } of requests)
        await assertCount(session, requestId, "parallel starts");
    },
  },
];

/** The numbers of the requests that a start sends, from 1. */
async function listStartRequests<C>(
  session: EsignSession<C>,
): Promise<number[]> {
  const length = await session.proxies.countRequests(() =>
    session.start(createRequest()),
  );
  return Array.from({ length }, (_, index) => index + 1);
}

/** Recovers as the service does: it calls `find` after an ambiguous failure, and `start` again only when that returns null. */
async function assertOneRequest<C>(
  session: EsignSession<C>,
  name: string,
  fault: Fault,
  at: number,
): Promise<void> {
  const what = `start with ${name} at request ${at}`;
  const request = createRequest();
  const result = await session.proxies
    .withFault(fault, () => session.start(request), { from: at, to: at })
    .then(() => "started", getErrorCode);
  ok(
    result === "started" || result === "unavailable",
    `${what} must succeed or reject with unavailable, not with ${result ?? "another error"}`,
  );
  const existing = await session.find(request.requestId);
  const { externalId } = existing ?? (await session.start(request));
  await assertCount(session, request.requestId, what);
  const { status, signers } = await session.status(externalId);
  equal(status, "pending", `after ${what}, the request must be pending`);
  equal(
    signers[0]?.status,
    "sent",
    `after ${what}, the first signer must have been asked`,
  );
}

async function assertCount<C>(
  session: EsignSession<C>,
  requestId: string,
  what: string,
): Promise<void> {
  const count = await session.count(requestId);
  equal(
    count,
    1,
    `after ${what} and a recovery, the provider has ${count} requests instead of one. ` +
      "Let find and start look for the request by requestId.",
  );
}

const esignFaultCodes = {
  ...faultCodes,
  "a broken connection": [faults.reset, "unavailable"],
} as const satisfies typeof faultCodes;

const faultChecks: readonly EsignCheck[] = [
  ...Object.entries<(typeof faultCodes)[string]>(esignFaultCodes).map(
    ([name, [fault, ...codes]]): EsignCheck => ({
      title: `${name} at status is ${codes[0]}`,
      run: async (session) => {
        if (!session.proxies.seeRequests) return;
        const { externalId } = await session.start(createRequest());
        await session.proxies.withFault(fault, () =>
          assertRejects(session, codes, `status with ${name}`, () =>
            session.status(externalId),
          ),
        );
      },
    }),
  ),
  {
    title: "a single 429 is retried",
    run: async (session) => {
      if (!session.proxies.seeRequests) return;
      const { externalId } = await session.start(createRequest());
      const expected = await session.status(externalId);
      deepEqual(
        await session.proxies.withFault(
          faults.tooManyRequests,
          () => session.status(externalId),
          { to: 1 },
        ),
        expected,
        "status with a single 429 must return the same as without it",
      );
    },
  },
  {
    title: "check rejects wrong credentials with auth",
    run: async (session) => {
      const { server, proxies } = session;
      if (!server.wrongCredentials) return;
      const wrong = server.wrongCredentials(proxies.addresses);
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
        const { externalId } = await session.start(createRequest());
        await session.status(externalId);
      });
    },
  },
  {
    title: "a call without an answer ends when its signal is aborted",
    run: async (session) => {
      if (!session.proxies.exist) return;
      const { externalId } = await session.start(createRequest());
      await assertStopsOnSignal(session, (signal) =>
        session.status(externalId, signal),
      );
      await session.status(externalId);
    },
  },
];

const provesNotices = ({ capabilities }: EsignProvider<never>) =>
  capabilities.noticeProof !== "none";
const signsNotices = ({ capabilities }: EsignProvider<never>) =>
  capabilities.noticeProof === "hmac";

const noticeChecks: readonly EsignCheck[] = [
  {
    title: "a genuine notice names its request",
    appliesTo: provesNotices,
    run: async (session) => {
      const { externalId, raw } = await createNotice(session);
      equal(
        parseNotice(session, raw),
        externalId,
        "parseNotice must return the externalId of the request",
      );
    },
  },
  {
    title: "a notice with a missing or wrong proof is rejected",
    appliesTo: provesNotices,
    run: async (session) => {
      const { raw } = await createNotice(session);
      assertNoticeRejected(session, { ...raw, headers: {} }, "without headers");
      for (const name of Object.keys(raw.headers)) {
        if (name === "content-type") continue;
        const headers = { ...raw.headers, [name]: `${raw.headers[name]}x` };
        const what = `with a changed header ${name}`;
        assertNoticeRejected(session, { ...raw, headers }, what);
      }
    },
  },
  {
    title: "a notice that is not about a request is rejected",
    appliesTo: provesNotices,
    run: async (session) => {
      const { raw } = await createNotice(session);
      for (const text of ["", "null", "[]", "{", '{"data":{}}']) {
        const body = new TextEncoder().encode(text);
        const what = `with the body ${text || "(empty)"}`;
        assertNoticeRejected(session, { ...raw, body }, what);
      }
    },
  },
  {
    title: "a signed notice with one changed byte is rejected",
    appliesTo: signsNotices,
    run: async (session) => {
      const { raw } = await createNotice(session);
      const body = Uint8Array.from(raw.body);
      body[body.length - 1] = 0x20;
      const what = "whose body does not match its signature";
      assertNoticeRejected(session, { ...raw, body }, what);
    },
  },
  {
    title: "a signed notice that arrives an hour late is rejected",
    appliesTo: signsNotices,
    run: async (session) => {
      const { raw } = await createNotice(session);
      const receivedAt = new Date(raw.receivedAt.getTime() + 60 * 60_000);
      const what = "that arrives an hour late";
      assertNoticeRejected(session, { ...raw, receivedAt }, what);
    },
  },
];

async function createNotice<C>(session: EsignSession<C>) {
  const { externalId } = await session.start(createRequest());
  const raw = session.server.notice?.(externalId);
  if (raw) return { externalId, raw };
  throw new Error(
    'capabilities.noticeProof is not "none", so the subject needs `notice`.',
  );
}

function parseNotice<C>(
  { plugin, credentials }: EsignSession<C>,
  raw: RawNotice,
): string | null {
  return plugin.parseNotice(credentials, raw)?.externalId ?? null;
}

function assertNoticeRejected<C>(
  session: EsignSession<C>,
  raw: RawNotice,
  what: string,
): void {
  equal(
    parseNotice(session, raw),
    null,
    `parseNotice must return null for a notice ${what}`,
  );
}

/** How a provider signs, that it never creates a request twice, how it fails, and which notices it accepts. */
export const esignChecks: readonly EsignCheck[] = [
  ...declarationChecks,
  ...signingChecks,
  ...duplicateChecks,
  ...faultChecks,
  ...noticeChecks,
];
