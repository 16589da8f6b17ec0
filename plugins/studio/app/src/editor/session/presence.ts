import type { DraftPulse } from "../../../../../../core/plugin-api/app-drafts.js";
import { ask } from "../../api.js";
import { toast } from "../../ui/toast.js";
import type { DraftSession } from "./draft-session.js";

const everyMs = 3000;
/** Who goes on working is not announced again and again. */
const quietMs = 300_000;

/**
 * Looks every few seconds, while the page is in sight, whether somebody else saved; and sees to it that nothing is lost
 * when the page goes. @returns what ends it.
 */
export function watchDraft(session: DraftSession): () => void {
  const told = new Map<string, number>();
  const look = () => {
    if (!document.hidden) void lookUp(session, told);
  };
  const ends = new AbortController();
  const { signal } = ends;
  const timer = setInterval(look, everyMs);
  signal.addEventListener("abort", () => clearInterval(timer));
  document.addEventListener(
    "visibilitychange",
    () => {
      if (document.hidden) void session.flush();
      else look();
    },
    { signal },
  );
  addEventListener("pagehide", () => session.saveOnExit(), { signal });
  addEventListener("online", () => void session.flush(), { signal });
  addEventListener("beforeunload", (event) => askFirst(session, event), {
    signal,
  });
  addEventListener("keydown", (event) => save(session, event), { signal });
  return () => ends.abort();
}

/** Only when work would be lost for all that the browser can keep. */
function askFirst(session: DraftSession, event: BeforeUnloadEvent): void {
  const isFailed = session.state.peek().kind === "failed";
  if (!session.backUp() || isFailed) event.preventDefault();
}

/** Nobody has to; hands that are used to it shall not get the browser's own dialog. */
function save(session: DraftSession, event: KeyboardEvent): void {
  const isCommand = event.metaKey || event.ctrlKey;
  if (!isCommand || event.key.toLowerCase() !== "s") return;
  event.preventDefault();
  void session.flush();
}

async function lookUp(
  session: DraftSession,
  told: Map<string, number>,
): Promise<void> {
  const { templateId } = session.view.peek();
  const now = await ask<DraftPulse>(`drafts/${templateId}/revision`).catch(
    () => null,
  );
  if (now) followTrash(session, now);
  const { revision, published } = session.view.peek();
  const isNew =
    now && (now.revision > revision || now.published.hash !== published.hash);
  // When it cannot be read, the next look finds it.
  if (isNew && (await session.pullChanges().catch(() => false)))
    tell(session.view.peek().savedBy ?? "Someone", told);
}

function followTrash(session: DraftSession, { isTrashed }: DraftPulse): void {
  const view = session.view.peek();
  if (view.isTrashed === isTrashed) return;
  session.view.value = { ...view, isTrashed };
  if (!isTrashed) toast("The template is out of the trash again.");
}

function tell(who: string, told: Map<string, number>): void {
  const last = told.get(who) ?? 0;
  told.set(who, Date.now());
  if (Date.now() - last > quietMs)
    toast(`${who} is changing this template too.`);
}
