import { useState } from "preact/hooks";
import type { Json } from "../../../../../../core/contract/definition.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/choices.js";
import { Dialog } from "../../ui/dialog.js";
import { toast } from "../../ui/toast.js";
import { useEditor } from "../model/editor-context.js";
import type { DraftSession } from "../session/draft-session.js";
import { schemaOfSample } from "./infer-schema.js";
import { sampleOfFields } from "./make-sample.js";
import { RecordForm } from "./record-form.js";
import { RecentPayloads } from "./recent-payloads.js";
import { SampleSource } from "./sample-source.js";
import { rootOf, setSchema } from "./schema-steps.js";

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
  const { schema, sample } = editor.definition.value;
  const root = rootOf(schema);
  const set = (next: Json, thread: string | null = null) =>
    editor.change(
      "Change the sample",
      (draft) => {
        draft.sample = next;
      },
      thread,
    );
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
          {view === "form" && (
            <fieldset class="sample-all" disabled={!editor.mayEdit}>
              <legend class="hidden-text">Its fields</legend>
              <RecordForm
                collection={root}
                value={sample ?? {}}
                trail={[root.id]}
                onChange={(next) => set(next, "sample")}
              />
            </fieldset>
          )}
          {view === "json" && (
            <SampleSource sample={sample ?? {}} onChange={set} />
          )}
          {view === "recent" && (
            <RecentPayloads
              templateId={session.view.value.templateId}
              onChoose={(data) => {
                set(data);
                setView("form");
              }}
            />
          )}
        </div>
      </div>
      <SampleEnds onClose={onClose} onMake={set} />
    </Dialog>
  );
}

interface SampleEndsProps {
  onMake: (sample: Json) => void;
  onClose: () => void;
}

/** From fields to a sample, and from a sample to fields. */
function SampleEnds({ onMake, onClose }: SampleEndsProps) {
  const editor = useEditor();
  const { schema, sample } = editor.definition.value;
  const read = () => {
    const found = schemaOfSample(schema, sample);
    const count = (all: typeof found) =>
      all.reduce((sum, { fields }) => sum + fields.length, 0);
    const more = count(found) - count(schema);
    if (more > 0) setSchema(editor, "Read fields from the sample", found);
    const added =
      more === 1 ? "1 field was added." : `${more} fields were added.`;
    toast(more > 0 ? added : "All that is in the sample is known already.");
  };
  return (
    <div class="dialog-end">
      {editor.mayEdit && (
        <>
          <Button onPress={() => onMake(sampleOfFields(schema, sample))}>
            Fill empty fields
          </Button>
          <Button onPress={read}>Read the fields from it</Button>
        </>
      )}
      <Button kind="primary" onPress={onClose}>
        Done
      </Button>
    </div>
  );
}
