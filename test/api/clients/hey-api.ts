import { data, letter } from "./definition.js";
import {
  createTemplate,
  createWebhook,
  exportBatch,
  exportDocument,
  getDocument,
  getTemplate,
  getUsage,
  listDocuments,
  testWebhook,
  updateTemplate,
  type WebhookEvent,
} from "./generated/client/index.js";
import { client } from "./generated/client/client.gen.js";
import { assert, receive } from "./receiver.js";

// What an integrator writes with the client of @hey-api/openapi-ts.

const [url = "", key = "", limitedKey = ""] = process.argv.slice(2);
client.setConfig({ baseUrl: url, auth: key });

const created = await createTemplate({
  body: { name: "Letter", definition: letter },
});
assert(
  created.data !== undefined,
  `the template was created: ${created.error?.error}`,
);
const { id: templateId } = created.data;
const activated = await updateTemplate({
  path: { templateId },
  body: { isActive: true },
});
assert(activated.data?.isActive === true, "the template is active");

const read = await getTemplate({ path: { templateId } });
assert(
  read.data !== undefined && "definition" in read.data,
  "the template was read",
);
const [heading] = read.data.definition.components;
assert(heading?.type === "heading", "the first component is the heading");
const level: number | undefined = heading.level;
assert(level === 2, "its level is kept");

const exported = await exportDocument({
  headers: { "Idempotency-Key": "export-2" },
  body: { templateId, formats: ["html"], data },
});
assert(exported.data?.html !== undefined, `HTML: ${exported.error?.error}`);
assert(exported.data.html.htmlDocument.includes("€20.00"), "with the total");

const list = await listDocuments({ query: { pageSize: 10, page: 1 } });
assert(list.data?.data[0]?.status === "succeeded", "the document is listed");

const missing = await getDocument({ path: { documentId: "doc_0" } });
assert(missing.response?.status === 404, "another is missing");
const message: string | undefined = missing.error?.error;
assert(message !== undefined, "and the error says so");

for (;;) {
  const { response, error } = await getUsage({ auth: limitedKey });
  if (response?.status !== 429) continue;
  const retryAfter = Number(response.headers.get("retry-after"));
  assert(retryAfter > 0, "it says how long to wait");
  assert(error?.error.includes("2 requests") === true, "and why");
  break;
}

function describe(event: WebhookEvent): string {
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

const events = await receive<WebhookEvent>(
  async (receiverUrl) => {
    const webhook = await createWebhook({
      body: {
        url: receiverUrl,
        events: ["document.succeeded", "documents.completed"],
      },
    });
    assert(webhook.data !== undefined, "the endpoint is registered");
    const test = await testWebhook({ path: { webhookId: webhook.data.id } });
    assert(test.data?.message.type === "webhook.test", "the test is typed");
    const batch = await exportBatch({
      body: { templateId, formats: ["html"], items: [{ data }] },
    });
    assert(batch.data?.totalCount === 1, "the batch is accepted");
  },
  ({ type }) => type === "documents.completed",
);
process.stdout.write(`${events.map(describe).slice(1).join("; ")}\n`);
