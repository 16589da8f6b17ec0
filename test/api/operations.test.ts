import { expect } from "chai";
import { operator, SCOPES } from "../../core/accounts/index.js";
import { batchWhen, sendBatch } from "../support/batches.js";
import {
  getKeys,
  json,
  newCaller,
  refusal,
  replies,
  type TestCaller,
} from "../support/caller.js";
import { sftpPlugin } from "../../plugins/sftp/plugin.js";
import { createLink } from "../support/links.js";
import {
  newRecordCaller,
  ordersPlatform,
  type RecordCaller,
  useRecordService,
} from "../support/records.js";
import { definition } from "../support/store.js";

/**
 * Every operation with its scope and the statuses that it may have beside those of all; `once` marks those that an
 * `Idempotency-Key` executes once.
 */
const table = `
  post   /api/export                                              documents:write   200 404 409 410 413 415 once
  post   /api/export/batch                                        documents:write   202 404 409 413 415 once
  post   /api/export/batch/file                                   documents:write   202 404 409 413 415 once
  post   /api/export/batch/file/inspect                           documents:write   200 404 413 415
  post   /api/export/batch/{platform}                             documents:write   202 404 409 413 415 once
  post   /api/batches/{batchId}/write-back                        documents:write   202 404 409 410
  get    /api/batches                                             documents:read    200
  get    /api/batches/{batchId}                                   documents:read    200 404
  post   /api/batches/{batchId}/cancel                            documents:write   200 404 409
  post   /api/batches/{batchId}/retry                             documents:write   202 404 409 once
  post   /api/batches/{batchId}/merged                            documents:write   202 404 409 413 415
  get    /api/batches/{batchId}/merged                            documents:read    200 404 409 410
  get    /api/batches/{batchId}/archive                           documents:read    200 404 409 410
  get    /api/batches/{batchId}/table                             documents:read    200 404 409 410
  post   /api/batches/{batchId}/deliveries/retry                  documents:write   202 404 409 410 413 415
  post   /api/deliveries/{deliveryId}/retry                       documents:write   202 404 409 410
  post   /api/links                                               documents:write   201 404 409 413 415 once
  get    /api/links                                               documents:read    200
  get    /api/links/{linkId}                                      documents:write   200 404
  patch  /api/links/{linkId}                                      documents:write   200 404 409 413 415
  delete /api/links/{linkId}                                      documents:write   200 404
  post   /api/automations                                         documents:write   201 404 409 413 415 once
  get    /api/automations                                         documents:read    200
  get    /api/automations/{automationId}                          documents:read    200 404
  patch  /api/automations/{automationId}                          documents:write   200 404 413 415
  delete /api/automations/{automationId}                          documents:write   200 404
  post   /api/automations/{automationId}/runs                     documents:write   202 404 409 once
  get    /api/automations/{automationId}/runs                     documents:read    200 404
  get    /api/documents                                           documents:read    200
  get    /api/documents/{documentId}                              documents:read    200 404
  get    /api/templates                                           templates:read    200
  post   /api/templates                                           templates:write   201 404 409 413 415 once
  get    /api/templates/{templateId}                              templates:read    200 404
  patch  /api/templates/{templateId}                              templates:write   200 404 413 415
  delete /api/templates/{templateId}                              templates:write   200 404
  put    /api/templates/{templateId}/definition                   templates:write   200 404 409 413 415
  post   /api/templates/{templateId}/validate                     documents:write   200 404 413 415
  post   /api/templates/{templateId}/duplicate                    templates:write   201 404 409 once
  post   /api/templates/{templateId}/restore                      templates:write   200 404
  get    /api/templates/{templateId}/versions                     templates:read    200 404
  get    /api/templates/{templateId}/{versionId}                  templates:read    200 404
  get    /api/usage                                               account:read      200
  get    /api/webhooks                                            webhooks:read     200
  post   /api/webhooks                                            webhooks:write    201 409 413 415
  get    /api/webhooks/{webhookId}                                webhooks:read     200 404
  patch  /api/webhooks/{webhookId}                                webhooks:write    200 404 413 415
  delete /api/webhooks/{webhookId}                                webhooks:write    200 404
  post   /api/webhooks/{webhookId}/rotate-secret                  webhooks:write    200 404 413 415
  get    /api/webhooks/{webhookId}/deliveries                     webhooks:read     200 404
  get    /api/webhooks/{webhookId}/deliveries/{deliveryId}        webhooks:read     200 404
  post   /api/webhooks/{webhookId}/test                           webhooks:write    200 404
  post   /api/webhooks/{webhookId}/deliveries/{deliveryId}/replay webhooks:write    202 404 409
  post   /api/webhooks/{webhookId}/replay                         webhooks:write    202 404 409 413 415
  get    /api/assets                                              templates:read    200
  post   /api/assets                                              templates:write   201 409 413 415 once
  get    /api/assets/{assetId}                                    templates:read    200 404
  patch  /api/assets/{assetId}                                    templates:write   200 404 413 415
  delete /api/assets/{assetId}                                    templates:write   200 404 409
  post   /api/assets/{assetId}/restore                            templates:write   200 404
  post   /api/assets/upload-link                                  templates:write   201 413 415
  get    /api/folders                                             templates:read    200
  post   /api/folders                                             templates:write   201 409 413 415 once
  patch  /api/folders/{folderId}                                  templates:write   200 404 413 415
  delete /api/folders/{folderId}                                  templates:write   200 404 409
  get    /api/brand                                               templates:read    200
  put    /api/brand                                               templates:write   200 409 413 415
  post   /api/brand/uses                                          templates:read    200 413 415
  get    /api/sequences                                           documents:read    200
  put    /api/sequences/{name}                                    templates:write   200 409 413 415
  get    /api/signing-certificate                                 connections:read  200 404
  put    /api/signing-certificate                                 connections:write 200 413 415
  delete /api/signing-certificate                                 connections:write 200 404
  get    /api/partials                                            templates:read    200
  post   /api/partials                                            templates:write   201 409 413 415 once
  get    /api/partials/{name}                                     templates:read    200 404
  patch  /api/partials/{name}                                     templates:write   200 404 409 413 415
  delete /api/partials/{name}                                     templates:write   200 404 409
  get    /api/signatures                                          documents:read    200
  get    /api/signatures/{signatureId}                            documents:read    200 404
  post   /api/signatures/{signatureId}/cancel                     documents:write   200 404 409
  post   /api/signatures/{signatureId}/resend                     documents:write   200 404 409
  get    /api/connections                                         connections:read  200
  post   /api/connections                                         connections:write 201 409 413 415 once
  get    /api/connections/{connectionId}                          connections:read  200 404
  patch  /api/connections/{connectionId}                          connections:write 200 404 413 415
  delete /api/connections/{connectionId}                          connections:write 200 404
  post   /api/connections/{connectionId}/test                     connections:write 200 404
  get    /api/connections/{connectionId}/bases                    connections:read  200 404
  get    /api/connections/{connectionId}/tables                   connections:read  200 404
  get    /api/platforms                                           connections:read  200
  get    /api/platforms/{platformId}                              connections:read  200 404
  get    /api/esign-providers                                     connections:read  200
  get    /api/esign-providers/{providerId}                        connections:read  200 404
  get    /api/delivery-methods                                    connections:read  200
  get    /api/delivery-methods/{methodId}                         connections:read  200 404
`;
const common = ["400", "401", "403", "429", "500", "503"];

