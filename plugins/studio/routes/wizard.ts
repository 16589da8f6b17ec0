import {
  type AppRequest,
  type AppRoute,
  type AppVisitor,
  type AppWizard,
  type ChosenSources,
  PlatenError,
  type TableLocation,
} from "../../../core/plugin-api/index.js";
import { jsonRoute } from "./request.js";

/** The wizard that leads from a table to a button. */
export function wizardRoutes(wizard: AppWizard): AppRoute[] {
  return [
    wizardRoute("table", async (visitor, request) =>
      wizard.table(visitor, parsePlace(request)),
    ),
    wizardRoute("records", async (visitor, request) => {
      const text = (request.query.get("q") ?? "").trim().slice(0, 200);
      return { data: await wizard.records(visitor, parsePlace(request), text) };
    }),
    wizardRoute("draft", async (visitor, request) => ({
      definition: await wizard.draft(visitor, parsePlace(request)),
    })),
    jsonRoute({
      method: "post",
      path: "/api/wizard/mapping/:templateId",
      access: "editor",
      answer: async (visitor, request) => {
        const { templateId = "" } = request.params;
        const place = parsePlace(request);
        const chosen = parseSources(request.body);
        const data = await wizard.mapping(visitor, place, templateId, chosen);
        return { data };
      },
    }),
  ];
}

function wizardRoute(
  what: "table" | "records" | "draft",
  answer: (visitor: AppVisitor, request: AppRequest) => Promise<object>,
): AppRoute {
  const path = `/api/wizard/${what}` as const;
  return jsonRoute({ method: "get", path, access: "editor", answer });
}

function parsePlace({ query }: AppRequest): TableLocation {
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

/** Field ids by `collection.field`. @throws PlatenError `invalid_request`. */
function parseSources(body: unknown): ChosenSources {
  const entries = Object.entries(Object(body)).map(([name, value]) => {
    if (typeof value === "string") return [name, value] as const;
    throw new PlatenError("invalid_request", `$.${name}: must be a string.`);
  });
  return Object.fromEntries(entries);
}
