import { Router } from "@koa/router";
import { z } from "zod";
import {
  automationPatchSchema,
  automationRunSchema,
  type Automations,
  automationSchema,
  type ChangeNotices,
  newAutomationSchema,
} from "../../automations/index.js";
import { getActor, type HttpState } from "../middleware.js";
import { createDefinition, type Operation } from "../operation.js";
import { readNotice } from "../request-body.js";
import { pageSchema, pageOf, pageQuery } from "../schemas.js";
import { idInput } from "../../lib/schemas.js";

const params = z.strictObject({
  automationId: idInput.meta({ description: "UUID of the automation." }),
});
const defineOperation = createDefinition("Automations");

/** Batches of a platform's records at set times, or when records change. */
export function automationOperations(automations: Automations): Operation[] {
  return [
    defineOperation({
      id: "createAutomation",
      post: "/api/automations",
      scope: "documents:write",
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
      errors: [404],
      idempotent: true,
      handle: ({ caller, body, keepAnswer }) =>
        automations.create(caller, body, getActor(caller), keepAnswer),
    }),
    defineOperation({
      id: "listAutomations",
      get: "/api/automations",
      scope: "documents:read",
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
      get: "/api/automations/:automationId",
      scope: "documents:read",
      summary: "Read an automation",
      description: "With its next runs and the last one.",
      params,
      reply: { description: "The automation.", schema: automationSchema },
      handle: ({ caller, params: { automationId } }) =>
        automations.get(caller.organizationId, automationId),
    }),
    defineOperation({
      id: "changeAutomation",
      patch: "/api/automations/:automationId",
      scope: "documents:write",
      summary: "Change, pause or resume an automation",
      description:
        "What is left out stays as it is, and so do template and table. Another selection, field, format or mode is checked on the " +
        "platform first. A paused automation does not run by itself; when it is resumed, a schedule goes on with its next time, " +
        "and changes that were made meanwhile are found.",
      params,
      body: automationPatchSchema,
      reply: { description: "The automation.", schema: automationSchema },
      handle: ({ caller, params: { automationId }, body }) =>
        automations.update(
          caller.organizationId,
          automationId,
          body,
          getActor(caller),
        ),
    }),
    defineOperation({
      id: "deleteAutomation",
      delete: "/api/automations/:automationId",
      scope: "documents:write",
      summary: "Delete an automation",
      description:
        "Also deletes its log. Its batches and their documents stay.",
      params,
      reply: {
        description: "The automation, as it was.",
        schema: automationSchema,
      },
      handle: ({ caller, params: { automationId } }) =>
        automations.delete(
          caller.organizationId,
          automationId,
          getActor(caller),
        ),
    }),
    defineOperation({
      id: "runAutomation",
      post: "/api/automations/:automationId/runs",
      scope: "documents:write",
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
      get: "/api/automations/:automationId/runs",
      scope: "documents:read",
      summary: "List the runs of an automation",
      description:
        "Newest first. Runs are kept for 90 days; of the looks for changes that found none, only the last.",
      params,
      query: z.strictObject(pageQuery),
      reply: {
        description: "A page of runs.",
        schema: pageSchema(automationRunSchema),
      },
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
