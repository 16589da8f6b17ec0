import {
  type AppRequest,
  type AppRoute,
  type AppWizard,
  type ChosenSources,
  PlatenError,
  type TablePlace,
} from "../../../core/contract/index.js";
import { visitorOf } from "./sessions.js";

/** From somebody's table to a button in it, for those who may make one. */
export function wizardRoutes(wizard: AppWizard): AppRoute[] {
  return [
    lookAt("table", (request) =>
      wizard.table(visitorOf(request), placeOf(request)),
    ),
    lookAt("records", async (request) => {
      const text = (request.query.get("q") ?? "").trim().slice(0, 200);
      const place = placeOf(request);
      return { data: await wizard.records(visitorOf(request), place, text) };
    }),
    lookAt("draft", async (request) => ({
      definition: await wizard.draft(visitorOf(request), placeOf(request)),
    })),
    {
      method: "post",
      path: "/api/wizard/mapping/:templateId",
      access: "editor",
      handle: async (request) => {
        const { templateId = "" } = request.params;
        const visitor = visitorOf(request);
        const place = placeOf(request);
        const chosen = chosenIn(request.body);
        const data = await wizard.mapping(visitor, place, templateId, chosen);
        return { json: { data } };
      },
    },
  ];
}

function lookAt(
  what: "table" | "records" | "draft",
  look: (request: AppRequest) => Promise<object>,
): AppRoute {
  return {
    method: "get",
    path: `/api/wizard/${what}`,
    access: "editor",
    handle: async (request) => ({ json: await look(request) }),
  };
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
