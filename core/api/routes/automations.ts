import { Router } from "@koa/router";
import { z } from "zod";
import { FORMATS } from "../../plugin-api/index.js";
import type { Automations, ChangeNotices } from "../../automations/index.js";
import { getActor, type HttpState } from "../middleware.js";
import { defineOperation, type Operation } from "../operation.js";
import { readNotice } from "../request-body.js";
import {
  idInput,
  timestampSchema,
  formatsSchema,
  pageSchema,
  pageOf,
  pageQuery,
} from "../schemas.js";
import { deliverField } from "./batches.js";
import { recordsSchema, toSelector } from "./export-batch.js";

const cronField = z.string().meta({
  description:
    "Five fields: minute, hour, day of month, month, day of week; `L` is the last day of the month. An expression that is never due is an error. " +
    "A time in the hour that a clock change skips is due when that hour would have begun; one in the repeated hour, the first time only.",
  example: "0 8 * * 1",
});

const whenSchema = z
  .union([
    z.strictObject({
      cron: cronField,
      timeZone: z.string().default("UTC").meta({ example: "Europe/Berlin" }),
    }),
    z.strictObject({
      everyMinutes: z.int().meta({
        description:
          "Looks for new and changed records at this interval; from 1 to 1440.",
        example: 5,
      }),
      startFrom: z.enum(["now", "beginning"]).default("now").meta({
        description:
          "`now`: the records that exist are noted, and only those that are added or changed later become documents. `beginning`: they become documents too.",
      }),
    }),
  ])
  .meta({ description: "Times of a schedule, or changes of records." });

const missedRunsField = z.enum(["run-once", "skip"]).meta({
  description:
    "Due times at which the service was not running: `run-once` makes up for all of them with one run, `skip` notes them in the log only.",
});

const repeatField = z.enum(["changed", "never", "always"]).meta({
  description:
    "Which records that were done are done again: those of which a field that the template reads has `changed`, `never` any, or `always` all that are selected.",
});

export const automationRunSchema = z
  .strictObject({
    id: z.string(),
    automationId: z.string(),
    origin: z.enum(["schedule", "change", "manual"]),
    status: z
      .enum([
        "waiting",
        "running",
        "accepted",
        "empty",
        "noted",
        "skipped",
        "failed",
      ])
      .meta({
        description:
          "`accepted`: its batch was accepted, which has a status of its own. `empty`: no record was due. `noted`: the records that exist at the start were noted. `skipped`: it was missed.",
      }),
    dueAt: timestampSchema,
    startedAt: timestampSchema.nullable(),
    endedAt: timestampSchema.nullable(),
    batchId: z.string().nullable(),
    selectedCount: z.int().nullable().meta({
      description: "How many records the source has; null until known.",
    }),
    documentCount: z.int().nullable().meta({
      description: "How many of them the batch has.",
    }),
    message: z.string().nullable().meta({
      description: "Why it made nothing, failed, or has to be tried again.",
    }),
  })
  .meta({ id: "AutomationRun" });

export const automationSchema = z
  .strictObject({
    id: z.string(),
    organizationId: z.string(),
    name: z.string(),
    templateId: z.string(),
    platform: z.string(),
    connectionId: z.string(),
    baseId: z.string().nullable(),
    tableId: z.string(),
    tableName: z.string(),
    records: z.union([
      z.strictObject({ viewId: z.string(), viewName: z.string() }),
      z.strictObject({ filter: z.unknown() }),
      z.strictObject({ emptyAttachment: z.literal(true) }),
    ]),
    attachmentField: z.string().nullable().meta({
      description:
        "The field that receives the files; null when nothing is written back.",
    }),
    formats: z.array(z.enum(FORMATS)),
    overwriteExisting: z.boolean(),
    when: whenSchema,
    changes: z
      .strictObject({
        via: z.enum(["webhook", "poll"]).meta({
          description:
            "`webhook`: the platform reports changes, so that a run starts within seconds. `poll`: they are found at the interval only. In any case, the interval finds what was not reported.",
        }),
        message: z.string().nullable().meta({
          description:
            "Why there is no webhook, and how to fix it; null while it is being created, and when there is one.",
        }),
        url: z.string().nullable().meta({
          description:
            "A POST request to this address, with any body, makes the automation look for changes now. It is a secret. Null when the platform has a webhook of its own.",
        }),
      })
      .nullable()
      .meta({
        description:
          "How it learns of changes; null for a schedule, and while it is paused.",
      }),
    missedRuns: missedRunsField,
    repeat: repeatField,
    deliver: deliverField.nullable().meta({
      description:
        "Where its documents are delivered; null: where the template says.",
    }),
    state: z.enum(["active", "paused"]),
    pausedAt: timestampSchema.nullable(),
    pausedReason: z.string().nullable().meta({
      description:
        "Why the service paused it, and how to fix it; null if a person did.",
    }),
    nextRuns: z.array(timestampSchema).meta({
      description: "The next five times; empty while it is paused.",
    }),
    lastRun: automationRunSchema.nullable(),
    createdById: z.string(),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
  })
  .meta({ id: "Automation" });

