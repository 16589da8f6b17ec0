import { useState, useMemo, useId } from "preact/hooks";
import type { ProjectData } from "../../../../core/plugin-api/definition.js";
import { askPublic, type Schemas } from "../../api.js";
import { agoOf, momentOf } from "../../format.js";
import { useResource, type Resource } from "../../resource.js";
import { LoadStatus, Skeleton } from "../../ui/loading.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/form.js";
import { Icon } from "../../ui/icon.js";
import { Empty, Notice } from "../../ui/notice.js";
import { Select } from "../../ui/select.js";
import { toast } from "../../ui/toast.js";
import { EmailPrint, PdfPages, usePrint } from "../preview/print.js";
import "../preview/preview.css";
import { type DraftSession, toDefinition } from "../session/draft-session.js";
import { PublishDialog } from "../session/publish-dialog.js";
import { compareDefinitions, type Change } from "./compare.js";
import "./versions.css";
import { t } from "../../messages/index.js";

interface VersionsViewProps {
  session: DraftSession;
  /** Returns to the page. */
  onDone: () => void;
}

export function VersionsView({ session, onDone }: VersionsViewProps) {
  const { templateId, published } = session.view.value;
  const [chosen, setChosen] = useState<string | null>(null);
  const versions = useResource(`${templateId} ${published.version}`, () =>
    askPublic<Version[]>(`templates/${templateId}/versions`),
  );
  const { data } = versions;
  const shownVersion = data?.find(({ id }) => id === chosen) ?? data?.[0];
  return (
    <div class="editor-whole versions">
      <section class="versions-list" aria-label={t("common.versions")}>
        <SaveVersionButton session={session} />
        {data ? (
          <VersionList
            versions={data}
            shownId={shownVersion?.id ?? null}
            onChoose={setChosen}
          />
        ) : (
          <LoadStatus
            resource={versions}
            what={t("versions.couldntLoadVersions")}
          />
        )}
      </section>
      {data?.length === 0 && (
        <Empty icon="history" title={t("common.noVersionsYet")}>
          <p>{t("versions.noVersionsHelp")}</p>
        </Empty>
      )}
      {data && shownVersion && (
        <VersionComparison
          key={shownVersion.id}
          session={session}
          version={shownVersion}
          versions={data}
          onDone={onDone}
        />
      )}
    </div>
  );
}

/** Unpublished changes are published with the version. */
function SaveVersionButton({ session }: { session: DraftSession }) {
  if (!session.editor.mayEdit) return null;
  return (
    <Button
      isWide
      dialog={(close) => <PublishDialog session={session} onClose={close} />}
    >
      {session.isChanged.value
        ? t("versions.publishAsVersion")
        : t("draft.saveVersion")}
    </Button>
  );
}

interface VersionListProps {
  versions: readonly Version[];
  shownId: string | null;
  onChoose: (id: string) => void;
}

