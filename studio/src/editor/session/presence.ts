import type { DraftStatus } from "../../../../core/templates/drafts/views.js";
import { clock } from "../../../../core/lib/clock.js";
import { ask } from "../../api.js";
import { liveStream } from "../../live.js";
import { me } from "../../session.js";
import { toast } from "../../ui/toast.js";
import type { DraftSession } from "./draft-session.js";
import { t } from "../../messages/index.js";

const pollIntervalMs = 3000;
/** The same sentence is announced again only after this time. */
const announceIntervalMs = 300_000;

/**
 * Fetches other people's changes while the page is visible, as the stream reports them or every few seconds without it,
 * and saves or backs up changes when it is hidden or closed.
 * @returns a function that stops it.
 */
export function watchDraft(session: DraftSession): () => void {
  const announced = new Map<string, number>();
  const poll = () => {
    if (!document.hidden) void pullNewChanges(session, announced);
  };
  const controller = new AbortController();
  const { signal } = controller;
  const timer = clock.every(pollIntervalMs, () => {
    if (!liveStream.isOpen) poll();
  });
  const unwatch = liveStream.watch(`draft:${session.templateId}`, poll);
  signal.addEventListener("abort", () => {
    timer.cancel();
    unwatch();
  });
  document.addEventListener(
    "visibilitychange",
    () => {
      if (document.hidden) void session.flush();
      else poll();
    },
    { signal },
  );
  addEventListener("pagehide", () => session.saveOnExit(), { signal });
  addEventListener("online", () => void session.flush(), { signal });
  addEventListener("beforeunload", (event) => confirmClose(session, event), {
    signal,
  });
  addEventListener("keydown", (event) => saveOnShortcut(session, event), {
    signal,
  });
  return () => controller.abort();
}

/** Asks before closing only when changes could not be saved or backed up. */
function confirmClose(session: DraftSession, event: BeforeUnloadEvent): void {
  const isFailed = session.state.peek().kind === "failed";
  if (!session.backUp() || isFailed) event.preventDefault();
}

/** Saving is automatic; the shortcut only keeps the browser's own dialog from opening. */
function saveOnShortcut(session: DraftSession, event: KeyboardEvent): void {
  const isCommand = event.metaKey || event.ctrlKey;
  if (!isCommand || event.key.toLowerCase() !== "s") return;
  event.preventDefault();
  void session.flush();
}

async function pullNewChanges(
  session: DraftSession,
  announced: Map<string, number>,
): Promise<void> {
  const pulse = await ask<DraftStatus>(
    `drafts/${session.templateId}/revision`,
  ).catch(() => null);
  if (pulse) updateTrashState(session, pulse);
  const { revision, published } = session.view.peek();
  const isNew =
    pulse &&
    (pulse.revision > revision || pulse.published.hash !== published.hash);
  // When this fails, the next poll tries again.
  if (isNew && (await session.pullChanges().catch(() => false)))
    announce(describeOther(session), announced);
}

function updateTrashState(
  session: DraftSession,
  { isTrashed }: DraftStatus,
): void {
  const view = session.view.peek();
  if (view.isTrashed === isTrashed) return;
  session.view.value = { ...view, isTrashed };
  if (!isTrashed) toast(t("draft.restoredFromTrash"));
}

/** Who else edits the draft, as a sentence. */
function describeOther(session: DraftSession): string {
  const { savedBy, savedById } = session.view.peek();
  if (savedById !== null && savedById === me.peek()?.user.id)
    return t("draft.youEditInOtherTab");
  return savedBy === null
    ? t("draft.someoneIsEditing")
    : t("draft.nameIsEditing", { name: savedBy });
}

function announce(sentence: string, announced: Map<string, number>): void {
  const last = announced.get(sentence) ?? 0;
  announced.set(sentence, clock.now());
  if (clock.now() - last > announceIntervalMs) toast(sentence);
}
