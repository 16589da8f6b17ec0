import "./versions.css";
import { useState } from "preact/hooks";
import { useResource } from "../../resource.js";
import { Bones } from "../../ui/loading.js";
import { Button } from "../../ui/button.js";
import { Empty, Fault } from "../../ui/notice.js";
import type { DraftSession } from "../session/draft-session.js";
import { PublishDialog } from "../session/publish-dialog.js";
import { type Version, versionsOf } from "./version-list.js";
import { VersionShown } from "./version-shown.js";
import { VersionLines } from "./version-lines.js";

interface VersionsViewProps {
  session: DraftSession;
  /** Back to the page. */
  onDone: () => void;
}

/** What the template was before: to be looked at, compared with what it is now, and restored. */
export function VersionsView({ session, onDone }: VersionsViewProps) {
  const { templateId, published } = session.view.value;
  const [chosen, setChosen] = useState<string | null>(null);
  const { data, fault, reload } = useResource(
    `${templateId} ${published.version}`,
    () => versionsOf(templateId),
  );
  const shown = data?.find(({ id }) => id === chosen) ?? data?.[0];
  return (
    <div class="editor-whole versions">
      <section class="versions-list" aria-label="Versions">
        <KeepButton session={session} />
        {fault && !data && (
          <Fault
            what="The versions could not be read"
            why={fault}
            onRetry={reload}
          />
        )}
        {!data && !fault && <Bones />}
        {data && (
          <VersionLines
            versions={data}
            shownId={shown?.id ?? null}
            onChoose={setChosen}
          />
        )}
      </section>
      <ShownOrNot
        session={session}
        versions={data}
        shown={shown ?? null}
        onDone={onDone}
      />
    </div>
  );
}

interface ShownOrNotProps extends VersionsViewProps {
  /** Null: they are not read yet. */
  versions: readonly Version[] | null;
  shown: Version | null;
}

function ShownOrNot({ session, versions, shown, onDone }: ShownOrNotProps) {
  if (versions?.length === 0)
    return (
      <Empty icon="history" title="No versions yet">
        <p>
          A version keeps the template as it is at a moment. Publishing makes
          one, if you like.
        </p>
      </Empty>
    );
  if (!shown || !versions) return null;
  return (
    <VersionShown
      key={shown.id}
      session={session}
      version={shown}
      versions={versions}
      onDone={onDone}
    />
  );
}

/** Only what is published can be kept: changes are published with it. */
function KeepButton({ session }: { session: DraftSession }) {
  const [isOpen, setOpen] = useState(false);
  if (!session.editor.mayEdit) return null;
  const words = session.isChanged.value
    ? "Publish as a version"
    : "Keep a version now";
  return (
    <>
      <Button isWide onPress={() => setOpen(true)}>
        {words}
      </Button>
      {isOpen && (
        <PublishDialog session={session} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
