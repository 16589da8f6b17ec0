import "./editor.css";
import { useEffect, useState } from "preact/hooks";
import type {
  DraftView,
  EditorDesign,
} from "../../../../../core/plugin-api/app-drafts.js";
import { ask, wordsOf } from "../api.js";
import { may } from "../session.js";
import { Bones } from "../ui/loading.js";
import { Fault } from "../ui/notice.js";
import { EditorFrame } from "./editor-frame.js";
import { EditorProvider } from "./model/editor-context.js";
import { DraftSession } from "./session/draft-session.js";

/** A template, opened to be changed; to those who may not, to be looked at. */
export function EditorPage({ id }: { id: string }) {
  const [session, setSession] = useState<DraftSession | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const open = async () => {
    setFault(null);
    try {
      const [draft, design] = await Promise.all([
        ask<DraftView>(`drafts/${id}`),
        ask<EditorDesign>("design"),
      ]);
      setSession(new DraftSession(draft, design, may("editor")));
    } catch (error) {
      setFault(wordsOf(error));
    }
  };
  useEffect(() => {
    void open();
  }, [id]);
  useEffect(() => session?.close.bind(session), [session]);
  const mayEdit = may("editor");
  useEffect(() => session?.editor.allow(mayEdit), [session, mayEdit]);
  if (session)
    return (
      <EditorProvider value={session.editor}>
        <EditorFrame session={session} />
      </EditorProvider>
    );
  return fault === null ? (
    <Bones />
  ) : (
    <Fault what="The template could not be opened" why={fault} onRetry={open} />
  );
}
