import { useEffect, useState } from "preact/hooks";
import { agoOf } from "../../format.js";
import { Icon } from "../../ui/icon.js";
import type { DraftSession } from "./draft-session.js";
import type { SaveState } from "./save-state.js";

const everyMs = 20_000;

/** What became of the latest changes, in words. */
export function SaveWords({ session }: { session: DraftSession }) {
  const state = session.state.value;
  const tone = state.kind === "failed" ? "bad" : "";
  return (
    <span class={`save-words ${tone}`} role="status">
      {state.kind === "failed" && <Icon name="warn" size={16} />}
      <Words session={session} state={state} />
    </span>
  );
}

function Words({
  session,
  state,
}: {
  session: DraftSession;
  state: SaveState;
}) {
  useTick();
  const { savedAt, savedBy } = session.view.value;
  if (state.kind === "failed")
    return <span title={state.why}>Not saved. Trying again…</span>;
  if (!session.editor.mayEdit) return <>You can look, not change</>;
  if (state.kind === "asking") return <>Not saved until you choose</>;
  if (state.kind !== "saved") return <>Saving…</>;
  if (savedAt === null) return <>Published</>;
  const by = savedBy === null ? "" : ` by ${savedBy}`;
  return <span title={`Saved${by}`}>Saved {agoOf(savedAt)}</span>;
}

/** Draws again now and then, so that "just now" does not stay. */
function useTick(): void {
  const [, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTurn((turn) => turn + 1), everyMs);
    return () => clearInterval(timer);
  }, []);
}
