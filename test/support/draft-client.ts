import { z } from "zod";
import { reader } from "./caller.js";
import type { TestService } from "./service.js";
import { publish } from "./store.js";
import { newVisitor, type TestVisitor } from "./studio.js";

const state = { hash: z.string(), updatedAt: z.string(), version: z.number() };
const definition = z.record(z.string(), z.unknown());
const revision = z.number().int();

const view = z.strictObject({
  templateId: z.string(),
  name: z.string(),
  templateType: z.string(),
  folderId: z.string().nullable(),
  definition,
  revision,
  savedAt: z.string().nullable(),
  savedBy: z.string().nullable(),
  savedById: z.string().nullable(),
  base: z.strictObject({ ...state, definition }),
  published: z.strictObject({ ...state, definition: definition.nullable() }),
  publishedBy: z
    .strictObject({
      userId: z.string().nullable(),
      name: z.string().nullable(),
      origin: z.string(),
    })
    .nullable(),
  isChanged: z.boolean(),
  isTrashed: z.boolean(),
});
export type DraftReply = z.output<typeof view>;

/** Parses successful responses. */
export const draftReplies = {
  view: reader(view),
  saved: reader(
    z.strictObject({
      revision,
      savedAt: z.string(),
      facts: z.looseObject({
        problems: z.array(z.looseObject({ path: z.string() })),
      }),
    }),
  ),
};

/** Reads, saves and publishes the draft of a new template, as its editor. */
export interface DraftClient {
  visitor: TestVisitor;
  templateId: string;
  /** The path of the draft below the service URL. */
  path: string;
  open(): Promise<DraftReply>;
  save(change: object): Promise<Response>;
  publish(publication: object): Promise<Response>;
}

export async function newDraftClient(
  service: TestService,
  input: object = {},
): Promise<DraftClient> {
  const visitor = await newVisitor(service, "editor");
  const templateId = await publish(service.store, visitor, input);
  const path = `/studio/api/drafts/${templateId}`;
  return {
    visitor,
    templateId,
    path,
    open: async () => draftReplies.view(await visitor.get(path)),
    save: (change) => visitor.send("PUT", path, change),
    publish: (body) => visitor.send("POST", `${path}/publish`, body),
  };
}

/** A definition with this text only. */
export function definitionWithText(text: string) {
  const fields = [{ name: "name", type: "String" }];
  const components = [{ id: "a", type: "text", text }];
  return { schema: [{ id: "root", fields }], components };
}

/** The request body that changes an opened draft to this text. */
export function createChange(
  { revision: seen, base }: DraftReply,
  text: string,
) {
  return {
    definition: definitionWithText(text),
    expectedRevision: seen,
    base: base.hash,
  };
}
