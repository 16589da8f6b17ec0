import {
  type AppRequest,
  type AppRoute,
  type AppVisitor,
  type AppWizard,
  type ChosenSources,
  PlatenError,
  type TablePlace,
} from "../../../core/plugin-api/index.js";
import { jsonRoute } from "./request.js";

/** From somebody's table to a button in it, for those who may make one. */
export function wizardRoutes(wizard: AppWizard): AppRoute[] {
  return [
    lookAt("table", async (visitor, request) =>
      wizard.table(visitor, placeOf(request)),
    ),
    lookAt("records", async (visitor, request) => {
      const text = (request.query.get("q") ?? "").trim().slice(0, 200);
      return { data: await wizard.records(visitor, placeOf(request), text) };
    }),
    lookAt("draft", async (visitor, request) => ({
      definition: await wizard.draft(visitor, placeOf(request)),
    })),
    jsonRoute({
      method: "post",
      path: "/api/wizard/mapping/:templateId",
      access: "editor",
      answer: async (visitor, request) => {
        const { templateId = "" } = request.params;
        const place = placeOf(request);
        const chosen = chosenIn(request.body);
        const data = await wizard.mapping(visitor, place, templateId, chosen);
        return { data };
      },
    }),
  ];
}

function lookAt(
  what: "table" | "records" | "draft",
  answer: (visitor: AppVisitor, request: AppRequest) => Promise<object>,
): AppRoute {
  const path = `/api/wizard/${what}` as const;
  return jsonRoute({ method: "get", path, access: "editor", answer });
}

function placeOf({ query }: AppRequest): TablePlace {
  const needed = (name: string) => {
    const value = query.get(name);
    if (value !== null && value !== "") return value;
    throw new PlatenError("invalid_request", `${name}: must be in the query.`);
  };
  return {
    connectionId: needed("connectionId"),
    baseId: query.get("baseId"),
    tableId: needed("tableId"),
  };
}

/** Field ids by `collection.field`. @throws PlatenError `invalid_request`. */
function chosenIn(body: unknown): ChosenSources {
  const entries = Object.entries(Object(body)).map(([name, value]) => {
    if (typeof value === "string") return [name, value] as const;
    throw new PlatenError("invalid_request", `$.${name}: must be a text.`);
  });
  return Object.fromEntries(entries);
}
