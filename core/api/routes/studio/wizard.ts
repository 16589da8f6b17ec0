import { z } from "zod";
import type {
  ButtonSetup,
  TableLocation,
} from "../../../integrations/platforms/index.js";
import { PlatenError } from "../../../plugin-api/index.js";
import type { AppRequest, AppRoute } from "./router.js";
import { editor } from "./request.js";

/** The wizard that leads from a table to a button. */
export function wizardRoutes(wizard: ButtonSetup): AppRoute[] {
  return [
    editor.get("/api/wizard/table", async (visitor, request) =>
      wizard.table(visitor, parsePlace(request)),
    ),
    editor.get("/api/wizard/records", async (visitor, request) => {
      const text = (request.query.get("q") ?? "").trim().slice(0, 200);
      return {
        data: await wizard.records(visitor, parsePlace(request), text),
      };
    }),
    editor.get("/api/wizard/draft", async (visitor, request) => ({
      definition: await wizard.draft(visitor, parsePlace(request)),
    })),
    editor.post(
      "/api/wizard/mapping/:templateId",
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
