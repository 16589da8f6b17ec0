import { equal, ok } from "node:assert/strict";
import { errorCodeOf } from "../../error-code-of.js";
import { type Fault, faults } from "../../fault.js";
import type { EsignCheck } from "../esign-check.js";
import type { EsignSession } from "../esign-session.js";
import { sampleRequest } from "../sample-request.js";

/** As the service does after a failure that tells nothing: looks, and starts again only when there is nothing. */
async function finishes<C>(
  session: EsignSession<C>,
  fault: Fault,
  from: number,
): Promise<void> {
  const request = sampleRequest();
  const code = await session.doors
    .under(fault, () => session.start(request), { from, to: from })
    .then(
      () => "started",
      (error: unknown) => errorCodeOf(error),
    );
  const place = `request ${from}`;
  ok(
    code === "started" || code === "unavailable",
    `${place}: a start without an answer must reject with unavailable, not ${code}`,
  );
  const found = await session.find(request.requestId);
  const { externalId } = found ?? (await session.start(request));
  equal(await session.count(request.requestId), 1, `${place}: how many`);
  const { status, signers } = await session.status(externalId);
  equal(status, "pending", place);
  equal(signers[0]?.status, "sent", place);
}

/** The places at which a fault can meet a start, from 1. */
async function placesOf<C>(session: EsignSession<C>): Promise<number[]> {
  const count = await session.doors.count(() => session.start(sampleRequest()));
  return Array.from({ length: count }, (_, at) => at + 1);
}

const lost: Readonly<Record<string, Fault>> = {
  "whose answer is lost": faults.lostReply,
  "that breaks before it arrives": faults.reset,
  "that meets a 503": faults.unavailable,
  "that is answered with HTML": faults.html,
};

const refusals: Readonly<Record<string, Fault>> = {
  "a 401": faults.unauthorized,
  "a 403": faults.forbidden,
  "a 429 that stays": faults.tooMany,
};

export const neverTwiceChecks: readonly EsignCheck[] = [
  ...Object.entries(lost).map(([name, fault]): EsignCheck => ({
    title: `a start with a request ${name} ends in exactly one`,
    run: async (session) => {
      if (!session.doors.seeRequests) return;
      for (const from of await placesOf(session))
        await finishes(session, fault, from);
    },
  })),
  ...Object.entries(refusals).map(([name, fault]): EsignCheck => ({
    title: `a start that meets ${name} says whether something was sent`,
    run: async (session) => {
      if (!session.doors.seeRequests) return;
      for (const from of await placesOf(session)) {
        const request = sampleRequest();
        const code = await session.doors
          .under(fault, () => session.start(request), { from })
          .then(
            () => null,
            (error: unknown) => errorCodeOf(error),
          );
        const found = await session.find(request.requestId);
        if (code !== "unavailable")
          equal(found, null, `request ${from}: it rejects with ${code}`);
        if (found === null) await session.start(request);
        equal(await session.count(request.requestId), 1, `request ${from}`);
      }
    },
  })),
  {
    title: "parallel starts make one request each",
    run: async (session) => {
      const requests = Array.from({ length: 8 }, () => sampleRequest());
      const ids = await Promise.all(
        requests.map(async (one) => (await session.start(one)).externalId),
      );
      equal(new Set(ids).size, requests.length);
      for (const { requestId } of requests)
        equal(await session.count(requestId), 1);
    },
  },
];