/** Newest first. */
function VersionList({ versions, shownId, onChoose }: VersionListProps) {
  return (
    <ol class="version-lines">
      {versions.map(({ id, version, description, createdAt, createdBy }) => (
        <li key={id}>
          <button
            type="button"
            aria-pressed={id === shownId}
            onClick={() => onChoose(id)}
          >
            <strong>{t("common.versionVersion", { version })}</strong>
            {description !== "" && <span>{description}</span>}
            <span class="muted small" title={momentOf(createdAt)}>
              {createdBy.name}, {agoOf(createdAt)}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

interface VersionComparisonProps {
  session: DraftSession;
  version: Version;
  versions: readonly Version[];
  onDone: () => void;
}

type Shown = "changes" | "prints";

const shows: [Shown, string][] = [
  ["changes", t("versions.whatChanged")],
  ["prints", t("preview.printedPages")],
];

/** One version compared with the current draft or another version. */
function VersionComparison(props: VersionComparisonProps) {
  const { session, version, versions, onDone } = props;
  const { templateId } = session.view.value;
  const selectId = useId();
  const [otherId, setOther] = useState("");
  const [mode, setShown] = useState<Shown>("changes");
  const other = versions.find(({ id }) => id === otherId) ?? null;
  const versionDefinition = useResource(version.id, () =>
    loadDefinition(templateId, version),
  );
  const compared = useResource(
    otherId,
    async () => (other ? loadDefinition(templateId, other) : null),
    otherId,
  );
  const after = other ? compared.data : session.editor.definition.value;
  const name = t("common.versionVersion", { version: version.version });
  const restore = (definition: ProjectData | null) => {
    if (!definition) return;
    session.editor.replace(
      t("versions.restoreVersionVersion", { version: version.version }),
      definition,
    );
    toast(t("versions.restored", { version: version.version }));
    onDone();
  };
  return (
    <section class="version-shown" aria-label={name}>
      <header class="version-head">
        <span class="words">
          <h2>{name}</h2>
          <p class="muted">
            {t("versions.timeByName", {
              time: momentOf(version.createdAt),
              name: version.createdBy.name,
            })}
          </p>
        </span>
        {session.editor.mayEdit && versionDefinition.data && (
          <Button
            kind="primary"
            onPress={() => restore(versionDefinition.data)}
          >
            {t("versions.restoreThisVersion")}
          </Button>
        )}
      </header>
      <div class="version-bar">
        <span class="compare-choice">
          <label class="muted small" for={selectId}>
            {t("versions.compareWith")}
          </label>
          <Select
            id={selectId}
            isLarge
            value={otherId}
            options={versions
              .filter(({ id }) => id !== version.id)
              .map((option) => [
                option.id,
                t("versions.versionVersion", { version: option.version }),
              ])}
            none={t("versions.currentDraft")}
            onChange={(id = "") => setOther(id)}
          />
        </span>
        <Choices
          legend={t("common.show")}
          options={shows}
          value={mode}
          onChoose={setShown}
        />
      </div>
      <Comparison
        {...{ session, version: versionDefinition, after, mode }}
        names={[
          name,
          other
            ? t("common.versionVersion", { version: other.version })
            : t("versions.now"),
        ]}
      />
    </section>
  );
}

interface ComparisonProps {
  session: DraftSession;
  version: Resource<ProjectData>;
  after: ProjectData | null;
  mode: Shown;
  names: readonly [string, string];
}

function Comparison({
  session,
  version: versionDefinition,
  after,
  mode,
  names,
}: ComparisonProps) {
  const before = versionDefinition.data;
  const changes = useMemo(
    () => (before && after ? compareDefinitions(before, after) : null),
    [before, after],
  );
  if (!before)
    return (
      <LoadStatus
        resource={versionDefinition}
        what={t("versions.couldntLoadVersion")}
      />
    );
  if (!after || !changes) return <Skeleton />;
  if (mode === "changes") return <ChangeList changes={changes} names={names} />;
  const { templateType } = session.editor;
  return (
    <div class="version-prints">
      <VersionPreview
        name={names[0]}
        templateType={templateType}
        definition={before}
      />
      <VersionPreview
        name={names[1]}
        templateType={templateType}
        definition={after}
      />
    </div>
  );
}

interface ChangeListProps {
  changes: readonly Change[];
  /** The names of both sides. */
  names: readonly [string, string];
}

const badges = {
  added: [t("versions.added"), "good"],
  removed: [t("versions.removed"), "bad"],
  moved: [t("versions.moved"), "info"],
  changed: [t("versions.changed"), "info"],
} as const;

function ChangeList({ changes, names }: ChangeListProps) {
  if (changes.length === 0)
    return (
      <Empty icon="check" title={t("versions.noDifferences")}>
        <p>{t("versions.twoVersionsAreIdentical")}</p>
      </Empty>
    );
  return (
    <>
      <p class="muted small">
        {t("versions.changesBetween", {
          count: changes.length,
          before: names[0],
          after: names[1],
        })}
      </p>
      <ol class="card change-list">
        {changes.map((change) => (
          <ChangeLine key={`${change.kind} ${change.id}`} change={change} />
        ))}
      </ol>
    </>
  );
}

function ChangeLine({ change }: { change: Change }) {
  const { kind, name, within, details } = change;
  const [words, tone] = badges[kind];
  return (
    <li>
      <span class={`badge ${tone}`}>{words}</span>
      <div class="words">
        <strong>{name}</strong>
        {within > 0 && (
          <span class="muted small">
            {t("versions.withCountPartsInIt", { count: within })}
          </span>
        )}
        {details.map(({ label, before, after }) => (
          <p class="change-detail" key={label}>
            <span class="muted">{label}</span>
            {(before !== "" || after !== "") && (
              <>
                {": "}
                <del>{before}</del> <Icon name="next" size={12} />{" "}
                <ins>{after}</ins>
              </>
            )}
          </p>
        ))}
      </div>
    </li>
  );
}

const emailWidth = 600;

interface VersionPreviewProps {
  name: string;
  templateType: "document" | "email";
  definition: ProjectData;
}

/** One side rendered with its own sample data. */
function VersionPreview({
  name,
  templateType,
  definition,
}: VersionPreviewProps) {
  const isEmail = templateType === "email";
  const { file, fault } = usePrint({
    templateType,
    definition,
    ...(isEmail && { format: "png", widthPx: emailWidth }),
  });
  return (
    <section class="version-print" aria-label={name}>
      <h3 class="muted small">{name}</h3>
      {fault !== null && (
        <Notice tone="bad" title={t("preview.previewUnavailable")}>
          <p>{fault.why}</p>
        </Notice>
      )}
      {!file && fault === null && <Skeleton count={3} />}
      {file &&
        (isEmail ? (
          <EmailPrint file={file} width={emailWidth} />
        ) : (
          <PdfPages file={file} />
        ))}
    </section>
  );
}

/** A snapshot of the template; times are ISO 8601. */
type Version = Schemas["TemplateVersionListItem"];

async function loadDefinition(
  templateId: string,
  { id }: Version,
): Promise<ProjectData> {
  const at = `templates/${templateId}/${id}`;
  const { definition } = await askPublic<{ definition: unknown }>(at);
  return toDefinition(definition);
}
