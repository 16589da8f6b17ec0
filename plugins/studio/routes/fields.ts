import type {
  AppFields,
  AppRoute,
  FieldQuestion,
} from "../../../core/plugin-api/index.js";
import { text } from "./draft-fields.js";
import { valueOf } from "./field.js";

/** A definition of 2 MiB, and what stands around it. */
const maxBytes = 3 * 1024 * 1024;

/** What an editor asks about the fields of a definition that need not be stored. */
export function fieldRoutes(fields: AppFields): AppRoute[] {
  return [
    {
      method: "post",
      path: "/api/drafts/field-uses",
      access: "viewer",
      maxBytes,
      handle: async ({ body }) => ({
        json: { uses: fields.uses(questionOf(body)) },
      }),
    },
    {
      method: "post",
      path: "/api/drafts/rename-field",
      access: "viewer",
      maxBytes,
      handle: async ({ body }) => ({
        json: { changes: fields.rename(questionOf(body), text(body, "to")) },
      }),
    },
  ];
}

function questionOf(body: unknown): FieldQuestion {
  return {
    definition: valueOf(body, "definition"),
    collectionId: text(body, "collectionId"),
    name: text(body, "name"),
  };
}
