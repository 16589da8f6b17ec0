import { z } from "zod";
import type {
  ButtonSetup,
  TableLocation,
} from "../../../integrations/platforms/index.js";
import { PlatenError } from "../../../plugin-api/index.js";
import type { AppRequest, AppRoute } from "./router.js";
import { jsonRoute } from "./request.js";

/** The wizard that leads from a table to a button. */
export function wizardRoutes(wizard: ButtonSetup): AppRoute[] {
  return [
    jsonRoute("get", "/api/wizard/table", "editor", async (visitor, request) =>
      wizard.table(visitor, parsePlace(request)),
    ),
    jsonRoute(
      "get",
      "/api/wizard/records",
      "editor",
      async (visitor, request) => {
        const text = (request.query.get("q") ?? "").trim().slice(0, 200);
        return {
          data: await wizard.records(visitor, parsePlace(request), text),
        };
      },
    ),
    jsonRoute(
      "get",
      "/api/wizard/draft",
      "editor",
      async (visitor, request) => ({
        definition: await wizard.draft(visitor, parsePlace(request)),
      }),
    ),
    jsonRoute(
      "post",
      "/api/wizard/mapping/:templateId",
      "editor",
      async (visitor, request) => {
        const { templateId = "" } = request.params;
        const place = parsePlace(request);
        const chosen = request.body;
        const data = await wizard.mapping(visitor, place, templateId, chosen);
        return { data };
      },
      // Field ids by `collection.field`.
      { body: z.record(z.string(), z.string()) },
    ),
  ];
}

function parsePlace({ query }: Pick<AppRequest, "query">): TableLocation {
  const parseRequired = (name: string) => {
    const value = query.get(name);
    if (value !== null && value !== "") return value;
    throw new PlatenError(
      "invalid_request",
      `${name}: required query parameter.`,
    );
  };
  return {
    connectionId: parseRequired("connectionId"),
    baseId: query.get("baseId"),
    tableId: parseRequired("tableId"),
  };
}
