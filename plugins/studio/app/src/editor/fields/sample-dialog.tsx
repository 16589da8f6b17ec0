import { useState } from "preact/hooks";
import type { Json } from "../../../../../../core/plugin-api/definition.js";
import { Choices } from "../../ui/choices.js";
import { Dialog } from "../../ui/dialog.js";
import { useEditor } from "../model/editor-context.js";
import type { DraftSession } from "../session/draft-session.js";
import { RecordForm } from "./record-form.js";
import { RecentPayloads } from "./recent-payloads.js";
import { SampleEnds } from "./sample-ends.js";
import { SampleSource } from "./sample-source.js";
import { rootOf } from "./schema-steps.js";

type View = "form" | "json" | "recent";

const views = [
  ["form", "Fields"],
  ["json", "As JSON"],
  ["recent", "Recent data"],
] as const;

interface SampleDialogProps {
  session: DraftSession;
  onClose: () => void;
}

/** The record that page and preview show. */
export function SampleDialog({ session, onClose }: SampleDialogProps) {
  const editor = useEditor();
  const [view, setView] = useState<View>("form");
  const set = (next: Json, thread: string | null = null) =>
    editor.change(
      "Change the sample",
      (draft) => {
        draft.sample = next;
      },
      thread,
    );
  const take = (next: Json) => {
    set(next);
    setView("form");
  };
  return (
    <Dialog title="Sample data" onClose={onClose}>
      <div class="sample">
        <p class="data-hint">
          One record to design with: the page and the preview show it. Real
          documents are made with your own data.
        </p>
        <Choices
          legend="How to look at it"
          options={views}
          value={view}
          onChoose={setView}
        />
        <div class="sample-body">
          {view === "form" && <SampleForm onChange={set} />}
          {view === "json" && <SampleSource onChange={set} />}
          {view === "recent" && (
            <RecentPayloads session={session} onChoose={take} />
          )}
        </div>
      </div>
      <SampleEnds onClose={onClose} onMake={take} />
    </Dialog>
  );
}

interface SampleFormProps {
  onChange: (sample: Json, thread: string) => void;
}

function SampleForm({ onChange }: SampleFormProps) {
  const { definition, mayEdit } = useEditor();
  const { schema, sample } = definition.value;
  const root = rootOf(schema);
  return (
    <fieldset class="sample-all" disabled={!mayEdit}>
      <legend class="hidden-text">Its fields</legend>
      <RecordForm
        collection={root}
        value={sample ?? {}}
        trail={[root.id]}
        onChange={(next) => onChange(next, "sample")}
      />
    </fieldset>
  );
}