const sharedFields = {
  formats: formatsSchema.optional(),
  overwriteExisting: z.boolean().optional(),
  missedRuns: missedRunsField.optional(),
  repeat: repeatField.optional(),
};

const newAutomationSchema = z
  .strictObject({
    name: z.string().optional().meta({
      description: "Default: the template's name.",
    }),
    templateId: idInput,
    platform: z.string().meta({ example: "airtable" }),
    connectionId: idInput.optional().meta({
      description:
        "Default: the template's, else the organization's only one for the platform.",
    }),
    baseId: z.string().optional(),
    tableId: z.string().optional().meta({
      description: "By id or name. Default: the template's.",
    }),
    records: recordsSchema,
    attachmentField: z.string().optional().meta({
      description: "By id or name. Without it, nothing is written back.",
    }),
    deliver: deliverField.optional().meta({
      description:
        "Where its documents are delivered. Default: where the template says, also when that changes. `[]`: nowhere.",
    }),
    ...sharedFields,
    when: whenSchema,
  })
  .meta({
    id: "NewAutomation",
    example: {
      templateId: "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
      platform: "airtable",
      records: { viewId: "To invoice" },
      attachmentField: "Invoice",
      when: { cron: "0 8 * * 1", timeZone: "Europe/Berlin" },
    },
  });

const automationPatchSchema = z
  .strictObject({
    name: z.string().optional(),
    records: recordsSchema.optional(),
    attachmentField: z.string().nullable().optional().meta({
      description: "By id or name; null: nothing is written back.",
    }),
    deliver: deliverField.nullable().optional().meta({
      description:
        "Where its documents are delivered from now on; null: where the template says.",
    }),
    ...sharedFields,
    when: whenSchema.optional(),
    isPaused: z.boolean().optional(),
  })
  .meta({ id: "AutomationPatch", example: { isPaused: true } });

const params = z.strictObject({
  automationId: idInput.meta({ description: "UUID of the automation." }),
});
const tag = "Automations";

