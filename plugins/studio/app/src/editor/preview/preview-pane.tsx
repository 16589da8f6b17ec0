import type { DraftSession } from "../session/draft-session.js";

/** Not drawn yet. */
export function PreviewPane({ session }: { session: DraftSession }) {
  return <div>{session.view.value.name}</div>;
}
