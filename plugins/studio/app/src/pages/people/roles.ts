import type { AppRole } from "../../../../../../core/plugin-api/app-plugin.js";

/** What each role may do, in words. */
export const roleWords: readonly (readonly [
  role: AppRole,
  name: string,
  may: string,
])[] = [
  ["viewer", "Viewer", "Looks at everything but keys, people and the log."],
  ["editor", "Editor", "Also changes templates and makes documents."],
  ["owner", "Owner", "Everything: people, connections, webhooks and keys too."],
];

export function roleName(role: AppRole): string {
  return roleWords.find(([one]) => one === role)?.[1] ?? role;
}
