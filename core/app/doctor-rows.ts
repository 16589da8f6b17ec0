import { IsNull, LessThan, Not } from "typeorm";
import { loadSecret } from "../../config/index.js";
import type { Finding } from "../cli/services.js";
import type { DoctorContext } from "./doctor.js";
import { SecretBox } from "../lib/secrets.js";
import {
  Connection,
  databaseNow,
  Job,
  type Store,
  WebhookEndpoint,
} from "../storage/database/index.js";

const minuteMs = 60_000;
const oldMs = 5 * minuteMs;
/** As many of the secrets as are tried. */
const sample = 100;

/** What waits in the queue, which webhooks are disabled, and whether saved secrets can be read. */
export async function checkRows(
  { config }: DoctorContext,
  { read }: Store,
): Promise<Finding[]> {
  const secrets = [
    await loadSecret(config),
    ...config.previousSecrets,
  ] as const;
  return [
    await queueFinding(read),
    await lockFinding(read),
    await webhookFinding(read),
    await savedSecrets(read, secrets),
  ].filter((finding) => finding !== null);
}

async function queueFinding(read: Store["read"]): Promise<Finding> {
  const check = "queue";
  const now = await databaseNow(read);
  const readyAt = LessThan(now);
  const oldest = await read.findOne(Job, {
    where: { readyAt, lockToken: IsNull() },
    order: { readyAt: "ASC" },
  });
  const waited = oldest === null ? 0 : now.getTime() - oldest.readyAt.getTime();
  if (waited < oldMs) {
    const waiting = await read.countBy(Job, { readyAt, lockToken: IsNull() });
    const message = `${waiting} jobs are waiting, the oldest for ${Math.round(waited / 1000)} s`;
    return { check, state: "ok", message, fix: null };
  }
  return {
    check,
    state: "warn",
    message: `A job (${oldest?.kind ?? ""}) has been waiting for ${Math.round(waited / minuteMs)} minutes.`,
    fix: "Start the service or a worker (platen worker); if they are running, start more.",
  };
}

/** The lease is over, and nobody took the job: no worker of its kind runs. */
async function lockFinding(read: Store["read"]): Promise<Finding | null> {
  const now = await databaseNow(read);
  const stuck = await read.countBy(Job, {
    lockToken: Not(IsNull()),
    readyAt: LessThan(new Date(now.getTime() - minuteMs)),
  });
  if (stuck === 0) return null;
  return {
    check: "queue",
    state: "warn",
    message: `${stuck} jobs are locked by processes that no longer run.`,
    fix: "Start a worker: it takes them over.",
  };
}

async function webhookFinding(read: Store["read"]): Promise<Finding> {
  const check = "webhooks";
  const there = { deletedAt: IsNull() };
  const disabled = await read.findBy(WebhookEndpoint, {
    ...there,
    isEnabled: false,
  });
  const all = await read.countBy(WebhookEndpoint, there);
  if (disabled.length === 0)
    return { check, state: "ok", message: `${all} endpoints`, fix: null };
  const named = disabled.map(({ url, disabledReason }) =>
    disabledReason === null ? url : `${url} (${disabledReason})`,
  );
  return {
    check,
    state: "warn",
    message: `${disabled.length} of ${all} endpoints are disabled: ${named.slice(0, 5).join(", ")}`,
    fix: "Once the receiver works again, run platen webhook enable, then platen webhook replay for the time in between.",
  };
}

async function savedSecrets(
  read: Store["read"],
  secrets: readonly [string, ...string[]],
): Promise<Finding> {
  const check = "saved secrets";
  const webhooks = await read.find(WebhookEndpoint, {
    where: { deletedAt: IsNull() },
    take: sample,
  });
  const connections = await read.find(Connection, { take: sample });
  const unread = [
    ...(await unreadable(
      new SecretBox(secrets, "webhook secrets"),
      webhooks.map(({ id, secret, url }) => ({ id, secret, name: url })),
    )),
    ...(await unreadable(
      new SecretBox(secrets, "connection credentials"),
      connections.map(({ id, credentials, name }) => ({
        id,
        secret: credentials,
        name,
      })),
    )),
  ];
  const count = webhooks.length + connections.length;
  if (unread.length === 0)
    return {
      check,
      state: "ok",
      message: `${count} can be decrypted`,
      fix: null,
    };
  return {
    check,
    state: "fail",
    message: `${unread.length} of ${count} cannot be decrypted: ${unread.slice(0, 5).join(", ")}`,
    fix: "The service's secret has changed since they were saved: add the old one to PLATEN_PREVIOUS_SECRETS.",
  };
}

async function unreadable(
  box: SecretBox,
  rows: readonly { id: string; secret: string; name: string }[],
): Promise<string[]> {
  const names: string[] = [];
  for (const { id, secret, name } of rows)
    await box.open(secret, id).catch(() => names.push(name));
  return names;
}
