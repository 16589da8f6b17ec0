import { isDeepStrictEqual } from "node:util";
import type { DraftView, PublishedState } from "../../plugin-api/index.js";
import type { Template } from "../../storage/database/index.js";
import { liftDefinition } from "../../definition/index.js";
import type { FoundDraft } from "./find-draft.js";

/** A template as whoever designs it finds it. */
export function draftView(
  template: Template,
  { revision, draft }: FoundDraft,
): DraftView {
  const { id: templateId, name, templateType, folderId } = template;
  const live = publishedState(template);
  const published = liftDefinition(template.definition);
  const base = draft
    ? { ...stateOf(draft.base), definition: draft.base.definition }
    : { ...live, definition: published };
  const definition = draft ? draft.definition : published;
  return {
    templateId,
    name,
    templateType,
    folderId,
    definition,
    revision,
    savedAt: draft && draft.savedAt.toISOString(),
    savedBy: draft && draft.savedBy,
    base,
    published: {
      ...live,
      definition: live.hash === base.hash ? null : published,
    },
    isChanged: !isDeepStrictEqual(definition, published),
    isTrashed: template.trashedAt !== null,
  };
}

export function publishedState({
  definitionHash: hash,
  updatedAt,
  version,
}: Pick<Template, "definitionHash" | "updatedAt" | "version">): PublishedState {
  return stateOf({ hash, updatedAt, version });
}

function stateOf(state: {
  hash: string;
  updatedAt: Date;
  version: number;
}): PublishedState {
  const { hash, updatedAt, version } = state;
  return { hash, updatedAt: updatedAt.toISOString(), version };
}
