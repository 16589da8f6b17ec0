import type {
  documentSchema,
  exportResultSchema,
} from "../../core/documents/index.js";
import { expect } from "chai";
import type { z } from "zod";
import { SCOPES } from "../../core/accounts/index.js";
import type { Plan } from "../../core/storage/database/index.js";
import { newCaller, refusal, replies, type TestCaller } from "./caller.js";
import {
  exported,
  type TestService,
  type TestServiceOptions,
  useService,
} from "./service.js";

interface ApiOptions extends TestServiceOptions {
  scopes?: readonly string[];
  /** Batches need `premium`. */
  plan?: Plan;
  /** The template of `api.templateId`; a letter by default. */
  template?: object;
}

interface Rendered {
  result: z.output<typeof exportResultSchema>;
  document: z.output<typeof documentSchema>;
  headers: Headers;
}

/** The REST API for the suite that calls this, with a caller of a new organization and a template of its. */
interface Api {
  service: TestService;
  readonly caller: TestCaller;
  readonly templateId: string;
  /** Sends a request to POST /api/export: html of the template, unless the body says otherwise. */
  send(body?: object, by?: TestCaller): Promise<Response>;
  /** Sends it and reads the answer, and the document that its header names. */
  render(body?: object, by?: TestCaller): Promise<Rendered>;
  /** Sends it and reads the html. */
  html(body?: object, by?: TestCaller): Promise<string>;
  /** Sends it, and reads the status and the error. */
  refused(body?: object, by?: TestCaller): Promise<string>;
  /** Sends what cannot be rendered. @returns the error, and the document that has failed with it */
  fail(body?: object): Promise<Pick<Rendered, "document"> & { error: string }>;
}

export function useApi(options: ApiOptions = {}): Api {
  const { scopes = SCOPES, plan, template, ...rest } = options;
  const service = useService(rest);
  let caller: TestCaller;
  let templateId = "";
  before(async () => {
    caller = await newCaller(service, scopes, plan);
    templateId = await caller.publish(template);
  });
  const complete = (body: object) => ({
    ...("definition" in body ? {} : { templateId }),
    formats: ["html"],
    ...body,
  });
  const api: Api = {
    service,
    get caller() {
      return caller;
    },
    get templateId() {
      return templateId;
    },
    send: (body = {}, by = caller) => by.post("/api/export", complete(body)),
    render: (body = {}, by = caller) => exported(by, complete(body)),
    html: async (body, by) =>
      (await api.render(body, by)).result.html?.htmlDocument ?? "",
    refused: (body, by) => refusal(api.send(body, by)),
    fail: async (body) => {
      const response = await api.send(body);
      const id = response.headers.get("x-document-id");
      const error = (await refusal(response)).slice(4);
      const document = await replies.document(
        await caller.get(`/api/documents/${id}`),
      );
      expect(response.status).to.equal(400);
      expect(document).to.include({ status: "failed", error });
      return { error, document };
    },
  };
  return api;
}

/** The bytes behind a link. */
export async function download(url: string | undefined): Promise<Buffer> {
  return Buffer.from(await (await fetch(url ?? "")).arrayBuffer());
}
