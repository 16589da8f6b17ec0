import { type Scope, SCOPES } from "../index.js";
import type { AppRole } from "../../plugin-api/index.js";

const editorWrites: readonly Scope[] = ["templates:write", "documents:write"];

/** Viewers read; editors write templates and documents; owners do all. */
export function scopesOf(role: AppRole): readonly Scope[] {
  if (role === "owner") return SCOPES;
  return SCOPES.filter(
    (scope) =>
      scope.endsWith(":read") ||
      (role === "editor" && editorWrites.includes(scope)),
  );
}