/** Batches of a platform's records at set times, or when records change. */
export function automationOperations(automations: Automations): Operation[] {
  return [
    defineOperation({
      id: "createAutomation",
      method: "post",
      path: "/api/automations",
      scope: "documents:write",
      tag,
      summary: "Create an automation",
      description:
        "Makes documents of a platform's records automatically: at the times of a schedule, or when records are added or changed. Each run is " +
        "a batch. The platform is checked first, so that the automation works. It acts on behalf of the person who creates it. " +
        "Requires the premium or enterprise plan.",
      body: newAutomationSchema,
      reply: {
        status: 201,
        description: "The automation, with its next runs.",
        schema: automationSchema,
      },
      errors: [404, 413, 429, 503],
      idempotent: true,
      handle: ({ caller, body: { records, ...input }, keepAnswer }) =>
        automations.create(
          caller,
          { ...input, records: toSelector(records) },
          getActor(caller),
          keepAnswer,
        ),
    }),
    defineOperation({
      id: "listAutomations",
      method: "get",
      path: "/api/automations",
      scope: "documents:read",
      tag,
      summary: "List automations",
      description: "Newest first.",
      query: z.strictObject({ ...pageQuery, templateId: idInput.optional() }),
      reply: {
        description: "A page of automations.",
        schema: pageSchema(automationSchema),
      },
      handle: ({ caller, query }) =>
        automations.list(caller.organizationId, pageOf(query), query),
    }),
    defineOperation({
      id: "getAutomation",
      method: "get",
      path: "/api/automations/:automationId",
      scope: "documents:read",
      tag,
      summary: "Read an automation",
      description: "With its next runs and the last one.",
      params,
      reply: { description: "The automation.", schema: automationSchema },
      errors: [404],
      handle: ({ caller, params: { automationId } }) =>
        automations.get(caller.organizationId, automationId),
    }),
    defineOperation({
      id: "changeAutomation",
      method: "patch",
      path: "/api/automations/:automationId",
      scope: "documents:write",
      tag,
      summary: "Change, pause or resume an automation",
      description:
        "What is left out stays as it is, and so do template and table. Another selection, field, format or mode is checked on the " +
        "platform first. A paused automation does not run by itself; when it is resumed, a schedule goes on with its next time, " +
        "and changes that were made meanwhile are found.",
      params,
      body: automationPatchSchema,
      reply: { description: "The automation.", schema: automationSchema },
      errors: [404, 413, 429, 503],
      handle: ({ caller, params: { automationId }, body }) => {
        const { records, ...patch } = body;
        return automations.update(
          caller.organizationId,
          automationId,
          { ...patch, ...(records && { records: toSelector(records) }) },
          getActor(caller),
        );
      },
    }),
    defineOperation({
      id: "deleteAutomation",
      method: "delete",
      path: "/api/automations/:automationId",
      scope: "documents:write",
      tag,
      summary: "Delete an automation",
      description:
        "Also deletes its log. Its batches and their documents stay.",
      params,
      reply: {
        description: "The automation, as it was.",
        schema: automationSchema,
      },
      errors: [404],
      handle: ({ caller, params: { automationId } }) =>
        automations.delete(
          caller.organizationId,
          automationId,
          getActor(caller),
        ),
    }),
    defineOperation({
      id: "runAutomation",
      method: "post",
      path: "/api/automations/:automationId/runs",
      scope: "documents:write",
      tag,
      summary: "Run an automation now",
      description:
        "Runs as soon as a worker is free, also if the automation is paused; its schedule stays as it is. Records that were done are " +
        "treated as in any other run.",
      params,
      reply: {
        status: 202,
        description: "The run, which waits for a worker.",
        schema: automationRunSchema,
      },
      errors: [404, 409],
      idempotent: true,
      handle: ({ caller, params: { automationId }, keepAnswer }) =>
        automations.run(
          caller.organizationId,
          automationId,
          getActor(caller),
          keepAnswer,
        ),
    }),
    defineOperation({
      id: "listAutomationRuns",
      method: "get",
      path: "/api/automations/:automationId/runs",
      scope: "documents:read",
      tag,
      summary: "List the runs of an automation",
      description:
        "Newest first. Runs are kept for 90 days; of the looks for changes that found none, only the last.",
      params,
      query: z.strictObject(pageQuery),
      reply: {
        description: "A page of runs.",
        schema: pageSchema(automationRunSchema),
      },
      errors: [404],
      handle: ({ caller, params: { automationId }, query }) =>
        automations.listRuns(
          caller.organizationId,
          automationId,
          pageOf(query),
        ),
    }),
  ];
}

/**
 * What platforms report of changes. The token in the address is the proof, beside the platform's signature if it has one.
 * The answer is the same whether the token is known or not; some platforms accept nothing but an empty one.
 */
export function changeNoticeRoutes(
  notices: Pick<ChangeNotices, "receive">,
): Router<HttpState> {
  const router = new Router<HttpState>();
  router.post("/api/automations/notices/:token", async (ctx) => {
    await notices.receive(ctx.params["token"] ?? "", await readNotice(ctx));
    ctx.status = 204;
  });
  return router;
}
