import { deepEqual, equal, ok } from "node:assert/strict";
import { refuses } from "../../check.js";
import type { EsignCheck } from "../esign-check.js";
import type { EsignSession } from "../esign-session.js";
import { sampleRequest } from "../sample-request.js";

async function statusesOf<C>(
  session: EsignSession<C>,
  externalId: string,
): Promise<string[]> {
  const { status, signers } = await session.status(externalId);
  return [status, ...signers.map((one) => `${one.role} ${one.status}`)];
}

export const signingChecks: readonly EsignCheck[] = [
  {
    title: "a started request has each signer once, by role",
    run: async (session) => {
      const started = await session.start(sampleRequest());
      const roles = started.signers.map(({ role }) => role);
      deepEqual(roles.toSorted(), ["Buyer", "Seller"]);
      const { signers } = await session.status(started.externalId);
      deepEqual(
        signers.map(({ role }) => role),
        roles,
      );
    },
  },
  {
    title: "those of order 0 are asked first",
    appliesTo: ({ capabilities }) => capabilities.order,
    run: async (session) => {
      const { externalId } = await session.start(sampleRequest());
      deepEqual(await statusesOf(session, externalId), [
        "pending",
        "Buyer sent",
        "Seller waiting",
      ]);
      await session.play({ externalId, role: "Buyer", act: "sign" });
      deepEqual(await statusesOf(session, externalId), [
        "pending",
        "Buyer completed",
        "Seller sent",
      ]);
    },
  },
  {
    title: "signers of one order are asked side by side",
    run: async (session) => {
      const { submitters } = sampleRequest();
      const side = submitters.map((one) => ({ ...one, order: 0 }));
      const request = sampleRequest({ submitters: side });
      const { externalId } = await session.start(request);
      await session.play({ externalId, role: "Seller", act: "sign" });
      await session.play({ externalId, role: "Buyer", act: "sign" });
      equal((await session.status(externalId)).status, "completed");
    },
  },
  {
    title: "a completed request is downloaded as a PDF",
    run: async (session) => {
      const { externalId } = await session.start(sampleRequest());
      for (const role of ["Buyer", "Seller"])
        await session.play({ externalId, role, act: "sign" });
      equal((await session.status(externalId)).status, "completed");
      const files = await session.download(externalId);
      const signed = files.filter(({ label }) => label === "signed");
      equal(signed.length, 1, "exactly one file must be labelled signed");
      for (const { bytes } of files)
        equal(Buffer.from(bytes.subarray(0, 5)).toString(), "%PDF-");
    },
  },
  {
    title: "a signer who declines ends the request",
    run: async (session) => {
      const { externalId } = await session.start(sampleRequest());
      await session.play({ externalId, role: "Buyer", act: "decline" });
      const [status, buyer] = await statusesOf(session, externalId);
      deepEqual([status, buyer], ["declined", "Buyer declined"]);
    },
  },
  {
    title: "a request is found by our id, and no other is",
    run: async (session) => {
      const request = sampleRequest();
      equal(await session.find(request.requestId), null);
      const { externalId } = await session.start(request);
      equal((await session.find(request.requestId))?.externalId, externalId);
      equal(await session.find(sampleRequest().requestId), null);
    },
  },
  {
    title: "a canceled request stays canceled, however often",
    appliesTo: ({ capabilities }) => capabilities.cancel,
    run: async (session) => {
      const { externalId } = await session.start(sampleRequest());
      const cancel = () =>
        session.call(async (context) =>
          session.plugin.cancel?.(context, externalId),
        );
      await cancel();
      await cancel();
      equal((await session.status(externalId)).status, "canceled");
    },
  },
  {
    title: "reminding changes no state",
    appliesTo: ({ capabilities }) => capabilities.resend,
    run: async (session) => {
      const { externalId } = await session.start(sampleRequest());
      const before = await statusesOf(session, externalId);
      await session.call(async (context) =>
        session.plugin.resend?.(context, externalId),
      );
      deepEqual(await statusesOf(session, externalId), before);
    },
  },
  {
    title: "an expiry, a message and values are taken where they are claimed",
    run: async (session) => {
      const { plugin } = session;
      const { values, expiry, message } = plugin.capabilities;
      const { submitters } = sampleRequest();
      const filled = submitters.map((one) =>
        one.role === "Buyer" && values
          ? { ...one, values: { Town: "Ulm" } }
          : one,
      );
      const inTwoDays = new Date(Date.now() + 2 * 24 * 60 * 60 * 1000);
      const request = sampleRequest({
        submitters: filled,
        ...(expiry !== "none" && { expiresAt: inTwoDays }),
        ...(message && { message: { subject: "Sign", body: "Please" } }),
      });
      const { externalId } = await session.start(request);
      equal((await session.status(externalId)).status, "pending");
    },
  },
  {
    title: "a request that is not there is not_found",
    run: async (session) => {
      const { externalId } = await session.start(sampleRequest());
      const digit = externalId.endsWith("7") ? "8" : "7";
      const unknown = `${externalId.slice(0, -1)}${digit}${digit}`;
      await refuses(session, ["not_found"], "status", () =>
        session.status(unknown),
      );
      ok(await session.status(externalId));
    },
  },
];
