import type { DraftPulse } from "../../../../../../core/contract/app-drafts.js";
import { ask, askLast } from "../../api.js";
import { toast } from "../../ui/toast.js";
import type { DraftSession } from "./draft-session.js";

const everyMs = 3000;

/** Looks every few seconds, while the page is in sight, whether somebody else saved; and sees to it that nothing is lost when the page goes. @returns what ends it. */
export function attend(session: DraftSession): () => void {
  const look = () => {
    if (!document.hidden) void lookUp(session);
  };
  const hide = () => {
    if (document.hidden) void session.flush();
    else look();
  };
  const timer = setInterval(look, everyMs);
  const go = () => leave(session);
  const question = (event: BeforeUnloadEvent) => {
    const isFailed = session.state.peek().kind === "failed";
    if (!session.leave() || isFailed) event.preventDefault();
  };
  document.addEventListener("visibilitychange", hide);
  addEventListener("pagehide", go);
  addEventListener("beforeunload", question);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", hide);
    removeEventListener("pagehide", go);
    removeEventListener("beforeunload", question);
  };
}

async function lookUp(session: DraftSession): Promise<void> {
  const { templateId } = session.view.peek();
  const now = await ask<DraftPulse>(`drafts/${templateId}/revision`).catch(
    () => null,
  );
  const { revision, published } = session.view.peek();
  if (!now || session.state.peek().kind === "saving") return;
  const isNew =
    now.revision > revision || now.published.hash !== published.hash;
  if (!isNew || session.question.peek()) return;
  // When it cannot be read, the next look finds it.
  const before = session.editor.definition.peek();
  await session.catchUp().catch(() => undefined);
  if (session.editor.definition.peek() !== before)
    toast(`${now.savedBy ?? "Someone"} changed this template as well.`);
}

/** The last request of a page that goes; what does not fit into it waits in the browser for the next visit. */
function leave(session: DraftSession): void {
  if (!session.isUnsaved.peek()) return;
  session.leave();
  const { templateId, revision, base } = session.view.peek();
  const definition = session.editor.definition.peek();
  const change = { definition, expectedRevision: revision, base: base.hash };
  askLast(`drafts/${templateId}`, "PUT", change);
}