interface Operation {
  method: string;
  path: string;
  scope: string;
  statuses: string[];
  isIdempotent: boolean;
}

const operations = table
  .trim()
  .split("\n")
  .map((row): Operation => {
    const [method = "", path = "", scope = "", ...rest] = row
      .trim()
      .split(/ +/);
    return {
      method,
      path,
      scope,
      statuses: rest.filter((word) => word !== "once"),
      isIdempotent: rest.includes("once"),
    };
  });

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

/** What the reference says of an operation. */
interface Documented {
  description: string;
  parameters?: { in?: string; $ref?: string }[];
  requestBody?: { content: object };
  responses: object;
}

const missingId = "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f";

/** Bodies of operations on something that exists, where an empty object is not enough. */
const bodies: Record<string, object> = {
  "put /api/templates/{templateId}/definition": { definition },
  "post /api/templates/{templateId}/validate": { data: {} },
  "post /api/webhooks/{webhookId}/replay": { since: "2026-01-01T00:00:00Z" },
};

describe("every operation of the API", () => {
  const service = useRecordService(ordersPlatform(), { others: [sftpPlugin] });
  let owner: RecordCaller;
  let stranger: TestCaller;
  let reference: Map<string, Documented>;
  /** Ids of what the owner has, by the name of the parameter. */
  let ids: Record<string, string>;

  before(async () => {
    owner = await newRecordCaller(service);
    stranger = await newCaller(service, SCOPES, "premium");
    const { paths } = await json<{
      paths: Record<string, Record<string, Documented>>;
    }>(fetch(`${service.url}/openapi.json`));
    reference = new Map(
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(
          ([method, one]) => [`${method} ${path}`, one] as const,
        ),
      ),
    );
    const { templateId, connectionId } = owner;
    const create = async (path: string, body: object) =>
      json<Record<string, string>>(owner.post(path, body), 201);
    const pixel =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    const base64Data = Buffer.from(pixel).toString("base64");
    const storage = await create("/api/connections", {
      delivery: "sftp",
      name: "Archive",
      credentials: {
        host: "127.0.0.1",
        port: 9,
        user: "platen",
        password: "s3cret",
        hostKeyFingerprint: `SHA256:${"A".repeat(43)}`,
      },
    });
    const batch = await sendBatch(owner, {
      templateId,
      formats: ["html"],
      items: [{}],
      deliver: [{ connection: storage["id"] }],
    });
    const documentId = batch.documents[0]?.id ?? "";
    await batchWhen(owner, batch.batchId);
    const { deliveries = [] } = await replies.document(
      await owner.get(`/api/documents/${documentId}`),
    );
    const [version] = await replies.versions(
      await owner.get(`/api/templates/${templateId}/versions`),
    );
    const asset = await create("/api/assets", { name: "a", base64Data });
    const folder = await create("/api/folders", { name: "F", kind: "asset" });
    const webhook = await create("/api/webhooks", {
      url: "https://shop.example.com/platen",
    });
    const automation = await create("/api/automations", {
      templateId,
      platform: "memory",
      connectionId,
      records: { filter: "none" },
      when: { cron: "0 8 * * 1" },
    });
    await create("/api/partials", { name: "note", components: [] });
    ids = {
      templateId,
      connectionId,
      versionId: version?.id ?? "",
      batchId: batch.batchId,
      documentId,
      deliveryId: deliveries[0]?.id ?? "",
      assetId: asset["id"] ?? "",
      folderId: folder["id"] ?? "",
      webhookId: webhook["id"] ?? "",
      automationId: automation["id"] ?? "",
      linkId: (await createLink(owner)).id,
      name: "note",
      platformId: "memory",
    };
  });

  /** Sends a request as it is, to the path with these values in place of its parameters. */
  const send = (
    { method, path }: Operation,
    {
      key = owner.key,
      values = {},
      query = "",
      body,
      type = "application/json",
    }: {
      key?: string | null;
      values?: Record<string, string>;
      query?: string;
      body?: string | undefined;
      type?: string;
    } = {},
  ) => {
    const filled = path.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => values[name] ?? missingId,
    );
    return fetch(service.url + filled + query, {
      method: method.toUpperCase(),
      headers: {
        ...(key !== null && { "x-api-key": key }),
        ...(body !== undefined && { "content-type": type }),
      },
      ...(body !== undefined && { body }),
    });
  };
  const documentedOf = (operation: Operation) =>
    reference.get(nameOf(operation)) ?? expect.fail(nameOf(operation));
  const takesJson = (operation: Operation) =>
    "application/json" in (documentedOf(operation).requestBody?.content ?? {});

  it("is in the reference with its scope, its statuses and Idempotency-Key where it is executed once", () => {
    const rows = [...reference].map(
      ([name, { description, responses, parameters = [] }]) => [
        name,
        /Permission: `(.*)`\.$/.exec(description)?.[1],
        parameters.some(({ $ref }) => $ref?.endsWith("IdempotencyKey")),
        ...Object.keys(responses).filter((status) => !common.includes(status)),
      ],
    );
    expect(rows).to.have.deep.members(
      operations.map(({ scope, statuses, isIdempotent, ...one }) => [
        `${one.method} ${one.path}`,
        scope,
        isIdempotent,
        ...statuses,
      ]),
    );
    for (const { responses } of reference.values())
      expect(responses).to.include.keys(...common);
  });

  it("requires a valid key, before anything else in the request", async () => {
    const revoked = await newCaller(service);
    await revoked.get("/api/documents");
    await getKeys(service).revoke(revoked.keyId, operator);
    const changed =
      owner.key.slice(0, -1) + (owner.key.endsWith("A") ? "B" : "A");
    for (const [key, error] of [
      [null, "x-api-key"],
      [revoked.key, "was revoked"],
      [changed, "Unknown API key"],
      [" ", "No API key"],
      ["null", "Unknown API key"],
      [`Bearer ${owner.key}`, "Unknown API key"],
    ] as const)
      for (const operation of operations) {
        // A body in JSON may hold a link's token in place of a key.
        const takesLinks = operation.path.endsWith("{platform}");
        const body = bodyOf(operation, takesLinks ? "{}" : "{");
        expect(await refusal(send(operation, { key, body })))
          .to.match(/^401 /)
          .and.contain(error);
      }
  });

  for (const scope of SCOPES)
    it(`requires the scope ${scope} where the table says so, or the response is a 400 that names it`, async () => {
      const others = SCOPES.filter((one) => one !== scope);
      const [{ key: without }, { key }] = [
        await newCaller(service, others),
        await newCaller(service, [scope]),
      ];
      const needing = operations.filter((one) => one.scope === scope);
      expect(needing).to.not.deep.equal([]);
      for (const operation of needing) {
        const body = bodyOf(operation, "{}");
        expect(await refusal(send(operation, { key: without, body }))).to.match(
          new RegExp(`^400 .*scope ${scope}`),
        );
        const allowed = await send(operation, { key, body });
        expect(await allowed.text(), nameOf(operation)).to.not.contain(
          "scope ",
        );
      }
    });

  it("answers 404 for the ids of another organization, as for ids that do not exist", async () => {
    for (const operation of operations) {
      if (!/\{(?!platform)/.test(operation.path)) continue;
      if (!operation.statuses.includes("404")) continue;
      const body = bodyOf(
        operation,
        JSON.stringify(bodies[nameOf(operation)] ?? {}),
      );
      const { key } = stranger;
      const foreign = await refusal(
        send(operation, { key, body, values: ids }),
      );
      expect(foreign, nameOf(operation)).to.match(/^404 /);
      for (const id of [missingId, "none", "%00", "..%2f..%2fx"]) {
        const values = Object.fromEntries(
          Object.keys(ids).map((name) => [name, id]),
        );
        const answer = await refusal(send(operation, { key, body, values }));
        expect(answer, `${nameOf(operation)} ${id}`).to.equal(foreign);
      }
    }
  });

  it("lists what an organization has to nobody else", async () => {
    const { name: _name, platformId: _platform, ...own } = ids;
    const found = new Set<string>();
    for (const operation of operations) {
      if (operation.method !== "get" || operation.path.includes("{")) continue;
      const [mine, theirs] = await Promise.all(
        [owner.key, stranger.key].map(async (key) => {
          const text = await (await send(operation, { key })).text();
          return Object.keys(own).filter((name) =>
            text.includes(ids[name] ?? ""),
          );
        }),
      );
      for (const name of mine ?? []) found.add(name);
      expect(theirs, nameOf(operation)).to.deep.equal([]);
    }
    expect(
      Object.keys(own).filter((name) => !found.has(name)),
      "in no list",
    ).to.deep.equal(["versionId", "deliveryId"]);
  });

  it("reads what the ids of its own organization name, in lower or upper case", async () => {
    const upper = Object.fromEntries(
      Object.entries(ids).map(([name, id]) => [
        name,
        id.replace(/[0-9a-f-]{36}$/, (uuid) => uuid.toUpperCase()),
      ]),
    );
    let count = 0;
    for (const operation of operations) {
      if (operation.method !== "get" || !operation.path.includes("Id}"))
        continue;
      const [lower, again] = [
        await send(operation, { values: ids }),
        await send(operation, { values: upper }),
      ];
      expect(again.status, nameOf(operation)).to.equal(lower.status);
      if (lower.ok) count += 1;
    }
    expect(count).to.be.at.least(15);
  });

  it("refuses a body that is no object of its fields in JSON, with the reason", async () => {
    for (const operation of operations.filter(takesJson))
      for (const [body, error] of [
        ["{", /^400 The body is not valid JSON/],
        ["[]", /^400 .*must be an? (JSON )?object/],
        ['{"nonsense":1}', /^400 .*\$\.nonsense: unknown field/],
      ] as const)
        expect(
          await refusal(
            send(operation, {
              key: stranger.key,
              body,
              values: { platform: "memory" },
            }),
          ),
          nameOf(operation),
        ).to.match(error);
  });

  it("refuses a body of another charset or type with the reason", async () => {
    for (const operation of operations.filter(takesJson))
      for (const [type, error] of [
        ["application/json; charset=iso-8859-1", /^415 .*UTF-8.*Send UTF-8/],
        ['application/json; charset="UTF-16"', /^415 .*Send UTF-8/],
        ["text/plain", /^400 .*application\/json|Invalid asset name/],
      ] as const)
        expect(
          await refusal(
            send(operation, { key: stranger.key, body: "{}", type }),
          ),
          nameOf(operation),
        ).to.match(error);
  });

  it("refuses parameters that it does not have, where it has some", async () => {
    const withQuery = operations.filter((operation) =>
      documentedOf(operation).parameters?.some((one) => one.in === "query"),
    );
    expect(withQuery).to.have.length.above(15);
    for (const operation of withQuery) {
      const answer = send(operation, { query: "?nonsense=1", values: ids });
      expect(await refusal(answer), nameOf(operation)).to.match(
        /^400 .*nonsense: unknown field/,
      );
    }
  });

  /** The body, if the operation takes any. */
  function bodyOf(operation: Operation, body: string): string | undefined {
    return documentedOf(operation).requestBody && body;
  }
});
