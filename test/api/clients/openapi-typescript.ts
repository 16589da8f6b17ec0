import createClient from "openapi-fetch";
import { data, sameLetter } from "./definition.js";
import type { components, paths, webhooks } from "./generated/schema.js";
import { assert, receive } from "./receiver.js";

// What an integrator writes with the types of openapi-typescript.

const [url = "", key = "", limitedKey = ""] = process.argv.slice(2);
const api = createClient<paths>({
  baseUrl: url,
  headers: { "x-api-key": key },
});

const created = await api.POST("/api/templates", {
  body: { name: "Letter", definition: sameLetter },
});
assert(
  created.data !== undefined,
  `the template was created: ${created.error?.error}`,
);
const { id: templateId } = created.data;
const activated = await api.PATCH("/api/templates/{templateId}", {
  params: { path: { templateId } },
  body: { isActive: true },
});
assert(activated.data?.isActive === true, "the template is active");

const read = await api.GET("/api/templates/{templateId}", {
  params: { path: { templateId } },
});
assert(
  read.data !== undefined && "definition" in read.data,
  "the template was read",
);
const [heading] = read.data.definition.components;
assert(heading?.type === "heading", "the first component is the heading");
const level: number | undefined = heading.level;
assert(level === 2, "its level is kept");

const exported = await api.POST("/api/export", {
  params: { header: { "Idempotency-Key": "export-1" } },
  body: { templateId, formats: ["html"], data },
});
assert(exported.data?.html !== undefined, `HTML: ${exported.error?.error}`);
assert(exported.data.html.htmlDocument.includes("€20.00"), "with the total");
const replayed = await api.POST("/api/export", {
  params: { header: { "Idempotency-Key": "export-1" } },
  body: { templateId, formats: ["html"], data },
});
type ExportHeaders = paths["/api/export"]["post"]["responses"][200]["headers"];
const isReplayed: ExportHeaders["idempotency-replayed"] =
  replayed.response.headers.get("idempotency-replayed") === "true"
    ? "true"
    : undefined;
assert(isReplayed === "true", "the second request is a replay");

const list = await api.GET("/api/documents", {
  params: { query: { pageSize: 10, page: 1 } },
});
assert(list.data?.pagination.total === 1, "one document is listed");
assert(list.data.data[0]?.status === "succeeded", "which succeeded");

const missing = await api.GET("/api/documents/{documentId}", {
  params: { path: { documentId: "doc_0" } },
});
assert(missing.response.status === 404, "another is missing");
assert(missing.error !== undefined, "with an error");
const message: string = missing.error.error;
assert(message !== "", "that says so");

type TooManyRequests = components["responses"]["TooManyRequests"];
for (;;) {
  const { response, error } = await api.GET("/api/usage", {
    headers: { "x-api-key": limitedKey },
  });
  if (response.status !== 429) continue;
  const retryAfter: TooManyRequests["headers"]["retry-after"] = Number(
    response.headers.get("retry-after"),
  );
  const limit: TooManyRequests["headers"]["ratelimit-limit"] = Number(
    response.headers.get("ratelimit-limit"),
  );
  assert(retryAfter > 0 && limit === 2, "it says how long to wait");
  assert(error?.error.includes("2 requests") === true, "and why");
  break;
}

type Event = components["schemas"]["WebhookEvent"];

function describe(event: Event): string {
  switch (event.type) {
    case "document.succeeded":
      return `${event.data.outputs.map(({ label }) => label).join()}`;
    case "document.failed":
    case "document.expired":
      return event.data.error;
    case "documents.completed":
      return `${event.data.succeededCount} of ${event.data.totalDocuments}`;
    case "document.saved":
      return event.data.recordId;
    case "documents.saved":
      return `${event.data.savedCount}`;
    case "signature.completed":
    case "signature.declined":
    case "signature.expired":
      return event.data.submitters.map(({ email }) => email).join();
    case "webhook.test":
      return event.data.webhookId;
    default:
      return event satisfies never;
  }
}

type Completed =
  webhooks["documents.completed"]["post"]["requestBody"]["content"]["application/json"];

const events = await receive<Event>(
  async (receiverUrl) => {
    const webhook = await api.POST("/api/webhooks", {
      body: {
        url: receiverUrl,
        events: ["document.succeeded", "documents.completed"],
      },
    });
    assert(webhook.data !== undefined, "the endpoint is registered");
    const test = await api.POST("/api/webhooks/{webhookId}/test", {
      params: { path: { webhookId: webhook.data.id } },
    });
    assert(test.data?.message.type === "webhook.test", "the test is typed");
    const batch = await api.POST("/api/export/batch", {
      body: { templateId, formats: ["html"], items: [{ data }] },
    });
    assert(batch.data?.totalCount === 1, "the batch is accepted");
  },
  ({ type }) => type === "documents.completed",
);
const last = events.at(-1);
assert(last?.type === "documents.completed", "the batch has ended");
const completed: Completed = last;
assert(completed.data.totalDocuments === 1, "with one document");
process.stdout.write(`${events.map(describe).slice(1).join("; ")}\n`);
