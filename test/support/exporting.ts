import type { TestCaller } from "./caller.js";
import { replies } from "./replies.js";

/** Renders and reads the answer and the document that the header names. */
export async function exported(caller: TestCaller, body: object) {
  const response = await caller.post("/api/export", body);
  const result = await replies.exported(response);
  const id = response.headers.get("x-document-id") ?? "";
  const document = await replies.document(
    await caller.get(`/api/documents/${id}`),
  );
  return { result, document, headers: response.headers };
}
