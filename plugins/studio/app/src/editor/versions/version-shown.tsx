import { useMemo, useState } from "preact/hooks";
import type { ProjectData } from "../../../../../../core/plugin-api/definition.js";
import { momentOf } from "../../format.js";
import { type Resource, useResource } from "../../resource.js";
import { Bones } from "../../ui/loading.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/choices.js";
import { Fault } from "../../ui/notice.js";
import { toast } from "../../ui/toast.js";
import type { DraftSession } from "../session/draft-session.js";
import { changesBetween } from "../session/words/compare.js";
import { ChangeList } from "./change-list.js";
import { CompareChoice } from "./compare-choice.js";
import { definitionAt, type Version } from "./version-list.js";
import { VersionPrints } from "./version-prints.js";

interface VersionShownProps {
  session: DraftSession;
  version: Version;
  versions: readonly Version[];
  onDone: () => void;
}

type Shown = "changes" | "prints";

const shows: [Shown, string][] = [
  ["changes", "What changed"],
  ["prints", "Printed pages"],
];

/** One version beside what it is compared with: the draft as it is now, or another version. */
export function VersionShown(props: VersionShownProps) {
  const { session, version, versions, onDone } = props;
  const { templateId } = session.view.value;
  const [otherId, setOther] = useState("");
  const [shown, setShown] = useState<Shown>("changes");
  const other = versions.find(({ id }) => id === otherId) ?? null;
  const own = useResource(version.id, () => definitionAt(templateId, version));
  const compared = useResource(
    otherId,
    async () => (other ? definitionAt(templateId, other) : null),
    otherId,
  );
  const after = other ? compared.data : session.editor.definition.value;
  return (
    <section class="version-shown" aria-label={`Version ${version.version}`}>
      <VersionHead {...{ session, version, own, onDone }} />
      <div class="version-bar">
        <CompareChoice
          versions={versions.filter(({ id }) => id !== version.id)}
          chosen={otherId}
          onChoose={setOther}
        />
        <Choices
          legend="What to see"
          options={shows}
          value={shown}
          onChoose={setShown}
        />
      </div>
      <Comparison
        {...{ session, own, after, shown }}
        names={[
          `Version ${version.version}`,
          other ? `Version ${other.version}` : "Now",
        ]}
      />
    </section>
  );
}

interface ComparisonProps {
  session: DraftSession;
  own: Resource<ProjectData>;
  after: ProjectData | null;
  shown: Shown;
  names: readonly [string, string];
}

function Comparison({ session, own, after, shown, names }: ComparisonProps) {
  const before = own.data;
  const changes = useMemo(
    () => (before && after ? changesBetween(before, after) : null),
    [before, after],
  );
  if (own.fault && !before)
    return (
      <Fault
        what="The version could not be read"
        why={own.fault}
        onRetry={own.reload}
      />
    );
  if (!before || !after || !changes) return <Bones />;
  if (shown === "changes")
    return <ChangeList changes={changes} names={names} />;
  const { templateType } = session.editor;
  return <VersionPrints {...{ templateType, before, after, names }} />;
}

interface VersionHeadProps {
  session: DraftSession;
  version: Version;
  own: Resource<ProjectData>;
  onDone: () => void;
}

function VersionHead(props: VersionHeadProps) {
  const { version, createdAt, createdBy } = props.version;
  return (
    <header class="version-head">
      <span class="words">
        <h2>Version {version}</h2>
        <p class="muted">
          {momentOf(createdAt)} by {createdBy.name}
        </p>
      </span>
      <RestoreButton {...props} />
    </header>
  );
}

function RestoreButton({ session, version, own, onDone }: VersionHeadProps) {
  if (!session.editor.mayEdit || !own.data) return null;
  const { data } = own;
  const restore = () => {
    session.editor.replace(`Restore version ${version.version}`, data);
    toast(
      `Your draft is version ${version.version} again. Undo takes that back.`,
    );
    onDone();
  };
  return (
    <Button kind="primary" onPress={restore}>
      Restore this version
    </Button>
  );
}
