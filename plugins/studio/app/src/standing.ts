import type { AppProfile } from "../../../../core/plugin-api/app-plugin.js";
import { signal } from "@preact/signals";
import { leaveToSignIn } from "./way-back.js";

/** How the service sees this page: another tab of the browser may have signed out, or let somebody else in. */
export type Standing = "good" | "signed-out" | "other-visitor";

/** Whoever was signed in when the page was loaded. It stays theirs until it is loaded again, whoever comes meanwhile. */
export const pageOwner = signal<AppProfile | null>(null);

/** Of the last answer. */
export const standing = signal<Standing>("good");

/** What says that a request is ours, and whose page sent it; see docs/studio.md. */
export function pageHeaders(): Record<string, string> {
  const owner = pageOwner.peek();
  return {
    "x-platen-app": "studio",
    ...(owner && {
      "x-platen-visitor": `${owner.user.id}/${owner.organization.id}`,
    }),
  };
}

/** Hears of every answer to a request with these headers. Where nothing is shown yet, there is nothing to stay for. */
export function noteAnswer(status: number): void {
  if (status === 401 && !pageOwner.peek()) leaveToSignIn();
  else if (status === 401) standing.value = "signed-out";
  else if (status === 412) standing.value = "other-visitor";
  else if (status < 400) standing.value = "good";
}
